package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/kube"
	release "helm.sh/helm/v4/pkg/release/v1"
	relutil "helm.sh/helm/v4/pkg/release/v1/util"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	kubernetes "k8s.io/client-go/kubernetes/fake"
	restfake "k8s.io/client-go/rest/fake"
	"sigs.k8s.io/yaml"
)

// step is an action on the release "rel" in the namespace "default".
type step struct {
	Action string            `json:"action"`
	Files  map[string]string `json:"files,omitempty"`
	Values map[string]any    `json:"values,omitempty"`
	// The errors of requests, such as "wait Ready".
	Fail map[string]string `json:"fail,omitempty"`
	// Objects that others have made.
	Insert        []map[string]any  `json:"insert,omitempty"`
	Labels        map[string]string `json:"labels,omitempty"`
	Description   string            `json:"description,omitempty"`
	Namespace     bool              `json:"create_namespace,omitempty"`
	Replace       bool              `json:"replace,omitempty"`
	RollsBack     bool              `json:"rolls_back,omitempty"`
	CleansUp      bool              `json:"cleans_up,omitempty"`
	NoHooks       bool              `json:"no_hooks,omitempty"`
	TakeOwnership bool              `json:"take_ownership,omitempty"`
	DryRun        bool              `json:"dry_run,omitempty"`
	KeepHistory   bool              `json:"keep_history,omitempty"`
	HookOnly      bool              `json:"hook_only,omitempty"`
	Jobs          bool              `json:"jobs,omitempty"`
	Reuse         string            `json:"reuse,omitempty"`
	Version       int               `json:"version,omitempty"`
	MaxHistory    int               `json:"max_history,omitempty"`
	Include       []string          `json:"include,omitempty"`
	Exclude       []string          `json:"exclude,omitempty"`
}

// outcome is what a step leaves behind.
type outcome struct {
	Error    string   `json:"error,omitempty"`
	Info     string   `json:"info,omitempty"`
	Requests []string `json:"requests"`
	Records  []record `json:"records"`
}

type record struct {
	Version     int               `json:"version"`
	Status      string            `json:"status"`
	Description string            `json:"description"`
	Deleted     bool              `json:"deleted,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Config      map[string]any    `json:"config,omitempty"`
	Hooks       []string          `json:"hooks,omitempty"`
}

func actions(v *vector) error {
	// The driver in memory would share releases with the actions.
	secrets := driver.NewSecrets(kubernetes.NewClientset().CoreV1().Secrets("default"))
	client := &cluster{live: map[string]*unstructured.Unstructured{}}
	config := &action.Configuration{
		Releases:     storage.Init(secrets),
		KubeClient:   client,
		Capabilities: common.DefaultCapabilities,
	}
	config.SetHookOutputFunc(func(_, _, _ string) io.Writer { return io.Discard })
	var outcomes []outcome
	for _, s := range v.Steps {
		client.fail = s.Fail
		for _, object := range s.Insert {
			made := &unstructured.Unstructured{Object: object}
			client.live[name(made)] = made
		}
		info, err := run(config, s)
		out := outcome{Info: info, Requests: client.requests, Records: []record{}}
		client.requests = nil
		if err != nil {
			out.Error = err.Error()
		}
		history, _ := config.Releases.History("rel")
		var releases []*release.Release
		for _, item := range history {
			releases = append(releases, item.(*release.Release))
		}
		relutil.SortByRevision(releases)
		for _, rel := range releases {
			r := record{
				Version: rel.Version, Status: rel.Info.Status.String(), Description: rel.Info.Description,
				Deleted: !rel.Info.Deleted.IsZero(), Labels: rel.Labels, Config: rel.Config,
			}
			for _, label := range driver.GetSystemLabels() {
				delete(r.Labels, label)
			}
			for _, hook := range rel.Hooks {
				r.Hooks = append(r.Hooks, hook.Name+" "+hook.LastRun.Phase.String())
			}
			out.Records = append(out.Records, r)
		}
		outcomes = append(outcomes, out)
	}
	text, err := json.Marshal(outcomes)
	v.Result = string(text)
	return err
}

func run(config *action.Configuration, s step) (string, error) {
	wait, dry := kube.StatusWatcherStrategy, action.DryRunNone
	if s.HookOnly {
		wait = kube.HookOnlyStrategy
	}
	if s.DryRun {
		dry = action.DryRunServer
	}
	var loaded *chart.Chart
	if s.Files != nil {
		var err error
		if loaded, _, err = load(&vector{Files: s.Files}); err != nil {
			return "", err
		}
	}
	values := s.Values
	if values == nil {
		values = map[string]any{}
	}
	switch s.Action {
	case "install":
		a := action.NewInstall(config)
		a.ReleaseName, a.Namespace, a.WaitStrategy, a.DryRunStrategy = "rel", "default", wait, dry
		a.Labels, a.Description, a.CreateNamespace, a.Replace = s.Labels, s.Description, s.Namespace, s.Replace
		a.RollbackOnFailure, a.DisableHooks, a.TakeOwnership = s.RollsBack, s.NoHooks, s.TakeOwnership
		a.WaitForJobs = s.Jobs
		_, err := a.Run(loaded, values)
		return "", err
	case "upgrade":
		a := action.NewUpgrade(config)
		a.Namespace, a.WaitStrategy, a.DryRunStrategy = "default", wait, dry
		a.Labels, a.Description, a.RollbackOnFailure, a.CleanupOnFail = s.Labels, s.Description, s.RollsBack, s.CleansUp
		a.DisableHooks, a.TakeOwnership, a.WaitForJobs, a.MaxHistory = s.NoHooks, s.TakeOwnership, s.Jobs, s.MaxHistory
		a.ResetValues, a.ReuseValues, a.ResetThenReuseValues = s.Reuse == "reset", s.Reuse == "reuse", s.Reuse == "reset_then_reuse"
		_, err := a.Run("rel", loaded, values)
		return "", err
	case "rollback":
		a := action.NewRollback(config)
		a.Version, a.WaitStrategy, a.DisableHooks, a.CleanupOnFail = s.Version, wait, s.NoHooks, s.CleansUp
		a.WaitForJobs, a.MaxHistory = s.Jobs, s.MaxHistory
		return "", a.Run("rel")
	case "uninstall":
		a := action.NewUninstall(config)
		a.WaitStrategy, a.DisableHooks, a.KeepHistory, a.Description = wait, s.NoHooks, s.KeepHistory, s.Description
		result, err := a.Run("rel")
		if err == nil {
			return result.Info, nil
		}
		return "", err
	case "test":
		a := action.NewReleaseTesting(config)
		a.Namespace = "default"
		a.Filters = map[string][]string{action.IncludeNameFilter: s.Include, action.ExcludeNameFilter: s.Exclude}
		_, shutdown, err := a.Run("rel")
		if ended := shutdown(); err == nil {
			err = ended
		}
		return "", err
	}
	return "", fmt.Errorf("unknown action %s", s.Action)
}

// cluster keeps objects in memory and notes the requests that change them.
type cluster struct {
	live     map[string]*unstructured.Unstructured
	requests []string
	fail     map[string]string
}

var clusterKinds = map[string]bool{
	"Namespace": true, "CustomResourceDefinition": true, "ClusterRole": true,
	"ClusterRoleBinding": true, "PriorityClass": true, "StorageClass": true,
}

func name(object *unstructured.Unstructured) string {
	return object.GetKind() + "/" + object.GetNamespace() + "/" + object.GetName()
}

func (c *cluster) request(text string) error {
	c.requests = append(c.requests, text)
	if message, failed := c.fail[text]; failed {
		return errors.New(message)
	}
	return nil
}

func (c *cluster) apply(info *resource.Info) error {
	object := info.Object.(*unstructured.Unstructured)
	if err := c.request("apply " + name(object)); err != nil {
		return err
	}
	c.live[name(object)] = object
	return nil
}

func (c *cluster) remove(info *resource.Info) error {
	object := info.Object.(*unstructured.Unstructured)
	err := c.request("delete " + name(object))
	if err == nil {
		delete(c.live, name(object))
	}
	return err
}

func (c *cluster) IsReachable() error { return nil }

func (c *cluster) Create(list kube.ResourceList, _ ...kube.ClientCreateOption) (*kube.Result, error) {
	if len(list) == 0 {
		return nil, kube.ErrNoObjectsVisited
	}
	var errs []error
	for _, info := range list {
		errs = append(errs, c.apply(info))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &kube.Result{Created: list}, nil
}

// Update does what the client of Helm does, with requests of this cluster.
func (c *cluster) Update(originals, targets kube.ResourceList, _ ...kube.ClientUpdateOption) (*kube.Result, error) {
	result := &kube.Result{}
	var errs []string
	for _, info := range targets {
		if _, exists := c.live[name(info.Object.(*unstructured.Unstructured))]; !exists {
			result.Created = append(result.Created, info)
			if err := c.apply(info); err != nil {
				return result, fmt.Errorf("failed to create resource: %w", err)
			}
			continue
		}
		if err := c.apply(info); err != nil {
			errs = append(errs, err.Error())
		}
		result.Updated = append(result.Updated, info)
	}
	if len(errs) > 0 {
		return result, errors.New(strings.Join(errs, " && "))
	}
	for _, info := range originals.Difference(targets) {
		live, exists := c.live[name(info.Object.(*unstructured.Unstructured))]
		if !exists || live.GetAnnotations()[kube.ResourcePolicyAnno] == kube.KeepPolicy {
			continue
		}
		if err := c.remove(info); err != nil {
			errs = append(errs, fmt.Sprintf("failed to delete resource namespace=%s, name=%s, kind=%s: %s",
				info.Namespace, info.Name, info.Mapping.GroupVersionKind.Kind, err))
		}
	}
	if len(errs) > 0 {
		return result, errors.New(strings.Join(errs, " && "))
	}
	return result, nil
}

func (c *cluster) Delete(list kube.ResourceList, _ metav1.DeletionPropagation) (*kube.Result, []error) {
	if len(list) == 0 {
		return nil, []error{fmt.Errorf("object not found, skipping delete: %w", kube.ErrNoObjectsVisited)}
	}
	var errs []error
	for _, info := range list {
		if err := c.remove(info); err != nil {
			errs = append(errs, err)
		}
	}
	if errs != nil {
		return nil, errs
	}
	return &kube.Result{Deleted: list}, nil
}

func (c *cluster) Build(reader io.Reader, _ bool) (kube.ResourceList, error) {
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, err
	}
	documents := relutil.SplitManifests(string(text))
	keys := make([]string, 0, len(documents))
	for key := range documents {
		keys = append(keys, key)
	}
	sort.Sort(relutil.BySplitManifestsOrder(keys))
	var list kube.ResourceList
	for _, key := range keys {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(documents[key]), &object.Object); err != nil {
			return nil, err
		}
		if len(object.Object) == 0 {
			continue
		}
		gvk := object.GroupVersionKind()
		scope := meta.RESTScopeRoot
		if !clusterKinds[gvk.Kind] {
			scope = meta.RESTScopeNamespace
			if object.GetNamespace() == "" {
				object.SetNamespace("default")
			}
		}
		list.Append(&resource.Info{
			Client: c.rest(), Namespace: object.GetNamespace(), Name: object.GetName(), Object: object,
			Mapping: &meta.RESTMapping{
				GroupVersionKind: gvk, Scope: scope,
				Resource: schema.GroupVersionResource{Group: gvk.Group, Version: gvk.Version, Resource: gvk.Kind},
			},
		})
	}
	return list, nil
}

// rest answers reads from the objects in memory.
func (c *cluster) rest() resource.RESTClient {
	return &restfake.RESTClient{
		NegotiatedSerializer: resource.UnstructuredPlusDefaultContentConfig().NegotiatedSerializer,
		GroupVersion:         schema.GroupVersion{Version: "v1"},
		Client: restfake.CreateHTTPClient(func(request *http.Request) (*http.Response, error) {
			parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
			key := parts[len(parts)-2] + "//" + parts[len(parts)-1]
			if len(parts) >= 4 && parts[len(parts)-4] == "namespaces" {
				key = parts[len(parts)-2] + "/" + parts[len(parts)-3] + "/" + parts[len(parts)-1]
			}
			header := http.Header{"Content-Type": []string{"application/json"}}
			answer := func(code int, body any) (*http.Response, error) {
				text, err := json.Marshal(body)
				return &http.Response{StatusCode: code, Header: header, Body: io.NopCloser(bytes.NewReader(text))}, err
			}
			for name, object := range c.live {
				// The client writes kinds in small letters here.
				if strings.EqualFold(name, key) {
					return answer(200, object.Object)
				}
			}
			return answer(404, metav1.Status{
				TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
				Status:   metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: 404,
			})
		}),
	}
}

func (c *cluster) Get(kube.ResourceList, bool) (map[string][]runtime.Object, error) {
	return nil, nil
}

func (c *cluster) BuildTable(reader io.Reader, validate bool) (kube.ResourceList, error) {
	return c.Build(reader, validate)
}

func (c *cluster) GetPodList(namespace string, options metav1.ListOptions) (*v1.PodList, error) {
	text := options.LabelSelector + options.FieldSelector
	if name, is := strings.CutPrefix(text, "job-name="); is {
		return &v1.PodList{}, c.request("logs Job/" + namespace + "/" + name)
	}
	name, _ := strings.CutPrefix(text, "metadata.name=")
	return &v1.PodList{}, c.request("logs Pod/" + namespace + "/" + name)
}

func (c *cluster) OutputContainerLogsForPodList(*v1.PodList, string, func(_, _, _ string) io.Writer) error {
	return nil
}

func (c *cluster) GetWaiter(strategy kube.WaitStrategy) (kube.Waiter, error) {
	return &waiter{c, strategy == kube.HookOnlyStrategy}, nil
}

type waiter struct {
	cluster  *cluster
	hookOnly bool
}

func (w *waiter) note(text string) error {
	if w.hookOnly {
		return nil
	}
	return w.cluster.request("wait " + text)
}

func (w *waiter) Wait(kube.ResourceList, time.Duration) error          { return w.note("Ready") }
func (w *waiter) WaitWithJobs(kube.ResourceList, time.Duration) error  { return w.note("ReadyWithJobs") }
func (w *waiter) WaitForDelete(kube.ResourceList, time.Duration) error { return w.note("Deleted") }
func (w *waiter) WatchUntilReady(kube.ResourceList, time.Duration) error {
	return w.cluster.request("wait HookDone")
}
