// Answers what Go's text/template makes of a template, one JSON question a line.
//
// With the argument "names" it lists the functions of sprig instead. The versions in go.mod are
// those that Helm v4.2.4 is built with.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/Masterminds/sprig/v3"
)

// Question is a vector without its answer.
type Question struct {
	Template string `json:"template"`
	// Parsed before the template, by name.
	Others     map[string]string `json:"others,omitempty"`
	Data       any               `json:"data,omitempty"`
	MissingKey string            `json:"missingkey,omitempty"`
	Left       string            `json:"left,omitempty"`
	Right      string            `json:"right,omitempty"`
	// Without the functions of sprig.
	Plain bool `json:"plain,omitempty"`
}

// Answer is the rest of the vector.
type Answer struct {
	Result *string `json:"result,omitempty"`
	// A result that is not UTF-8, in base64.
	Bytes *string `json:"bytes,omitempty"`
	Error *string `json:"error,omitempty"`
	// The causes of the error, without those that say the same again.
	Chain []string `json:"chain,omitempty"`
	// The parser refused the template.
	Parse bool `json:"parse,omitempty"`
}

// Vector is a line of a file.
type Vector struct {
	Question
	Answer
}

// Fixture is the same object that the tests of the crate have.
type Fixture struct {
	Name   string
	Count  int
	Any    any
	Map    map[string]string
	hidden int
}

func (f *Fixture) Hello(name string) string { return f.Name + " greets " + name }

func (f *Fixture) Fail() (string, error) { return "", errors.New("fixture failed") }

func (f *Fixture) Sum(base int, more ...int) int {
	for _, n := range more {
		base += n
	}
	return base
}

// The time of one question.
const limit = 5 * time.Second

func main() {
	os.Setenv("TZ", "UTC")
	time.Local = time.UTC
	if len(os.Args) == 2 && os.Args[1] == "names" {
		names(sprig.TxtFuncMap(), "text")
		names(sprig.HermeticTxtFuncMap(), "hermetic")
		return
	}
	text, err := os.ReadFile(os.Args[1])
	check(err)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var v Vector
			check(json.Unmarshal(line, &v))
			// Go has no limit of steps. A template without an end ends the program.
			watch := time.AfterFunc(limit, func() { os.Exit(2) })
			v.Answer = answer(v.Question, text)
			watch.Stop()
			check(encoder.Encode(v))
		}
		if err == io.EOF {
			return
		}
		check(err)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func names(functions map[string]any, profile string) {
	var list []string
	for name := range functions {
		list = append(list, name)
	}
	sort.Strings(list)
	for _, name := range list {
		fmt.Println(profile, name)
	}
}

func answer(q Question, common []byte) Answer {
	data := q.Data
	if data == nil {
		check(json.Unmarshal(common, &data))
	}
	if m, ok := data.(map[string]any); ok {
		m["fix"] = &Fixture{Name: "fix", Count: 3, Map: map[string]string{"k": "v"}, hidden: 1}
		m["fn"] = func(a string, b int) string { return strings.Repeat(a, b) }
	}
	set := template.New("case")
	if q.MissingKey != "" {
		set.Option("missingkey=" + q.MissingKey)
	}
	set.Delims(q.Left, q.Right)
	if !q.Plain {
		set.Funcs(sprig.TxtFuncMap())
	}
	set.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var b strings.Builder
			err := set.ExecuteTemplate(&b, name, data)
			return b.String(), err
		},
	})
	var order []string
	for name := range q.Others {
		order = append(order, name)
	}
	sort.Strings(order)
	for _, name := range order {
		if _, err := set.New(name).Parse(q.Others[name]); err != nil {
			return failed(err, true)
		}
	}
	main, err := set.New("case").Parse(q.Template)
	if err != nil {
		return failed(err, true)
	}
	_ = main
	var b bytes.Buffer
	if err := set.ExecuteTemplate(&b, "case", data); err != nil {
		return failed(err, false)
	}
	result := b.String()
	if !utf8.ValidString(result) {
		encoded := base64.StdEncoding.EncodeToString([]byte(result))
		return Answer{Bytes: &encoded}
	}
	return Answer{Result: &result}
}

func failed(err error, parse bool) Answer {
	text := strings.ToValidUTF8(err.Error(), "\uFFFD")
	a := Answer{Error: &text, Parse: parse}
	last := text
	for err = errors.Unwrap(err); err != nil; err = errors.Unwrap(err) {
		if next := strings.ToValidUTF8(err.Error(), "\uFFFD"); next != last {
			a.Chain = append(a.Chain, next)
			last = next
		}
	}
	return a
}
