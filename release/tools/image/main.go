// Image makes an OCI image of one layer, without a container engine.
//
// It writes a folder in OCI's image layout, with the manifest.json that `docker load` and
// `crane push` read. A tar of the folder is what `docker save` writes.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	var s spec
	flag.StringVar(&s.name, "name", "", "name of the image, without its tag")
	flag.StringVar(&s.version, "version", "", "version, which is also the tag")
	flag.StringVar(&s.config, "config", "", "JSON file of OCI's image configuration: user, entry point and so on")
	flag.StringVar(&s.layer, "layer", "", "tar file of the image's file system")
	flag.Int64Var(&s.epoch, "epoch", 0, "time of creation, in seconds since 1970")
	flag.StringVar(&s.out, "out", "", "folder to write")
	flag.Parse()
	if err := s.write(); err != nil {
		fmt.Fprintf(os.Stderr, "image: %v\n", err)
		os.Exit(1)
	}
}

// spec is what the image is made of.
type spec struct {
	name, version, config, layer, out string
	epoch                             int64
}

func (s spec) write() error {
	image, err := s.image()
	if err != nil {
		return err
	}
	if _, err := layout.Write(s.out, empty.Index); err != nil {
		return fmt.Errorf("write layout %s: %w", s.out, err)
	}
	annotations := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": s.version, "io.containerd.image.name": s.name + ":" + s.version})
	if err := layout.Path(s.out).AppendImage(image, annotations); err != nil {
		return fmt.Errorf("write image into %s: %w", s.out, err)
	}
	return s.writeManifest(image)
}

func (s spec) image() (v1.Image, error) {
	raw, err := os.ReadFile(s.config)
	if err != nil {
		return nil, err
	}
	created := v1.Time{Time: time.Unix(s.epoch, 0).UTC()}
	file := v1.ConfigFile{OS: "linux", Architecture: "amd64", Created: created, RootFS: v1.RootFS{Type: "layers"}}
	if err := json.Unmarshal(raw, &file.Config); err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.config, err)
	}
	file.Config.Labels["org.opencontainers.image.version"] = s.version
	file.Config.Labels["org.opencontainers.image.created"] = created.Format(time.RFC3339)

	layer, err := tarball.LayerFromFile(s.layer, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, fmt.Errorf("read layer %s: %w", s.layer, err)
	}
	image, err := mutate.ConfigFile(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), &file)
	if err != nil {
		return nil, fmt.Errorf("set configuration: %w", err)
	}
	history := v1.History{Created: created, CreatedBy: "make release"}
	return mutate.Append(image, mutate.Addendum{Layer: layer, History: history, MediaType: types.OCILayer})
}

// writeManifest writes manifest.json, which names the layout's blobs in Docker's way.
func (s spec) writeManifest(image v1.Image) error {
	config, err := image.ConfigName()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	entry := tarball.Descriptor{Config: blob(config), RepoTags: []string{s.name + ":" + s.version}}
	for _, layer := range layers {
		digest, err := layer.Digest()
		if err != nil {
			return err
		}
		entry.Layers = append(entry.Layers, blob(digest))
	}
	raw, err := json.Marshal(tarball.Manifest{entry})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.out, "manifest.json"), raw, 0o644)
}

func blob(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
