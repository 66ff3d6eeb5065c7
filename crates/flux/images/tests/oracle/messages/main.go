// Answers questions about commit messages with the reference's own types. Recipe: check out
// fluxcd/image-automation-controller, version 1.2.4, copy this file to internal/oracle/main.go,
// and run `go run ./internal/oracle < questions > answers`. A question is a line of JSON:
// {"template": …, "changes": […], "values": {…}}.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/fluxcd/image-automation-controller/internal/source"
	"github.com/fluxcd/image-automation-controller/internal/update"
)

type change struct{ File, APIVersion, Kind, Name, Namespace, Old, New, Setter string }
type question struct {
	Template string            `json:"template"`
	Changes  []change          `json:"changes"`
	Values   map[string]string `json:"values"`
}
type answer struct {
	question
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(nil, 1<<24)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var q question
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			panic(err)
		}
		data := source.TemplateData{AutomationObject: types.NamespacedName{Namespace: "ns", Name: "auto"}, Values: q.Values}
		for _, c := range q.Changes {
			id := update.ObjectIdentifier{ResourceIdentifier: yaml.ResourceIdentifier{TypeMeta: yaml.TypeMeta{APIVersion: c.APIVersion, Kind: c.Kind}, NameMeta: yaml.NameMeta{Name: c.Name, Namespace: c.Namespace}}}
			data.Changed.AddChange(c.File, id, update.Change{OldValue: c.Old, NewValue: c.New, Setter: c.Setter})
		}
		a := answer{question: q}
		// The steps of the unexported templateMsg.
		t, err := template.New("commit message").Funcs(sprig.HermeticTxtFuncMap()).Parse(q.Template)
		if err != nil {
			a.Error = "unable to create commit message template from spec: " + err.Error()
		} else {
			b := &strings.Builder{}
			if err := t.Execute(b, data); err != nil {
				a.Error = "failed to run template from spec: " + err.Error()
			} else {
				a.Message = b.String()
			}
		}
		enc.Encode(a)
	}
}
