// Command oracle expands templates with Flux's envsubst, and records the results.
//
// Recipe: go run . > ../vectors.jsonl
//
// The templates are combined from pieces of the grammar with a fixed seed, so most of them
// are nearly valid.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
)

type vector struct {
	Template string `json:"t"`
	Strict   bool   `json:"s,omitempty"`
	Output   string `json:"o,omitempty"`
	Error    string `json:"e,omitempty"`
	// Panics: upstream slices out of range.
	Panics bool `json:"p,omitempty"`
}

// The variables of every template, as in tests/envsubst.rs.
var variables = map[string]string{
	"a":    "abcabc",
	"b":    "B/c.d.tar.gz",
	"n":    "-2",
	"é":    "never: such a name is refused before",
	"u":    "éΣßİ\u1f80x",
	"e":    "",
	"_x1":  "$a ${b} $$",
	"path": "/usr/local/bin",
	"q":    "\"",
	"long": "a*b?c[d]e\\f",
}

var pieces = []string{
	"$", "{", "}", "${", "${", "${", "}", "}", "}", "$$", "\\", "/", "//", "/#", "/%", ":", ":", "::", ":-", ":=", ":?", ":+",
	"=", "-", "+", "?", "#", "##", "%", "%%", ",", ",,", "^", "^^", ",^", "*", "?", "[a-c]", "[^b]", "[", "]", "\\/", "\\\\", "\\*",
	"a", "b", "n", "u", "e", "é", "_x1", "path", "q", "long", "missing", "x", " ", "\n", ".", "0", "1", "2", "-1", "-9", "99",
	"bc", "tar", "😀", "Σ", "\x00", "9223372036854775807", "+1", "1 ", "*.", ".*", "'", "-",
}

var shapes = []string{
	"${V}", "${V:-X}", "${V:=X}", "${V:?X}", "${V:+X}", "${V=X}", "${V-X}", "${#V}", "${V#X}", "${V##X}", "${V%X}", "${V%%X}",
	"${V^}", "${V^^}", "${V,}", "${V,,}", "${V:X}", "${V:X:X}", "${V/X/X}", "${V//X/X}", "${V/#X/X}", "${V/%X/X}", "${V//X/}", "$${V}",
	"${V:-${V}}", "${V:=x${V}y${V:-X}}", "${V/X/${V}}", "${V%${V}}", "${V:${V}:X}",
}

func fill(r *rand.Rand, shape string) string {
	names := []string{"a", "b", "n", "u", "e", "_x1", "path", "q", "long", "missing", "é", "A1"}
	var out strings.Builder
	for _, c := range shape {
		switch c {
		case 'V':
			out.WriteString(names[r.Intn(len(names))])
		case 'X':
			for n := r.Intn(4); n > 0; n-- {
				out.WriteString(pieces[r.Intn(len(pieces))])
			}
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

func ask(template string, strict bool) (answer vector) {
	answer = vector{Template: template, Strict: strict}
	defer func() {
		if recover() != nil {
			answer.Panics = true
		}
	}()
	output, err := envsubst.Eval(template, func(name string) (string, bool) {
		value, exists := variables[name]
		return value, exists || !strict
	})
	if err != nil {
		answer.Error = err.Error()
	} else {
		answer.Output = output
	}
	return answer
}

func main() {
	r := rand.New(rand.NewSource(1))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	seen := map[string]bool{}
	for len(seen) < 6000 {
		var template strings.Builder
		for n := 1 + r.Intn(3); n > 0; n-- {
			if r.Intn(4) == 0 {
				for m := r.Intn(8); m > 0; m-- {
					template.WriteString(pieces[r.Intn(len(pieces))])
				}
			} else {
				template.WriteString(fill(r, shapes[r.Intn(len(shapes))]))
			}
		}
		strict := r.Intn(3) == 0
		key := fmt.Sprint(strict, template.String())
		answer := ask(template.String(), strict)
		if seen[key] || answer.Output != strings.ToValidUTF8(answer.Output, "") {
			continue
		}
		seen[key] = true
		line, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, string(line))
	}
}
