// Evaluates CEL expressions with cel-go. Reads one vector of JSON per line and writes it back with
// `result` or `error`. `cargo xtask vectors` records the answers in `../vectors`.
//
// The versions in go.mod are those of Flux.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

type vector struct {
	Define    string          `json:"define,omitempty"`
	As        json.RawMessage `json:"as,omitempty"`
	Document  string          `json:"document,omitempty"`
	Expr      string          `json:"expr,omitempty"`
	Variables json.RawMessage `json:"variables,omitempty"`
	Declare   []string        `json:"declare,omitempty"`
	Result    string          `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// Documents that later vectors refer to.
var definitions = map[string]json.RawMessage{}

func main() {
	if len(os.Args) != 2 || os.Args[1] != "cel" {
		fmt.Fprintln(os.Stderr, "usage: oracle cel")
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
			v.Result, v.Error = answer(v)
		}
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// Evaluates a vector; a panic becomes an error.
func answer(v vector) (result, problem string) {
	defer func() {
		if r := recover(); r != nil {
			result, problem = "", fmt.Sprint("panic: ", r)
		}
	}()
	result, err := evaluate(v)
	if err != nil {
		return "", err.Error()
	}
	return result, ""
}

// Evaluates like fluxcd/pkg/runtime/cel: parsed only, or checked when variables are declared.
func evaluate(v vector) (string, error) {
	options := []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		ext.Strings(),
		ext.Sets(),
		ext.Encoders(),
	}
	for _, name := range v.Declare {
		options = append(options, cel.Variable(name, cel.ObjectType("google.protobuf.Struct")))
	}
	environment, err := cel.NewEnv(options...)
	if err != nil {
		return "", err
	}
	read := environment.Parse
	if v.Declare != nil {
		read = environment.Compile
	}
	ast, issues := read(v.Expr)
	if issues != nil && issues.Err() != nil {
		return "", fmt.Errorf("%s", issues.String())
	}
	program, err := environment.Program(ast,
		cel.EvalOptions(cel.OptOptimize), cel.InterruptCheckFrequency(100))
	if err != nil {
		return "", fmt.Errorf("failed to create CEL program: %w", err)
	}
	data := map[string]any{}
	document, known := definitions[v.Document]
	if v.Variables != nil {
		document, known = v.Variables, true
	}
	if known {
		if err := unmarshal(document, &data); err != nil {
			return "", err
		}
	}
	value, _, err := program.Eval(data)
	if err != nil {
		return "", err
	}
	text, err := show(value)
	if v.Declare != nil {
		text = ast.OutputType().String() + ": " + text
	}
	return text, err
}

// Decodes numbers like the decoder of Kubernetes objects.
func unmarshal(text []byte, data *map[string]any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(data); err != nil {
		return err
	}
	numbers(*data)
	return nil
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

// The type and the value, independent of Go's representation.
func show(value ref.Val) (string, error) {
	text := value.ConvertToType(types.StringType)
	if shown, ok := text.(types.String); ok {
		return value.Type().TypeName() + " " + string(shown), nil
	}
	return fmt.Sprintf("%s %s", value.Type().TypeName(), types.Format(value)), nil
}
