package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
)

// What somebody who wishes us ill puts into an archive: names that leave the folder on some system, sizes that are not
// there, bytes that are counted many times over. Nothing is unpacked, so all of it is words.
func TestHostileArchives(t *testing.T) {
	for name, want := range map[string]string{
		`a\..\data.pkl`: "not a path inside one folder", "C:/data.pkl": "not a path inside one folder", "a/x\x00y": "not a path inside one folder",
		"../data.pkl": "not a path inside one folder", "a/./../../data.pkl": "not a path inside one folder", "data.pkl": "not a path inside one folder",
		`a/b\c`: "not a path inside one folder", "a/b:c": "not a path inside one folder",
	} {
		refuse(t, fmt.Sprintf("the name %q", name), zipOf(t, zip.Store, name, "\x80\x02}."), want)
	}

	// A directory that promises more than the file has.
	raw := func(claims uint64, data []byte) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.CreateRaw(&zip.FileHeader{Name: "a/data.pkl", Method: zip.Store, CompressedSize64: claims, UncompressedSize64: claims})
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(data)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	refuse(t, "a size of a tebibyte", raw(1<<40, []byte("\x80\x02}.")), "")
	refuse(t, "a size beyond the file", raw(5000, []byte("\x80\x02}.")), "")

	// Four entries of the same 4,096 bytes.
	data := make([]byte, 4096)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	program := "\x80\x02("
	for i := range 4 {
		body := strings.TrimSuffix(strings.TrimPrefix(tensorProgram(fmt.Sprint(i), "K\x01"), "\x80\x02}"), "s.")
		body = strings.Replace(body, "X\x03\x00\x00\x00cpuK\x01tQ", "X\x03\x00\x00\x00cpuM\x00\x04tQ", 1)
		program += strings.Replace(body, "\x01\x00\x00\x00w", "\x01\x00\x00\x00"+string(rune('a'+i)), 1)
	}
	program = "\x80\x02}" + strings.TrimPrefix(program, "\x80\x02") + "u."
	add := func(name string, body []byte, crc uint32, size int) {
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc, CompressedSize64: uint64(size), UncompressedSize64: uint64(size)})
		if err == nil {
			_, err = f.Write(body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("a/data.pkl", []byte(program), crc32.ChecksumIEEE([]byte(program)), len(program))
	for i := range 4 {
		body := data
		if i > 0 {
			body = nil // the directory will point at the first
		}
		add(fmt.Sprint("a/data/", i), body, crc32.ChecksumIEEE(data), len(data))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	const placeOfOffset, signature = 42, "PK\x01\x02"
	var first []byte
	for at := range file {
		if !bytes.HasPrefix(file[at:], []byte(signature)) {
			continue
		}
		offset := file[at+placeOfOffset : at+placeOfOffset+4]
		switch name := string(file[at+46:][:8]); {
		case name == "a/data/0":
			first = slices.Clone(offset)
		case strings.HasPrefix(name, "a/data/"):
			copy(offset, first)
		}
	}
	refuse(t, "entries on top of each other", file, "they overlap")
}

func refuse(t *testing.T, what string, data []byte, want string) {
	t.Helper()
	_, err := Read("hostile", data)
	if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), want) || e.Help == "" {
		t.Errorf("%s: got %v, want an *Error with help that says %q", what, err, want)
	}
}

// Every opcode that torch does not write ends the program with its name, wherever it stands.
func TestEveryOtherOpcode(t *testing.T) {
	known := []byte{opMark, opStop, opBinFloat, opBinInt, opBinInt1, opBinInt2, opNone, opReduce, opBinUnicode, opShortUnicode, opAppend, opAppends, opBuild,
		opGlobal, opEmptyDict, opEmptyList, opEmptyTuple, opBinGet, opLongBinGet, opBinPut, opLongBinPut, opMemoize, opSetItem, opSetItems, opTuple,
		opTuple1, opTuple2, opTuple3, opProto, opNewTrue, opNewFalse, opLong1, opBinPersID, opStackGlobal, opFrame}
	for op := range 256 {
		if slices.Contains(known, byte(op)) {
			continue
		}
		refuse(t, fmt.Sprintf("opcode %#x", op), zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}"+string([]byte{byte(op)})+"."), fmt.Sprintf("at byte 3: opcode 0x%02x", op))
	}
	if len(known) != 35 {
		t.Errorf("%d opcodes are known", len(known))
	}
}

// Names that would run something, and near misses of those that are allowed, by either way of naming; none of them is called.
func TestOtherGlobals(t *testing.T) {
	for _, g := range [][2]string{
		{"os", "system"}, {"posix", "system"}, {"nt", "system"}, {"builtins", "eval"}, {"builtins", "exec"}, {"builtins", "getattr"}, {"__builtin__", "apply"},
		{"subprocess", "Popen"}, {"operator", "attrgetter"}, {"importlib", "import_module"}, {"torch", "load"}, {"torch.hub", "load"}, {"torch._utils", "_rebuild_tensor"},
		{"torch._utils", "_rebuild_tensor_v3"}, {"torch.serialization", "FloatStorage"}, {"collections", "ordereddict"}, {"collections", "OrderedDict "}, {"", ""},
		{"torch", "UntypedStorage"}, {"collections.OrderedDict", ""}, {"numpy.core.multiarray", "scalar"}, {"torch", "FloatStorage.from_file"},
	} {
		text := func(s string) string { return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s }
		for _, program := range []string{"\x80\x02c" + g[0] + "\n" + g[1] + "\n)R.", "\x80\x04" + text(g[0]) + text(g[1]) + "\x93)R."} {
			refuse(t, g[0]+"."+g[1], zipOf(t, zip.Store, "a/data.pkl", program), "the pickle names "+g[0]+"."+g[1]+", which a weights file has no use for")
		}
	}
}
