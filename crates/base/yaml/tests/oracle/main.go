// Answers what Go's YAML libraries make of a text, one JSON request a line.
//
// The versions in go.mod are those that kustomize v5.8.1 is built with.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"

	v3 "go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	v2 "sigs.k8s.io/yaml"
)

type request struct {
	Do   string `json:"do"`
	Text string `json:"text"`
	// Tell how long it takes instead of what comes of it.
	Time bool `json:"time"`
}

type answer struct {
	Text        string `json:"text"`
	Error       string `json:"error,omitempty"`
	Nanoseconds int64  `json:"nanoseconds,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for decoder.More() {
		var r request
		if err := decoder.Decode(&r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if r.Time {
			began := time.Now()
			err := work(r)
			a := answer{Nanoseconds: time.Since(began).Nanoseconds()}
			if err != nil {
				a.Error = err.Error()
			}
			if err := encoder.Encode(a); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			// The next one starts with nothing to clean up.
			out.Flush()
			runtime.GC()
			continue
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

// What is timed: the library alone.
func work(r request) error {
	switch r.Do {
	case "read":
		_, err := v2.YAMLToJSON([]byte(r.Text))
		return err
	case "write":
		_, err := v2.JSONToYAML([]byte(r.Text))
		return err
	case "v3":
		var value any
		return v3.Unmarshal([]byte(r.Text), &value)
	case "compact":
		node, err := parse(r.Text)
		if err != nil {
			return err
		}
		_, err = kyaml.MarshalWithOptions(node, &kyaml.EncoderOptions{SeqIndent: kyaml.CompactSequenceStyle})
		return err
	case "value":
		node, err := parse(r.Text)
		if err != nil {
			return err
		}
		resource := kyaml.NewRNode(node)
		if err := resource.DeAnchor(); err != nil {
			return err
		}
		text, err := resource.MarshalJSON()
		if err != nil {
			return err
		}
		_, err = v2.JSONToYAML(text)
		return err
	}
	return fmt.Errorf("nobody times %q", r.Do)
}

func ask(r request) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	switch r.Do {
	case "read":
		return asValue(v2.YAMLToJSON([]byte(r.Text)))
	case "strict":
		return asValue(v2.YAMLToJSONStrict([]byte(r.Text)))
	case "write":
		return v2.JSONToYAML([]byte(r.Text))
	case "json":
		var value any
		if err := json.Unmarshal([]byte(r.Text), &value); err != nil {
			return nil, err
		}
		return asValue([]byte(r.Text), nil)
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
			return asValue(json.Marshal(object))
		}
		var value any
		if err := v3.Unmarshal([]byte(r.Text), &value); err != nil {
			return nil, err
		}
		return asValue(json.Marshal(value))
	case "compact", "wide":
		// Read and written again, comments and styles included.
		node, err := parse(r.Text)
		if err != nil || node == nil {
			return nil, err
		}
		style := kyaml.SequenceIndentStyle(r.Do)
		return kyaml.MarshalWithOptions(node, &kyaml.EncoderOptions{SeqIndent: style})
	case "inflate", "value":
		node, err := parse(r.Text)
		if err != nil || node == nil {
			return nil, err
		}
		if containsItself(node, map[*kyaml.Node]bool{}) {
			// kyaml does not return from this.
			panic("anchor value contains itself")
		}
		resource := kyaml.NewRNode(node)
		if err := resource.DeAnchor(); err != nil {
			return nil, err
		}
		if r.Do == "inflate" {
			text, err := resource.String()
			return []byte(text), err
		}
		// As a resource leaves kustomize.
		if resource.YNode().Kind == kyaml.ScalarNode {
			panic("no object")
		}
		text, err := resource.MarshalJSON()
		if err != nil {
			return nil, err
		}
		return v2.JSONToYAML(text)
	case "indent":
		return []byte(kyaml.DeriveSeqIndentStyle(r.Text)), nil
	}
	return nil, fmt.Errorf("unknown request %q", r.Do)
}

// The first document; none if there is no content at all.
func parse(text string) (*kyaml.Node, error) {
	var node kyaml.Node
	err := kyaml.NewDecoder(bytes.NewBufferString(text)).Decode(&node)
	if err == io.EOF {
		return nil, nil
	}
	return &node, err
}

func containsItself(node *kyaml.Node, above map[*kyaml.Node]bool) bool {
	if above[node] {
		return true
	}
	above[node] = true
	defer delete(above, node)
	if node.Alias != nil && containsItself(node.Alias, above) {
		return true
	}
	for _, child := range node.Content {
		if containsItself(child, above) {
			return true
		}
	}
	return false
}

// The JSON of what Kubernetes keeps of a JSON text.
func asValue(text []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(withIntegers(value))
}

// Numbers as Kubernetes keeps them: integers apart from floats.
func withIntegers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if i, err := strconv.ParseInt(string(value), 10, 64); err == nil {
			return i
		}
		if i, err := strconv.ParseUint(string(value), 10, 64); err == nil {
			return i
		}
		f, _ := value.Float64()
		return f
	case []any:
		for i := range value {
			value[i] = withIntegers(value[i])
		}
	case map[string]any:
		for k := range value {
			value[k] = withIntegers(value[k])
		}
	}
	return value
}
