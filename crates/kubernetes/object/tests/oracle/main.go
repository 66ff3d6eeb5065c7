// Answers questions about patches, selectors and patterns with Go's libraries. Reads one vector of
// JSON per line and writes it back with `result` or `error`. `cargo xtask vectors` records the
// answers in `../vectors`.
//
// The versions in go.mod are those of kustomize v5.8.1 and Flux.
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
	Document string `json:"document,omitempty"`
	Patch    string `json:"patch,omitempty"`
	Selector string `json:"selector,omitempty"`
	Result   string `json:"result,omitempty"`
	Error    string `json:"error,omitempty"`
}

func main() {
	ask, known := map[string]func(vector) (string, error){
		"json_patch":  jsonPatch,
		"merge_patch": mergePatch,
		"strategic":   strategic,
		"regexp":      match,
		"selector":    selector,
	}[strings.Join(os.Args[1:], " ")]
	if !known {
		fmt.Fprintln(os.Stderr, "name one of json_patch, merge_patch, strategic, regexp, selector")
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
		v.Result, v.Error = answer(ask, v)
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// Answers a vector; a panic becomes an error.
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

// Prints a document like Go, but keeps integers exact.
func exact(document string) ([]byte, error) {
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(numbers(value))
}

func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			value[key] = numbers(item)
		}
	case []any:
		for index, item := range value {
			value[index] = numbers(item)
		}
	case json.Number:
		if number, err := value.Int64(); err == nil {
			return number
		}
		number, _ := value.Float64()
		return number
	}
	return value
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

// The position of the first match.
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
