// Command oracle asks Go what a tar stream, its compressed form and an ignore verdict are, and records the answers.
//
// Recipe: go run . ..
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
)

type entry struct {
	Path       string `json:"path"` // hexadecimal: a name need not be UTF-8
	Directory  bool   `json:"directory,omitempty"`
	Executable bool   `json:"executable,omitempty"`
	Size       int64  `json:"size,omitempty"`
}

type tree struct {
	Entries []entry `json:"entries"`
	// HeaderOnly: nothing but the headers was written, so that sizes may be huge.
	HeaderOnly bool   `json:"headerOnly,omitempty"`
	SHA256     string `json:"sha256"`
}

func header(path string, e entry) *tar.Header {
	h := &tar.Header{Name: path, Typeflag: tar.TypeReg, Mode: 0o600, Size: e.Size}
	if e.Executable {
		h.Mode = 0o700
	}
	if e.Directory {
		h.Typeflag, h.Mode, h.Size = tar.TypeDir, 0o750, 0
	}
	return h
}

func content(size int64) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i*31 + 7)
	}
	return b
}

func digest(t tree) string {
	sum := sha256.New()
	w := tar.NewWriter(sum)
	for _, e := range t.Entries {
		path, err := hex.DecodeString(e.Path)
		check(err)
		if t.HeaderOnly {
			w = tar.NewWriter(sum)
		}
		check(w.WriteHeader(header(string(path), e)))
		if !t.HeaderOnly && !e.Directory {
			_, err := w.Write(content(e.Size))
			check(err)
		}
	}
	if !t.HeaderOnly {
		check(w.Close())
	}
	return hex.EncodeToString(sum.Sum(nil))
}

var alphabet = []string{"a", "B", "-", "_", ".x", "0", "long-name", "ü", "日本", "\xff", " ", "%", "+", "~", "\\"}

func name(r *rand.Rand, limit int) string {
	var s string
	for n := 1 + r.Intn(limit); len(s) < n; {
		s += alphabet[r.Intn(len(alphabet))]
	}
	if s == "." || s == ".." {
		return "dot"
	}
	return s
}

func trees() (all []tree) {
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 240; i++ {
		files := map[string]entry{".": {Directory: true}}
		limit := 1 + r.Intn(60)
		for n := r.Intn(12); n > 0; n-- {
			path := name(r, limit)
			for depth := r.Intn(6); depth > 0; depth-- {
				path += "/" + name(r, limit)
			}
			for d := filepath.Dir(path); d != "."; d = filepath.Dir(d) {
				files[d] = entry{Directory: true}
			}
			if _, taken := files[path]; !taken {
				files[path] = entry{Executable: r.Intn(3) == 0, Size: []int64{0, 1, 511, 512, 513, 3000, 70000}[r.Intn(7)]}
			}
		}
		all = append(all, walk(files))
	}
	huge := []int64{1<<33 - 1, 1 << 33, 1<<33 + 1, 1 << 40}
	for _, size := range huge {
		for _, path := range []string{"f", strings.Repeat("d/", 60) + "f", strings.Repeat("x", 101), strings.Repeat("d", 155) + "/" + strings.Repeat("f", 100), "ü"} {
			t := tree{HeaderOnly: true, Entries: []entry{{Path: hex.EncodeToString([]byte(path)), Size: size}}}
			t.SHA256 = digest(t)
			all = append(all, t)
		}
	}
	for _, prefix := range []int{1, 99, 100, 153, 154, 155, 156} {
		for _, last := range []int{1, 99, 100, 101} {
			path := strings.Repeat("p", prefix) + "/" + strings.Repeat("n", last)
			t := tree{HeaderOnly: true, Entries: []entry{{Path: hex.EncodeToString([]byte(path)), Directory: last == 99, Size: 5}}}
			if last == 99 {
				t.Entries[0].Size = 0
			}
			t.SHA256 = digest(t)
			all = append(all, t)
		}
	}
	return all
}

// walk orders as filepath.Walk does: a directory's names sorted, each followed by its content.
func walk(files map[string]entry) (t tree) {
	children := map[string][]string{}
	for path := range files {
		if path != "." {
			children[filepath.Dir(path)] = append(children[filepath.Dir(path)], path)
		}
	}
	var visit func(string)
	visit = func(path string) {
		e := files[path]
		e.Path = hex.EncodeToString([]byte(path))
		t.Entries = append(t.Entries, e)
		sort.Slice(children[path], func(i, j int) bool {
			return filepath.Base(children[path][i]) < filepath.Base(children[path][j])
		})
		for _, child := range children[path] {
			visit(child)
		}
	}
	visit(".")
	t.SHA256 = digest(t)
	return t
}

type rules struct {
	Files    []file    `json:"files,omitempty"`
	Spec     *string   `json:"spec,omitempty"`
	Verdicts []verdict `json:"verdicts"`
}

type file struct {
	Domain string `json:"domain"`
	Text   string `json:"text"`
}

type verdict struct {
	Path      string `json:"path"`
	Directory bool   `json:"directory,omitempty"`
	Excluded  bool   `json:"excluded,omitempty"`
}

func split(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

func judge(c rules, paths []string) rules {
	ps := sourceignore.ReadPatterns(strings.NewReader(""), nil)
	for _, f := range c.Files {
		ps = append(ps, sourceignore.ReadPatterns(strings.NewReader(f.Text), split(f.Domain))...)
	}
	if c.Spec != nil {
		ps = append(ps, sourceignore.ReadPatterns(strings.NewReader(*c.Spec), nil)...)
	}
	m := sourceignore.NewDefaultMatcher(ps, nil)
	if len(ps) > 0 {
		m = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(nil), ps...))
	}
	for _, path := range paths {
		for _, directory := range []bool{false, true} {
			c.Verdicts = append(c.Verdicts, verdict{path, directory, m.Match(split(path), directory)})
		}
	}
	return c
}

func ignores() (all []rules) {
	paths := []string{
		"a", "b", "a/b", "a/b/c", "b/a", "a/b/c/d.txt", "x/a/b", "x/y/a", "a.txt", "dir/a.txt", "dir/sub/a.txt",
		".git", ".git/config", ".gitignore", "sub/.gitmodules", ".github/workflows/ci.yml", "logo.png", "deep/logo.png",
		"app.tar.gz", ".sops.yaml", "deep/.sops.yaml", ".flux.yaml", "x/.goreleaser.yml", ".sourceignore", "a b", "a ", "#x", "!x",
		"[a]", "a*b", "ü", "日本/ü", "foo", "foo/bar", "foo/bar/baz", "deploy/prod/app.yaml", "deploy/dev/app.yaml", "**",
	}
	lines := []string{
		"a", "a/", "/a", "/a/", "!a", "a/b", "a/b/", "/a/b", "!a/b", "**/a", "**/b/", "a/**", "a/**/", "a/**/c", "a/**/d.txt", "**/a/**", "**/",
		"/**", "**", "a**", "**a", "x/**b/c", "*", "*/", "/*", "/*/", "!*/", "!/a", "*.txt", "/*.txt", "dir/*.txt", "dir/**/*.txt", "**/*.txt", "d?r", "[ab]", "[^a]",
		"[a-b]/b", "[!a]", "[", "[]", "[a", "[a-]", "[-a]", "\\", "\\a", "\\*", "a\\*b", "\\#x", "#x", "\\!x", "!!x", "a\\ ", "a ", "a  ", " a", " ", "", "\t", "a\t",
		"!", "/", "//", "a//b", "//a", "?", "??", "ü", "[ü]", "?/ü", "日*", "foo/", "foo/*", "!foo/bar", "foo/*/baz", "!foo/bar/baz", ".git/", "!.git/", "!.gitignore",
		"/deploy/*", "!/deploy/prod", "!/deploy/prod/*", "*.png", "!*.png", "a\r", "[a]", "\\[a\\]", "a\\", "a[", "*[", "*[a", "*a*", "*a*t", "**/**/a", "a/../b", "./a", "a/.", "***",
	}
	for _, line := range lines {
		text := line
		all = append(all, judge(rules{Spec: &text}, paths))
		all = append(all, judge(rules{Files: []file{{"", line + "\n"}}}, paths))
		all = append(all, judge(rules{Files: []file{{"a", line}}}, paths))
	}
	all = append(all, judge(rules{}, paths))
	empty, comments := "", "# nothing\n\n   \n"
	all = append(all, judge(rules{Spec: &empty}, paths), judge(rules{Spec: &comments}, paths))
	r := rand.New(rand.NewSource(2))
	for i := 0; i < 400; i++ {
		var c rules
		for n := r.Intn(3); n >= 0; n-- {
			var text strings.Builder
			for m := 1 + r.Intn(5); m > 0; m-- {
				fmt.Fprintf(&text, "%s\n", lines[r.Intn(len(lines))])
			}
			c.Files = append(c.Files, file{[]string{"", "a", "a/b", "dir", "foo"}[r.Intn(5)], text.String()})
		}
		if r.Intn(2) == 0 {
			text := lines[r.Intn(len(lines))] + "\n" + lines[r.Intn(len(lines))]
			c.Spec = &text
		}
		all = append(all, judge(c, paths))
	}
	long := "a\n" + strings.Repeat("x", 65535) + "\nb\n"
	longer := "a\n" + strings.Repeat("x", 65536) + "\nb\n"
	all = append(all, judge(rules{Spec: &long}, []string{"a", "b"}), judge(rules{Spec: &longer}, []string{"a", "b"}))
	return all
}

func write[T any](path string, items []T) {
	var out bytes.Buffer
	for _, item := range items {
		line, err := json.Marshal(item)
		check(err)
		out.Write(line)
		out.WriteByte('\n')
	}
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

// compact keeps the fixture reviewable: paths only when they change, verdicts as marks.
type compact struct {
	Files []file   `json:"files,omitempty"`
	Spec  *string  `json:"spec,omitempty"`
	Paths []string `json:"paths,omitempty"`
	// As files, then as directories, one character per path: x excluded, - kept.
	AsFile      string `json:"file"`
	AsDirectory string `json:"directory"`
}

func compacted(all []rules) (out []compact) {
	var last []string
	for _, c := range all {
		var paths []string
		k := compact{Files: c.Files, Spec: c.Spec}
		for _, v := range c.Verdicts {
			mark := "-"
			if v.Excluded {
				mark = "x"
			}
			if v.Directory {
				k.AsDirectory += mark
			} else {
				paths = append(paths, v.Path)
				k.AsFile += mark
			}
		}
		if strings.Join(paths, "\n") != strings.Join(last, "\n") {
			k.Paths, last = paths, paths
		}
		out = append(out, k)
	}
	return out
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	write(filepath.Join(os.Args[1], "tar.jsonl"), trees())
	write(filepath.Join(os.Args[1], "gzip.jsonl"), gzips())
	write(filepath.Join(os.Args[1], "ignore.jsonl"), compacted(ignores()))
}
