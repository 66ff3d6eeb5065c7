// Judges each object as Flux does: lines of JSON with an `object` and the `pods` that it would
// find come back with `status` and `message`, or with `fails` where the reference finds no words
// for the object but an error.
//
// The versions in go.mod are those that kustomize-controller v1.9.4 is built with.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders"
	flux "github.com/fluxcd/pkg/runtime/statusreaders"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type vector struct {
	Object  json.RawMessage   `json:"object"`
	Pods    []json.RawMessage `json:"pods,omitempty"`
	Status  string            `json:"status"`
	Message string            `json:"message,omitempty"`
	Fails   bool              `json:"fails,omitempty"`
}

// A cluster with a few pods, whatever they are selected by.
type cluster struct{ pods []unstructured.Unstructured }

func (cluster) Get(context.Context, client.ObjectKey, *unstructured.Unstructured) error { return nil }

func (c cluster) ListNamespaceScoped(_ context.Context, list *unstructured.UnstructuredList, _ string, _ labels.Selector) error {
	if list.GetKind() == "Pod" || list.GetKind() == "PodList" {
		list.Items = c.pods
	}
	return nil
}

func (cluster) ListClusterScoped(context.Context, *unstructured.UnstructuredList, labels.Selector) error {
	return nil
}

func (cluster) Sync(context.Context) error { return nil }

func parse(text []byte) unstructured.Unstructured {
	var object unstructured.Unstructured
	if err := object.UnmarshalJSON(text); err != nil {
		log.Fatal(err)
	}
	return object
}

func main() {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}})
	for _, kind := range []string{"Pod", "ReplicaSet"} {
		group := map[string]string{"ReplicaSet": "apps"}[kind]
		mapper.Add(schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}, meta.RESTScopeNamespace)
	}
	reader := statusreaders.NewStatusReader(mapper, flux.NewCustomJobStatusReader(mapper))
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var v vector
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			log.Fatal(err)
		}
		var c cluster
		for _, pod := range v.Pods {
			c.pods = append(c.pods, parse(pod))
		}
		object := parse(v.Object)
		judged, err := reader.ReadStatusForObject(context.Background(), c, &object)
		if err != nil {
			log.Fatal(err)
		}
		v.Status, v.Message, v.Fails = string(judged.Status), judged.Message, judged.Error != nil
		if v.Fails {
			v.Message = ""
		}
		if err := out.Encode(v); err != nil {
			log.Fatal(err)
		}
	}
}
