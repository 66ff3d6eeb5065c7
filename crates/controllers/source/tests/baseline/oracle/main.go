// Command oracle checks repositories out with go-git and archives them as Flux's
// source-controller does, and records what came of it.
//
// Recipe: go run . .. (needs git, to make the repositories)
package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	securejoin "github.com/cyphar/filepath-securejoin"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
)

type file struct {
	Path    string `json:"path"`
	Content string `json:"content,omitempty"`
	// Mode is git's: 100644, 100755, 120000.
	Mode string `json:"mode"`
	// Times is how often the content is repeated; once when absent.
	Times int `json:"times,omitempty"`
}

type module struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Files of the module's only commit.
	Files []file `json:"files"`
}

type scenario struct {
	Name    string   `json:"name"`
	Files   []file   `json:"files"`
	Modules []module `json:"modules,omitempty"`
	Recurse bool     `json:"recurse,omitempty"`
	Sparse  []string `json:"sparse,omitempty"`
	Ignore  *string  `json:"ignore,omitempty"`

	// Missing is the sparse directory that was not found.
	Missing *string  `json:"missing,omitempty"`
	Error   string   `json:"error,omitempty"`
	Entries []string `json:"entries,omitempty"`
	SHA256  string   `json:"sha256,omitempty"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func run(dir string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z",
		"GIT_COMMITTER_DATE=2024-01-01T00:00:00Z", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.file.allow",
		"GIT_CONFIG_VALUE_0=always")
	out, err := cmd.CombinedOutput()
	if err != nil {
		panic(fmt.Sprintf("git %v: %v: %s", args, err, out))
	}
	return strings.TrimSpace(string(out))
}

func commit(dir string, files []file) {
	check(os.MkdirAll(dir, 0o755))
	run(dir, "init", "-q", "-b", "main")
	for _, f := range files {
		path := filepath.Join(dir, f.Path)
		if f.Times > 0 {
			f.Content = strings.Repeat(f.Content, f.Times)
		}
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		switch f.Mode {
		case "120000":
			check(os.Symlink(f.Content, path))
		case "100755":
			check(os.WriteFile(path, []byte(f.Content), 0o755))
		default:
			check(os.WriteFile(path, []byte(f.Content), 0o644))
		}
	}
	run(dir, "add", "-A", "-f")
}

func archive(s *scenario, dir string) error {
	domain := strings.Split(dir, string(filepath.Separator))
	ps, err := sourceignore.LoadIgnorePatterns(dir, domain)
	if err != nil {
		return err
	}
	if s.Ignore != nil {
		ps = append(ps, sourceignore.ReadPatterns(strings.NewReader(*s.Ignore), domain)...)
	}
	matcher := sourceignore.NewDefaultMatcher(ps, domain)
	if len(ps) > 0 {
		matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(domain), ps...))
	}
	sum := sha256.New()
	w := tar.NewWriter(sum)
	err = filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if m := fi.Mode(); !(m.IsRegular() || m.IsDir()) {
			return nil
		}
		if matcher.Match(strings.Split(p, string(filepath.Separator)), fi.IsDir()) {
			return nil
		}
		relative, err := filepath.Rel(dir, p)
		check(err)
		h := &tar.Header{Name: relative, Typeflag: tar.TypeReg, Mode: 0o600, Size: fi.Size()}
		if fi.Mode().Perm()&0o111 != 0 {
			h.Mode = 0o700
		}
		if fi.IsDir() {
			h.Typeflag, h.Mode, h.Size = tar.TypeDir, 0o750, 0
		}
		check(w.WriteHeader(h))
		s.Entries = append(s.Entries, relative)
		if fi.IsDir() {
			return nil
		}
		f, err := os.Open(p)
		check(err)
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	check(w.Close())
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return err
}

func (s *scenario) run() {
	root, err := os.MkdirTemp("", "oracle")
	check(err)
	defer os.RemoveAll(root)
	origin := filepath.Join(root, "origin")
	sort.Slice(s.Files, func(i, j int) bool { return s.Files[i].Path < s.Files[j].Path })
	commit(origin, s.Files)
	for i, m := range s.Modules {
		dir := filepath.Join(root, fmt.Sprintf("module-%d", i))
		commit(dir, m.Files)
		run(dir, "commit", "-qm", "module")
		run(origin, "submodule", "--quiet", "add", "--name", m.Name, dir, m.Path)
	}
	run(origin, "commit", "-qm", "first", "--allow-empty")

	dir := filepath.Join(root, "checkout")
	recurse := git.NoRecurseSubmodules
	if s.Recurse {
		recurse = git.DefaultSubmoduleRecursionDepth
	}
	branch := plumbing.NewBranchReferenceName("main")
	repo, err := git.PlainClone(dir, false, &git.CloneOptions{
		URL: origin, ReferenceName: branch, SingleBranch: true, Depth: 1, Tags: git.NoTags,
		RecurseSubmodules: recurse, NoCheckout: len(s.Sparse) != 0,
	})
	if err == nil && len(s.Sparse) != 0 {
		var trimmed []string
		for _, d := range s.Sparse {
			trimmed = append(trimmed, strings.TrimPrefix(d, "./"))
		}
		w, werr := repo.Worktree()
		check(werr)
		err = w.Checkout(&git.CheckoutOptions{Branch: branch, SparseCheckoutDirectories: trimmed})
	}
	if err != nil {
		s.Error = strings.ReplaceAll(err.Error(), root, "")
		return
	}
	for _, d := range s.Sparse {
		full, err := securejoin.SecureJoin(dir, d)
		check(err)
		if _, err := os.Lstat(full); err != nil {
			s.Missing = &d
			return
		}
	}
	if err := archive(s, dir); err != nil {
		s.Error = strings.ReplaceAll(err.Error(), root, "")
	}
}

func plain(paths ...string) (files []file) {
	for _, p := range paths {
		files = append(files, file{Path: p, Content: "content of " + p + "\n", Mode: "100644"})
	}
	return files
}

func main() {
	text := func(s string) *string { return &s }
	tree := append(plain("README.md", "dir/a.yaml", "dir/sub/b.yaml", "dir2/c.yaml", "dir-file", "other/d.yaml", "deep/one/two/e.yaml",
		".hidden", ".config/f.yaml", "logo.png", "dir/logo.png"),
		file{"dir/run.sh", "#!/bin/sh\n", "100755", 0}, file{"dir/link", "a.yaml", "120000", 0}, file{"links/only", "../dir", "120000", 0})
	scenarios := []*scenario{
		{Name: "everything", Files: tree},
		{Name: "ignored by the object", Files: tree, Ignore: text("/dir\n!/dir/sub\n")},
		{Name: "ignored by nobody", Files: tree, Ignore: text("")},
		{Name: "a comment is no rule", Files: tree, Ignore: text("# nothing\n")},
		{Name: "rules in the tree", Files: append([]file{{".sourceignore", "*.md\n", "100644", 0}, {"dir/.sourceignore", "/sub\n", "100644", 0}}, tree...)},
	}
	for _, sparse := range [][]string{
		{"dir"}, {"dir/"}, {"./dir"}, {"./dir/sub"}, {"dir/sub"}, {"dir", "other"}, {"other", "dir"}, {"di"}, {"dir/a"}, {"dir/a.yaml"},
		{"README.md"}, {"."}, {"./"}, {""}, {"", "dir"}, {".", "dir"}, {".config"}, {"missing"}, {"dir", "missing"}, {"deep"}, {"deep/one/two"}, {"deep/one/two/"},
		{"../dir"}, {"/dir"}, {"dir/../other"}, {"links"}, {"dir/link"}, {"dir//sub"}, {"././dir"}, {"dir "}, {"*"}, {"dir2", "dir"}, {".hidden"}, {"DIR"},
	} {
		scenarios = append(scenarios, &scenario{Name: fmt.Sprintf("sparse %q", sparse), Files: tree, Sparse: sparse})
		scenarios = append(scenarios, &scenario{Name: fmt.Sprintf("sparse %q with rules", sparse), Files: tree, Sparse: sparse, Ignore: text("*.yaml\n!b.yaml\n")})
	}
	lib := module{Name: "lib", Path: "vendor/lib", Files: append(plain("m.yaml", "x/n.yaml", "z.png"), file{".sourceignore", "n.yaml\n", "100644", 0})}
	odd := module{Name: "odd/name", Path: "odd", Files: plain("o.yaml")}
	for _, recurse := range []bool{false, true} {
		scenarios = append(scenarios,
			&scenario{Name: fmt.Sprintf("a module, recurse %v", recurse), Files: tree, Modules: []module{lib}, Recurse: recurse},
			&scenario{Name: fmt.Sprintf("two modules, recurse %v", recurse), Files: tree, Modules: []module{lib, odd}, Recurse: recurse},
			&scenario{Name: fmt.Sprintf("modules and rules, recurse %v", recurse), Files: tree, Modules: []module{lib, odd}, Recurse: recurse, Ignore: text("/dir\n")},
			&scenario{Name: fmt.Sprintf("sparse beside modules, recurse %v", recurse), Files: tree, Modules: []module{lib, odd}, Recurse: recurse, Sparse: []string{"dir"}},
			&scenario{Name: fmt.Sprintf("sparse with a module, recurse %v", recurse), Files: tree, Modules: []module{lib, odd}, Recurse: recurse, Sparse: []string{"vendor"}},
		)
	}
	random := rand.New(rand.NewSource(7))
	words := []string{"a", "b", "app", "app.yaml", "app-x", "base", "base2", "env", ".k", "k.png", "z.md", "UP", "up", "a b", "é"}
	for i := range 160 {
		s := &scenario{Name: fmt.Sprintf("random %d", i)}
		taken := map[string]bool{}
		for range 1 + random.Intn(14) {
			var parts []string
			for range 1 + random.Intn(4) {
				parts = append(parts, words[random.Intn(len(words))])
			}
			path := strings.Join(parts, "/")
			clash := false
			for other := range taken {
				clash = clash || strings.HasPrefix(other+"/", path+"/") || strings.HasPrefix(path+"/", other+"/")
			}
			if clash {
				continue
			}
			taken[path] = true
			f := file{Path: path, Content: path, Mode: "100644", Times: random.Intn(300)}
			switch random.Intn(8) {
			case 0:
				f.Mode = "100755"
			case 1:
				f.Mode, f.Content, f.Times = "120000", "a", 0
			}
			s.Files = append(s.Files, f)
		}
		if random.Intn(2) == 0 {
			pick := s.Files[random.Intn(len(s.Files))].Path
			parts := strings.Split(pick, "/")
			s.Sparse = []string{strings.Join(parts[:1+random.Intn(len(parts))], "/")}
		}
		if random.Intn(3) == 0 {
			rules := ""
			for range 1 + random.Intn(3) {
				if random.Intn(3) == 0 {
					rules += "!"
				}
				if random.Intn(3) == 0 {
					rules += "/"
				}
				rules += words[random.Intn(len(words))]
				if random.Intn(4) == 0 {
					rules += "/"
				}
				rules += "\n"
			}
			s.Ignore = &rules
		}
		scenarios = append(scenarios, s)
	}
	var out strings.Builder
	for _, s := range scenarios {
		s.run()
		line, err := json.Marshal(s)
		check(err)
		out.Write(line)
		out.WriteByte('\n')
	}
	check(os.WriteFile(filepath.Join(os.Args[1], "checkouts.jsonl"), []byte(out.String()), 0o644))
	fmt.Println(len(scenarios), "checkouts")
}
