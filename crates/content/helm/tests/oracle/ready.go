package main

import (
	"context"
	"strconv"

	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/resource"
	kubernetes "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
)

// ready asks Helm 3's rules about the first object. The others are in the cluster, too.
func ready(v *vector) error {
	var live []runtime.Object
	for _, text := range v.Objects {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
		if err != nil {
			return err
		}
		live = append(live, object)
	}
	first := &unstructured.Unstructured{}
	if err := first.UnmarshalJSON(v.Objects[0]); err != nil {
		return err
	}
	options := []kube.ReadyCheckerOption{kube.PausedAsReady(true), kube.CheckJobs(v.Jobs)}
	checker := kube.NewReadyChecker(kubernetes.NewClientset(live...), options...)
	is, err := checker.IsReady(context.Background(), &resource.Info{
		Namespace: first.GetNamespace(), Name: first.GetName(), Object: first,
		Mapping: &meta.RESTMapping{GroupVersionKind: first.GroupVersionKind(), Scope: meta.RESTScopeNamespace},
	})
	v.Result = strconv.FormatBool(is)
	return err
}
