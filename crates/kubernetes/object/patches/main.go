// Prints the patch metadata of the built-in kinds of Kubernetes: strategies and merge keys of the
// Go types of k8s.io/api.
//
//	go run . >../src/strategic/patch-metadata.txt
//
// One line is one fact. "-" stands for nothing.
//
//	k APIVERSION KIND TYPE         the type of a kind
//	t TYPE                         the fields that follow belong to this type
//	f NAME TYPE STRATEGIES KEY     a field with metadata, or with a type that has some below
//
// With the argument "merge" it reads lines with an original, a target and a live object, and adds
// the patch of the library:
//
//	go run . merge <questions >../src/strategic/three_way/vectors.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

type field struct{ name, of, strategy, key string }

var types = map[string][]field{}
var useful = map[string]bool{}

func name(t reflect.Type) string {
	path := strings.TrimPrefix(t.PkgPath(), "k8s.io/api/")
	path = strings.TrimPrefix(path, "k8s.io/apimachinery/pkg/apis/")
	path = strings.TrimPrefix(path, "k8s.io/apiextensions-apiserver/pkg/apis/")
	return path + "." + t.Name()
}

func base(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

func fields(t reflect.Type) []field {
	var out []field
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		parts := strings.Split(f.Tag.Get("json"), ",")
		if parts[0] == "-" || !f.IsExported() {
			continue
		}
		b := base(f.Type)
		if f.Anonymous && parts[0] == "" {
			if b.Kind() == reflect.Struct {
				out = append(out, fields(b)...)
			}
			continue
		}
		of := "-"
		if b.Kind() == reflect.Struct {
			of = name(b)
			walk(b)
		}
		strategy, key := f.Tag.Get("patchStrategy"), f.Tag.Get("patchMergeKey")
		out = append(out, field{parts[0], of, strategy, key})
	}
	return out
}

func walk(t reflect.Type) {
	n := name(t)
	if _, seen := types[n]; seen {
		return
	}
	types[n] = nil
	types[n] = fields(t)
}

func main() {
	s := runtime.NewScheme()
	scheme.AddToScheme(s)
	apiextensions.AddToScheme(s)
	if len(os.Args) > 1 {
		merge(s)
		return
	}
	kinds := map[schema.GroupVersionKind]string{}
	for gvk, t := range s.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasSuffix(gvk.Kind, "List") || strings.HasSuffix(gvk.Kind, "Options") || gvk.Kind == "WatchEvent" {
			continue
		}
		if t.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" {
			continue
		}
		walk(t)
		kinds[gvk] = name(t)
	}
	for changed := true; changed; {
		changed = false
		for n, fs := range types {
			for _, f := range fs {
				if !useful[n] && (f.strategy != "" || useful[f.of]) {
					useful[n], changed = true, true
				}
			}
		}
	}
	var lines []string
	for gvk, n := range kinds {
		if !useful[n] {
			n = "-"
		}
		lines = append(lines, fmt.Sprintf("k %s %s %s", gvk.GroupVersion(), gvk.Kind, n))
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	var names []string
	for n := range types {
		if useful[n] {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Println("t " + n)
		for _, f := range types[n] {
			if f.strategy == "" && !useful[f.of] {
				continue
			}
			of := f.of
			if !useful[of] {
				of = "-"
			}
			strategy, key := f.strategy, f.key
			if strategy == "" {
				strategy = "-"
			}
			if key == "" {
				key = "-"
			}
			fmt.Printf("f %s %s %s %s\n", f.name, of, strategy, key)
		}
	}
}

func merge(s *runtime.Scheme) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var q map[string]json.RawMessage
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		var head struct{ APIVersion, Kind string }
		json.Unmarshal(q["target"], &head)
		object, err := s.New(schema.FromAPIVersionAndKind(head.APIVersion, head.Kind))
		if err != nil {
			panic(err)
		}
		meta, err := strategicpatch.NewPatchMetaFromStruct(object)
		if err != nil {
			panic(err)
		}
		patch, err := strategicpatch.CreateThreeWayMergePatch(q["original"], q["target"], q["live"], meta, true)
		if err != nil {
			panic(err)
		}
		q["patch"] = patch
		out, _ := json.Marshal(q)
		fmt.Println(string(out))
	}
}
