package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

// The documents that vectors name.
var definitions = map[string]json.RawMessage{}

// Evaluates as fluxcd/pkg/runtime/cel does: only parsed, or with `declare`d variables checked.
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

// Numbers as the API's decoder gives them.
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

// The type and the value, in a form that does not depend on Go's.
func show(value ref.Val) (string, error) {
	text := value.ConvertToType(types.StringType)
	if shown, ok := text.(types.String); ok {
		return value.Type().TypeName() + " " + string(shown), nil
	}
	return fmt.Sprintf("%s %s", value.Type().TypeName(), types.Format(value)), nil
}
