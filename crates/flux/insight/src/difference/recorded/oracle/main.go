// Command oracle compares pairs of values as flux2 v2.9.4 does, with dyff, and records what it
// prints.
//
// Recipe: go run . <../recorded.jsonl >new && mv new ../recorded.jsonl
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/gonvenience/ytbx"
	"github.com/homeport/dyff/pkg/dyff"
	"sigs.k8s.io/yaml"
)

type pair struct {
	Name string          `json:"name"`
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
	Text string          `json:"text"`
}

func main() {
	directory, err := os.MkdirTemp("", "")
	check(err)
	defer os.RemoveAll(directory)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var p pair
		check(json.Unmarshal(lines.Bytes(), &p))
		p.Text = compare(directory, p)
		check(out.Encode(p))
	}
	check(lines.Err())
}

func compare(directory string, p pair) string {
	file := func(name string, value []byte) string {
		text, err := yaml.JSONToYAML(value)
		check(err)
		path := filepath.Join(directory, name)
		check(os.WriteFile(path, text, 0o600))
		return path
	}
	from, to, err := ytbx.LoadFiles(file("from", p.From), file("to", p.To))
	check(err)
	report, err := dyff.CompareInputFiles(from, to,
		dyff.IgnoreOrderChanges(false), dyff.KubernetesEntityDetection(true))
	check(err)
	var text bytes.Buffer
	writer := &dyff.HumanReport{Report: report, OmitHeader: true}
	check(writer.WriteReport(&text))
	return text.String()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
