package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Native libraries work for the operator that called them: their frames carry the library's name,
// and so does kernel time where it is sampled.
func TestNativeLibrariesBelongToTheirCaller(t *testing.T) {
	const kernel, libc, zstd, lz4, snappy, jvm, compile = 0xffffffff81000010, 0x7f0000000010, 0x7f0000001010, 0x7f0000002010, 0x7f0000003010, 0x7f0000004010, 0x7f0000005010
	symbols := table{
		kernel:  {Kind: codemap.Kernel, Method: "copy_user_generic", File: "vmlinux"},
		libc:    {Kind: codemap.Native, Method: "__memmove_avx_unaligned_erms", File: "libc.so.6"},
		zstd:    {Kind: codemap.Native, Method: "ZSTD_decompressBlock_internal", File: "libzstd-jni-1.5.5-4.so"},
		lz4:     {Kind: codemap.Native, Method: "LZ4_compress_fast", File: "liblz4-java-8301293.so"},
		snappy:  {Kind: codemap.Native, Method: "[snappy-1.1.10-libsnappyjava.so]", File: "snappy-1.1.10-libsnappyjava.so"}, // as codemap names what is stripped
		jvm:     {Kind: codemap.Native, Method: "jni_GetPrimitiveArrayCritical", File: "libjvm.so"},
		compile: {Kind: codemap.Native, Method: "CompilationPolicy::event", File: "libjvm.so"},
	}
	tests := []struct {
		name     string
		addrs    []uint64
		kernel   int
		operator string
		bucket   attribution.Bucket
		leaf     StackFrame
	}{
		{"zstd under a scan", []uint64{zstd, jvmtest.ScanCode + 5, jvmtest.RunCode + 5}, 0, "scan@22", "", StackFrame{"ZSTD_decompressBlock_internal", "libzstd-jni-1.5.5-4.so", 0, FrameNative}},
		{"libc under zstd under a scan", []uint64{libc, zstd, jvmtest.ScanCode + 5, jvmtest.RunCode + 5}, 0, "scan@22", "", StackFrame{"__memmove_avx_unaligned_erms", "libc.so.6", 0, FrameNative}},
		{"lz4 under a shuffle's writer", []uint64{lz4, jvmtest.ShuffleCode + 5, jvmtest.RunCode + 5}, 0, "exchange@11", "", StackFrame{"LZ4_compress_fast", "liblz4-java-8301293.so", 0, FrameNative}},
		{"a stripped library", []uint64{snappy, jvmtest.ScanCode + 5, jvmtest.RunCode + 5}, 0, "scan@22", "", StackFrame{"[snappy-1.1.10-libsnappyjava.so]", "snappy-1.1.10-libsnappyjava.so", 0, FrameNative}},
		{"the JVM's own library for an operator", []uint64{jvm, jvmtest.ScanCode + 5, jvmtest.RunCode + 5}, 0, "scan@22", "", StackFrame{"jni_GetPrimitiveArrayCritical", "libjvm.so", 0, FrameNative}},
		{"the JVM's own library for itself", []uint64{compile, jvmtest.ScanCode + 5, jvmtest.RunCode + 5}, 0, "", attribution.BucketJIT, StackFrame{"CompilationPolicy::event", "libjvm.so", 0, FrameNative}},
		{"the kernel under libc under a shuffle's writer", []uint64{kernel, libc, jvmtest.ShuffleCode + 5, jvmtest.RunCode + 5}, 1, "exchange@11", "", StackFrame{"copy_user_generic", "vmlinux", 0, FrameKernel}},
		{"the kernel for the framework", []uint64{kernel, libc, jvmtest.RunCode + 5}, 1, "", attribution.BucketFramework, StackFrame{"copy_user_generic", "vmlinux", 0, FrameKernel}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScenario(Settings{Hold: UntilEnd, Symbols: func(sampler.JVM) Symbolizer { return symbols }})
			s.JVM(7, sampler.ModePrivileged)
			s.Code(7)
			s.Plan(7, jvmtest.At(1), 4)
			s.Stage(7, jvmtest.At(1), 6, 4)
			s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
			s.p.Sample(7, sampler.Sample{Time: jvmtest.At(11), TID: 41, Addrs: test.addrs, Kernel: test.kernel})
			s.p.Finish()
			l := s.got.samples[0]
			require.Equal(t, test.operator, l.Operator)
			require.Equal(t, test.bucket, l.Bucket)
			require.Equal(t, test.leaf, stackOf(&l)[0])
			require.Zero(t, s.p.Counts().UnnamedFrames)
		})
	}
}
