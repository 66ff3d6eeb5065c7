// Answers questions about copies and globs with the reference's own builder. Recipe: take
// fluxcd/source-watcher, version 2.2.3, copy this file to internal/oracle/main.go, and run
// `go run ./internal/oracle < questions > answers`.
//
// A question is a line of JSON. {"pattern": …, "name": …} asks doublestar.Match. {"sources":
// {alias: [path, …]}, "copy": […]} asks the builder for the files of the artifact. The contents of
// the paths are in an earlier line: {"pool": {path: content}}, and the path "*" is all of them. A path that ends with a slash is a
// directory, and a content that begins with "archive:" is a JSON object of the files of a tarball.
// A leading "x:" makes a file executable. Archives are "(gzip)" in the answer. The directory that a
// build works in is "DIR" in its error.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	gotkconfig "github.com/fluxcd/pkg/artifact/config"
	gotkstorage "github.com/fluxcd/pkg/artifact/storage"

	swapi "github.com/fluxcd/source-watcher/api/v2/v1beta1"
	"github.com/fluxcd/source-watcher/v2/internal/builder"
)

type question struct {
	Pattern *string               `json:"pattern,omitempty"`
	Name    string                `json:"name,omitempty"`
	Pool    map[string]string     `json:"pool,omitempty"`
	Sources map[string][]string   `json:"sources,omitempty"`
	Copy    []swapi.CopyOperation `json:"copy,omitempty"`
}

type answer struct {
	question
	Matched *bool             `json:"matched,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
	Error   string            `json:"error,omitempty"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func archive(text string) []byte {
	files := map[string]string{}
	must(json.Unmarshal([]byte(text), &files))
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	tarball := tar.NewWriter(zip)
	for _, name := range names {
		content := files[name]
		must(tarball.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content)), Typeflag: tar.TypeReg}))
		_, err := tarball.Write([]byte(content))
		must(err)
	}
	must(tarball.Close())
	must(zip.Close())
	return out.Bytes()
}

var pool map[string]string

func write(root string, files []string) {
	must(os.MkdirAll(root, 0o755))
	if len(files) == 1 && files[0] == "*" {
		files = nil
		for path := range pool {
			files = append(files, path)
		}
	}
	for _, path := range files {
		content := pool[path]
		full := filepath.Join(root, path)
		if strings.HasSuffix(path, "/") {
			must(os.MkdirAll(full, 0o755))
			continue
		}
		must(os.MkdirAll(filepath.Dir(full), 0o755))
		mode := fs.FileMode(0o644)
		bytes := []byte(content)
		if rest, ok := strings.CutPrefix(content, "archive:"); ok {
			bytes = archive(rest)
		} else if rest, ok := strings.CutPrefix(content, "x:"); ok {
			bytes, mode = []byte(rest), 0o755
		}
		must(os.WriteFile(full, bytes, mode))
		must(os.Chmod(full, mode))
	}
}

func build(q question) (map[string]string, error) {
	dir, err := os.MkdirTemp("", "oracle-")
	must(err)
	defer os.RemoveAll(dir)
	sources := map[string]string{}
	for alias, files := range q.Sources {
		root := filepath.Join(dir, "sources", alias)
		write(root, files)
		sources[alias] = root
	}
	data := filepath.Join(dir, "data")
	must(os.MkdirAll(data, 0o755))
	storage, err := gotkstorage.New(&gotkconfig.Options{StoragePath: data, StorageAddress: "here", StorageAdvAddress: "here", ArtifactDigestAlgo: "sha256"})
	must(err)
	spec := &swapi.OutputArtifact{Name: "out", Copy: q.Copy}
	work := filepath.Join(dir, "work")
	artifact, err := builder.New(storage).Build(context.Background(), spec, sources, "default", work)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), work, "DIR"))
	}
	file, err := os.Open(filepath.Join(data, artifact.Path))
	must(err)
	defer file.Close()
	zip, err := gzip.NewReader(file)
	must(err)
	entries := tar.NewReader(zip)
	files := map[string]string{}
	for {
		header, err := entries.Next()
		if err != nil {
			break
		}
		if header.Typeflag == tar.TypeDir {
			files[header.Name+"/"] = ""
			continue
		}
		var content bytes.Buffer
		_, err = content.ReadFrom(entries)
		must(err)
		text := content.String()
		if strings.HasPrefix(text, "\x1f\x8b") {
			text = "(gzip)"
		}
		if header.Mode&0o111 != 0 {
			text = "x:" + text
		}
		files[header.Name] = text
	}
	return files, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var a answer
		must(json.Unmarshal(lines.Bytes(), &a.question))
		if a.Pool != nil {
			pool = a.Pool
		} else if a.Pattern != nil {
			matched, err := doublestar.Match(*a.Pattern, a.Name)
			if err != nil {
				a.Error = err.Error()
			} else {
				a.Matched = &matched
			}
		} else if files, err := build(a.question); err != nil {
			a.Error = err.Error()
		} else {
			a.Files = files
		}
		must(out.Encode(a))
	}
}
