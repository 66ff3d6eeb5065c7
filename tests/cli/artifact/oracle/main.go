// Command oracle packs and pushes trees with Flux's own library, and records what came of it.
//
// Recipe: go run . ..
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fluxcd/pkg/oci"
	"github.com/google/go-containerregistry/pkg/registry"
)

type entry struct {
	Path string `json:"path"`
	// Mode of a file or directory; a link has none.
	Mode uint32 `json:"mode,omitempty"`
	Link string `json:"link,omitempty"`
	// Text, this many times; a directory has none.
	Text  *string `json:"text,omitempty"`
	Times int     `json:"times,omitempty"`
}

type tree struct {
	Name    string  `json:"name"`
	Entries []entry `json:"entries"`
	// The path that is packed, below the directory that holds the tree.
	Packed string `json:"packed"`
	Ignore string `json:"ignore,omitempty"`
	// Of the tarball, and of the manifest.
	Artifact string `json:"artifact"`
	Manifest string `json:"manifest"`
}

const standard = ".git/,.gitignore,.gitmodules,.gitattributes,*.jpg,*.jpeg,*.gif,*.png,*.wmv,*.flv,*.tar.gz,*.zip"

func directory(path string, mode uint32) entry { return entry{Path: path, Mode: mode} }

func file(path string, mode uint32, text string, times int) entry {
	return entry{Path: path, Mode: mode, Text: &text, Times: times}
}

func link(path, target string) entry { return entry{Path: path, Link: target} }

func trees() []tree {
	app := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n"
	return []tree{
		{Name: "manifests", Packed: "in", Entries: []entry{
			directory("in", 0o755), file("in/kustomization.yaml", 0o644, "resources: [app]\n", 1),
			directory("in/app", 0o750), file("in/app/app.yaml", 0o600, app, 40), file("in/app/run.sh", 0o755, "#!/bin/sh\n", 1),
			directory("in/empty", 0o700), directory("in/.git", 0o755), file("in/.git/config", 0o644, "x", 1),
			file("in/logo.png", 0o644, "png", 1), file("in/app.a", 0o640, "", 0), link("in/linked.yaml", "kustomization.yaml"),
			file("in/setuid", 0o4755, "x", 1), directory("in/sticky", 0o1777),
		}},
		{Name: "ignored", Packed: "in", Ignore: "/dev/,*.md,!/docs/kept.md,secret", Entries: []entry{
			directory("in", 0o755), directory("in/dev", 0o755), file("in/dev/a.yaml", 0o644, "a", 1),
			directory("in/docs", 0o755), file("in/docs/kept.md", 0o644, "k", 1), file("in/docs/dropped.md", 0o644, "d", 1),
			directory("in/prod", 0o755), directory("in/prod/dev", 0o755), file("in/prod/dev/b.yaml", 0o644, "b", 1),
			directory("in/prod/secret", 0o755), file("in/prod/secret/c.yaml", 0o644, "c", 1), file("in/logo.png", 0o644, "png", 1),
		}},
		{Name: "file", Packed: "app.yaml", Entries: []entry{file("app.yaml", 0o644, app, 1)}},
		{Name: "large", Packed: "in", Entries: []entry{
			directory("in", 0o755), file("in/all.yaml", 0o644, app+"data: {a: b, c: d, e: f}\n", 4000),
			file("in/short.yaml", 0o644, "abc\n", 70000),
		}},
		{Name: "names", Packed: "in", Entries: []entry{
			directory("in", 0o755), directory("in/ü", 0o755), file("in/ü/日本.yaml", 0o644, "x", 1),
			file("in/"+strings.Repeat("long-", 30)+"name.yaml", 0o644, "x", 1),
			directory("in/a", 0o755), file("in/a/z", 0o644, "x", 1), file("in/a.b", 0o644, "x", 1), file("in/a-b", 0o644, "x", 1),
		}},
	}
}

func main() {
	// What is copied on the way is copied under the umask that nearly everybody has.
	syscall.Umask(0o022)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	out, err := os.Create(filepath.Join(os.Args[1], "packed.jsonl"))
	check(err)
	for _, t := range trees() {
		root, err := os.MkdirTemp("", "oracle")
		check(err)
		for _, e := range t.Entries {
			path := filepath.Join(root, e.Path)
			switch {
			case e.Link != "":
				check(os.Symlink(e.Link, path))
				continue
			case e.Text == nil:
				check(os.Mkdir(path, 0o755))
			default:
				check(os.WriteFile(path, []byte(strings.Repeat(*e.Text, e.Times)), 0o644))
			}
			check(syscall.Chmod(path, e.Mode))
		}
		ignore := t.Ignore
		if ignore == "" {
			ignore = standard
		}
		client := oci.NewClient(oci.DefaultOptions())
		packed, made := filepath.Join(root, t.Packed), filepath.Join(root, "artifact.tgz")
		check(client.Build(made, packed, strings.Split(ignore, ",")))
		bytes, err := os.ReadFile(made)
		check(err)
		sum := sha256.Sum256(bytes)
		t.Artifact = "sha256:" + hex.EncodeToString(sum[:])
		url := strings.TrimPrefix(server.URL, "http://") + "/" + t.Name + ":v1"
		pushed, err := client.Push(context.Background(), url, packed,
			oci.WithPushIgnorePaths(strings.Split(ignore, ",")...),
			oci.WithPushMetadata(oci.Metadata{
				Created: "1970-01-01T00:00:00Z", Source: "https://example.com/app.git", Revision: "main@sha1:abc",
				Annotations: map[string]string{"org.opencontainers.image.licenses": "Apache-2.0"},
			}))
		check(err)
		t.Manifest = pushed[strings.Index(pushed, "@")+1:]
		line, err := json.Marshal(t)
		check(err)
		fmt.Fprintln(out, string(line))
	}
	check(out.Close())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
