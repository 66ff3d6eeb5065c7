// Fills in what the reference makes of each vector. A vector is one line of JSON; what stands
// in it as `result` or `error` is replaced. `cargo xtask vectors` does so for all that are
// recorded in `../vectors`, and `cargo xtask differential patches` asks about generated ones.
//
// The versions in go.mod are those that kustomize v5.8.1 and Flux are built with.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"
)

type vector struct {
	Define    string          `json:"define,omitempty"`
	As        json.RawMessage `json:"as,omitempty"`
	Document  string          `json:"document,omitempty"`
	Patch     string          `json:"patch,omitempty"`
	Selector  string          `json:"selector,omitempty"`
	Expr      string          `json:"expr,omitempty"`
	Variables json.RawMessage `json:"variables,omitempty"`
	Declare   []string        `json:"declare,omitempty"`
	Result    string          `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
}

func main() {
	ask, known := map[string]func(vector) (string, error){
		"json_patch":  jsonPatch,
		"merge_patch": mergePatch,
		"strategic":   strategic,
		"regexp":      match,
		"selector":    selector,
		"cel":         evaluate,
	}[strings.Join(os.Args[1:], " ")]
	if !known {
		fmt.Fprintln(os.Stderr, "name one of json_patch, merge_patch, strategic, regexp, selector, cel")
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var v vector
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if v.Define != "" {
			definitions[v.Define] = v.As
		} else {
			v.Result, v.Error = answer(ask, v)
		}
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// A panic of the reference is an error of ours.
func answer(ask func(vector) (string, error), v vector) (result, problem string) {
	defer func() {
		if r := recover(); r != nil {
			result, problem = "", fmt.Sprint("panic: ", r)
		}
	}()
	result, err := ask(v)
	if err != nil {
		return "", err.Error()
	}
	return result, ""
}

func jsonPatch(v vector) (string, error) {
	patch, err := jsonpatch.DecodePatch([]byte(v.Patch))
	if err != nil {
		return "", err
	}
	text, err := exact(v.Document)
	if err != nil {
		return "", err
	}
	text, err = patch.Apply(text)
	if err != nil {
		return "", err
	}
	var result any
	if err := json.Unmarshal(text, &result); err != nil {
		return "", err
	}
	text, err = json.Marshal(result)
	return string(text), err
}

func mergePatch(v vector) (string, error) {
	text, err := jsonpatch.MergePatch([]byte(v.Document), []byte(v.Patch))
	if err != nil {
		return "", err
	}
	text, err = exact(string(text))
	return string(text), err
}

// A document as Go prints it, with integers as they are.
func exact(document string) ([]byte, error) {
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(numbers(value))
}

func strategic(v vector) (string, error) {
	documents, err := kio.FromBytes([]byte(v.Document))
	if err != nil {
		return "", err
	}
	patches, err := kio.FromBytes([]byte(v.Patch))
	if err != nil {
		return "", err
	}
	merged, err := merge2.Merge(patches[0], documents[0], yaml.MergeOptions{
		ListIncreaseDirection: yaml.MergeOptionsListPrepend,
	})
	if err != nil {
		return "", err
	}
	return merged.String()
}

// Where a pattern matches a text first.
func match(v vector) (string, error) {
	pattern, err := regexp.Compile(v.Patch)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(pattern.FindStringIndex(v.Document)), nil
}

func selector(v vector) (string, error) {
	object, err := yaml.Parse("metadata:\n  labels: " + v.Document)
	if err != nil {
		return "", err
	}
	matches, err := object.MatchesLabelSelector(v.Selector)
	var result bytes.Buffer
	fmt.Fprint(&result, matches)
	return result.String(), err
}
