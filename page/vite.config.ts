import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { OutputBundle } from "rolldown";
import { defineConfig, type Plugin } from "vite";
import { licenses } from "./build/licenses.ts";

// inline puts the script and the style into the page: the page is one file.
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle: OutputBundle) {
      const html = bundle["index.html"];
      if (html?.type !== "asset") throw new Error("the build has no index.html");
      let text = String(html.source);
      const notices = licenses(Object.values(bundle).flatMap((f) => (f.type === "chunk" ? f.moduleIds : [])));
      this.emitFile({ type: "asset", fileName: "licenses.txt", source: notices });
      text = text.replace("</html>", () => `<!--\nplanflame is under the Apache License 2.0. Its page includes these:\n\n${notices.replaceAll("--", "- -")}-->\n</html>`);
      for (const [name, file] of Object.entries(bundle)) {
        if (name === "index.html" || name === "licenses.txt") continue;
        const tag = new RegExp(`<(script|link)[^>]*${name.replace(/[.]/g, "[.]")}[^>]*>(</script>)?`);
        // The script goes behind the body: it reads the recording's element there.
        const code = file.type === "chunk" ? file.code.replaceAll("</script", "<\\/script") : "";
        if (file.type === "asset") text = text.replace(tag, () => `<style>${file.source}</style>`);
        else text = text.replace(tag, "").replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        delete bundle[name];
      }
      html.source = text;
    },
  };
}

export default defineConfig({
  plugins: [svelte(), inline()],
  base: "./",
  build: { target: "es2022", modulePreload: false, assetsInlineLimit: 1e6, cssCodeSplit: false },
});
