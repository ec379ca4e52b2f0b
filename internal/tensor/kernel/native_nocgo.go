//go:build !cgo

package kernel

// Without cgo there are no native levels: Level.Runs refuses them before any of these is reached.

const noNative = "kernel: native kernel reached in a build without cgo"

func nativeLevels() []Level                                                       { return nil }
func nativePanel(Level) int                                                       { panic(noNative) }
func nativeLinear([]float32, int, []float32, int, int, *Packed, Epilogue)         { panic(noNative) }
func nativeLinearBF16([]float32, int, []float32, int, int, *PackedBF16, Epilogue) { panic(noNative) }
func nativeHalfAttention() bool                                                   { return false }
func nativeHalf() bool                                                            { return false }
func nativeLinearFP16([]float32, int, []float32, int, int, *PackedBF16, Epilogue) { panic(noNative) }
func nativeMap(Level, int, []float32, []float32, []float32, []float32)            { panic(noNative) }
func nativeRotate(Level, []float32, []float32, []float32, Rotation)               { panic(noNative) }
func nativeAttentionFP16([]float32, int, []float32, int, int, []float32, int, []float32, int, int, int, float32, []float32) {
	panic(noNative)
}

const shortSpan = 224

func nativeRoundWeights(_, _ []float32, _, _ int, _ float32) bool           { panic(noNative) }
func nativeRoundKeys(_, _, _, _ []float32, _ int, _ []float32, _, _, _ int) { panic(noNative) }
func nativeLayerNorm(Level, []float32, []float32, int, int, []float32, []float32, float32) {
	panic(noNative)
}
func nativeRMSNorm(Level, []float32, []float32, int, int, []float32, float32) { panic(noNative) }
func nativeAttention(Level, []float32, int, []float32, int, int, []float32, int, []float32, int, int, int, float32) {
	panic(noNative)
}
