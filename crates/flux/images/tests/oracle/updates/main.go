// Answers questions about updates with the reference's own package. Recipe: check out
// fluxcd/image-automation-controller, version 1.2.4, copy this file to internal/oracle/main.go,
// and run `go run ./internal/oracle < questions > answers`. A question is a line of JSON:
// {"Name": …, "Files": {path: text}, "Policies": [{"Namespace", "Name", "Ref": {name, tag, digest}}]}.
// An answer has the files that changed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	imagev1 "github.com/fluxcd/image-reflector-controller/api/v1"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/fluxcd/image-automation-controller/internal/update"
)

type policy struct{ Namespace, Name string; Ref *imagev1.ImageRef }
type caseIn struct {
	Name     string
	Files    map[string]string
	Policies []policy
}
type change struct{ File, APIVersion, Kind, Name, Namespace, Old, New, Setter string }
type caseOut struct {
	Name     string            `json:"name"`
	Files    map[string]string `json:"files"`
	Policies []policy          `json:"policies"`
	After    map[string]string `json:"after"`
	Changes  []change          `json:"changes"`
	Error    string            `json:"error,omitempty"`
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(nil, 1<<24)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var in caseIn
		if err := json.Unmarshal(sc.Bytes(), &in); err != nil {
			panic(err)
		}
		dir, _ := os.MkdirTemp("", "o")
		for f, c := range in.Files {
			p := filepath.Join(dir, f)
			os.MkdirAll(filepath.Dir(p), 0o755)
			os.WriteFile(p, []byte(c), 0o644)
		}
		var pols []imagev1.ImagePolicy
		for _, p := range in.Policies {
			pols = append(pols, imagev1.ImagePolicy{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: p.Namespace}, Status: imagev1.ImagePolicyStatus{LatestRef: p.Ref}})
		}
		out := caseOut{Name: in.Name, Files: in.Files, Policies: in.Policies, After: map[string]string{}, Changes: []change{}}
		func() {
			defer func() {
				if r := recover(); r != nil {
					out.Error = fmt.Sprint("panic: ", r)
				}
			}()
			res, err := update.UpdateWithSetters(logr.Discard(), dir, dir, pols)
			if err != nil {
				out.Error = err.Error()
			}
			for f, oc := range res.FileChanges {
				for id, cs := range oc {
					for _, c := range cs {
						out.Changes = append(out.Changes, change{f, id.APIVersion, id.Kind, id.Name, id.Namespace, c.OldValue, c.NewValue, c.Setter})
					}
				}
			}
			sort.SliceStable(out.Changes, func(i, j int) bool {
				a, b := out.Changes[i], out.Changes[j]
				return fmt.Sprint(a.File, "\x00", a.APIVersion, "\x00", a.Kind, "\x00", a.Name, "\x00", a.Namespace) < fmt.Sprint(b.File, "\x00", b.APIVersion, "\x00", b.Kind, "\x00", b.Name, "\x00", b.Namespace)
			})
		}()
		for f, c := range in.Files {
			b, _ := os.ReadFile(filepath.Join(dir, f))
			if string(b) != c {
				out.After[f] = string(b)
			}
		}
		os.RemoveAll(dir)
		enc.Encode(out)
	}
}
