// Answers what Go's YAML libraries make of a text, one JSON request a line.
//
// The versions in go.mod are those that kustomize v5.8.1 is built with.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	v3 "go.yaml.in/yaml/v3"
	v2 "sigs.k8s.io/yaml"
)

type request struct {
	Do   string `json:"do"`
	Text string `json:"text"`
}

type answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for decoder.More() {
		var r request
		if err := decoder.Decode(&r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		text, err := ask(r)
		a := answer{Text: string(text)}
		if err != nil {
			a.Error = err.Error()
		}
		if err := encoder.Encode(a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func ask(r request) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	switch r.Do {
	case "read":
		return v2.YAMLToJSON([]byte(r.Text))
	case "strict":
		return v2.YAMLToJSONStrict([]byte(r.Text))
	case "write":
		return v2.JSONToYAML([]byte(r.Text))
	case "v3":
		// As kyaml does: an object into a map of strings.
		var node v3.Node
		if err := v3.Unmarshal([]byte(r.Text), &node); err != nil {
			return nil, err
		}
		if len(node.Content) == 1 && node.Content[0].Kind == v3.MappingNode {
			object := map[string]any{}
			if err := v3.Unmarshal([]byte(r.Text), &object); err != nil {
				return nil, err
			}
			return json.Marshal(object)
		}
		var value any
		if err := v3.Unmarshal([]byte(r.Text), &value); err != nil {
			return nil, err
		}
		return json.Marshal(value)
	}
	return nil, fmt.Errorf("unknown request %q", r.Do)
}
