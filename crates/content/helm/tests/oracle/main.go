// Answers questions about releases with Helm's own packages. Reads one vector of JSON per line and
// writes it back with `result` or `error`. `cargo xtask vectors` records the answers in
// `../vectors`.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	goyaml "go.yaml.in/yaml/v2"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
	"helm.sh/helm/v4/pkg/kube"
	kubefake "helm.sh/helm/v4/pkg/kube/fake"
	"helm.sh/helm/v4/pkg/postrenderer"
	release "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
	"sigs.k8s.io/kustomize/api/builtins"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

type vector struct {
	// A folder of the charts that crates/content/chart renders.
	Chart string `json:"chart,omitempty"`
	// A record in JSON.
	Record string `json:"record,omitempty"`
	// Whether the release is upgraded once.
	Upgrade bool `json:"upgrade,omitempty"`
	// Whether the record is in the form of Helm 3.
	Helm3 bool `json:"helm3,omitempty"`
	// The files of a chart by their names.
	Files map[string]string `json:"files,omitempty"`
	// The values of the user.
	Values json.RawMessage `json:"values,omitempty"`
	// combined, separate or nohooks.
	Strategy string `json:"strategy,omitempty"`
	// The labels and annotations of common metadata, and a kustomization.
	Labels        map[string]string `json:"labels,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
	Kustomization string            `json:"kustomization,omitempty"`
	// A live object and those around it.
	Objects []json.RawMessage `json:"objects,omitempty"`
	Jobs    bool              `json:"jobs,omitempty"`
	// A JSON schema, against which the values are checked.
	Schema json.RawMessage `json:"schema,omitempty"`
	// Actions on one release.
	Steps  []step `json:"steps,omitempty"`
	Result string `json:"result,omitempty"`
	Again  string `json:"again,omitempty"`
	// The digest of the OCI artifact of a record.
	OCIDigest string `json:"oci_digest,omitempty"`
	// The digest of the parts of a record that helm-controller compares.
	Observed string `json:"observed,omitempty"`
	Error    string `json:"error,omitempty"`
}

// The time of all files and actions.
var fixed = time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC)

func main() {
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	action.Timestamper = func() time.Time { return fixed }
	ask, known := map[string]func(*vector) error{
		"records":     records,
		"decode":      decode,
		"observe":     observe,
		"post_render": postRender,
		"actions":     actions,
		"ready":       ready,
		"schema":      checkSchema,
	}[strings.Join(os.Args[1:], " ")]
	if !known {
		fmt.Fprintln(os.Stderr, "name one of records, decode, observe, post_render, actions, ready, schema")
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
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
		v.Result, v.Again, v.Error = "", "", ""
		if err := ask(&v); err != nil {
			v.Error = err.Error()
		}
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// load reads a chart whose files all have the fixed time.
func load(v *vector) (*chart.Chart, map[string]any, error) {
	values := map[string]any{}
	var files []*archive.BufferedFile
	for name, data := range v.Files {
		files = append(files, &archive.BufferedFile{Name: name, ModTime: fixed, Data: []byte(data)})
	}
	if v.Chart != "" {
		_, source, _, _ := runtime.Caller(0)
		folder := filepath.Join(filepath.Dir(source), "../../../chart/tests/charts", v.Chart)
		if text, err := os.ReadFile(filepath.Join(folder, "values.yaml")); err == nil {
			if err := yaml.Unmarshal(text, &values); err != nil {
				return nil, nil, err
			}
		}
		root := filepath.Join(folder, "chart")
		rules := ignore.Empty()
		if parsed, err := ignore.ParseFile(filepath.Join(root, ".helmignore")); err == nil {
			rules = parsed
		}
		rules.AddDefaults()
		err := filepath.Walk(root, func(path string, info fs.FileInfo, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			if name == "." {
				return nil
			}
			if info.IsDir() {
				if rules.Ignore(name, info) {
					return filepath.SkipDir
				}
				return nil
			}
			if rules.Ignore(name, info) {
				return nil
			}
			data, err := os.ReadFile(path)
			data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
			files = append(files, &archive.BufferedFile{Name: name, ModTime: fixed, Data: data})
			return err
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if len(v.Values) > 0 {
		if err := json.Unmarshal(v.Values, &values); err != nil {
			return nil, nil, err
		}
	}
	loaded, err := loader.LoadFiles(files)
	return loaded, values, err
}

func configuration() *action.Configuration {
	memory := driver.NewMemory()
	memory.SetNamespace("default")
	return &action.Configuration{
		Releases:     storage.Init(memory),
		KubeClient:   &kubefake.PrintingKubeClient{Out: io.Discard, LogOutput: io.Discard},
		Capabilities: common.DefaultCapabilities,
	}
}

// records installs a chart, and perhaps upgrades it, into a cluster that accepts everything.
func records(v *vector) error {
	loaded, values, err := load(v)
	if err != nil {
		return err
	}
	config := configuration()
	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace = "rel", "default"
	install.WaitStrategy, install.SkipCRDs = kube.HookOnlyStrategy, true
	if _, err := install.Run(loaded, values); err != nil {
		return err
	}
	if v.Upgrade {
		loaded, values, err := load(v)
		if err != nil {
			return err
		}
		upgrade := action.NewUpgrade(config)
		upgrade.WaitStrategy = kube.HookOnlyStrategy
		if _, err := upgrade.Run("rel", loaded, values); err != nil {
			return err
		}
	}
	last, err := config.Releases.Last("rel")
	if err != nil {
		return err
	}
	rel := last.(*release.Release)
	for i, hook := range rel.Hooks {
		if !hook.LastRun.StartedAt.IsZero() {
			hook.LastRun.StartedAt = fixed.Add(time.Duration(i))
			hook.LastRun.CompletedAt = fixed.Add(time.Duration(i) * time.Second).In(time.FixedZone("", 7200))
		}
	}
	record, err := json.Marshal(rel)
	if err != nil {
		return err
	}
	v.Result = string(record)
	if v.Helm3 {
		v.Result, err = helm3(record)
		if err != nil {
			return err
		}
	}
	v.Again, err = again(v.Result)
	if err != nil {
		return err
	}
	v.Observed, err = observed(v.Result, "")
	return err
}

// observe returns the digest of a record, and that of its values.
func observe(v *vector) (err error) {
	if v.Observed, err = observed(v.Record, v.OCIDigest); err != nil {
		return err
	}
	var rel release.Release
	if err := json.Unmarshal([]byte(v.Record), &rel); err != nil {
		return err
	}
	hash := sha256.New()
	if len(rel.Config) > 0 {
		text, err := yaml.Marshal(rel.Config)
		if err != nil {
			return err
		}
		var values goyaml.MapSlice
		if err := goyaml.Unmarshal(text, &values); err != nil {
			return err
		}
		sortKeys(values)
		if text, err = goyaml.Marshal(values); err != nil {
			return err
		}
		hash.Write(text)
	}
	v.Result = fmt.Sprintf("sha256:%x", hash.Sum(nil))
	return nil
}

// sortKeys sorts the keys of maps, those in maps and lists as well.
func sortKeys(value any) {
	switch value := value.(type) {
	case goyaml.MapSlice:
		sort.Slice(value, func(i, j int) bool {
			return value[i].Key.(string) < value[j].Key.(string)
		})
		for _, item := range value {
			sortKeys(item.Value)
		}
	case []any:
		for _, item := range value {
			sortKeys(item)
		}
	}
}

// observation has the fields of helm-controller's internal/release.Observation.
type observation struct {
	Name          string         `json:"name"`
	Version       int            `json:"version"`
	Info          release.Info   `json:"info"`
	ChartMetadata chart.Metadata `json:"chartMetadata"`
	Config        map[string]any `json:"config"`
	Manifest      string         `json:"manifest"`
	Hooks         []release.Hook `json:"hooks"`
	Namespace     string         `json:"namespace"`
	OCIDigest     string         `json:"ociDigest,omitempty"`
}

// observed hashes a record as helm-controller does, without test hooks.
func observed(record, ociDigest string) (string, error) {
	var rel release.Release
	if err := json.Unmarshal([]byte(record), &rel); err != nil {
		return "", err
	}
	seen := observation{Name: rel.Name, Version: rel.Version, Info: *rel.Info, Manifest: rel.Manifest, Namespace: rel.Namespace, OCIDigest: ociDigest}
	if rel.Chart != nil && rel.Chart.Metadata != nil {
		seen.ChartMetadata = *rel.Chart.Metadata
	}
	if len(rel.Config) > 0 {
		seen.Config = rel.Config
	}
	for _, hook := range rel.Hooks {
		isTest := false
		for _, event := range hook.Events {
			isTest = isTest || event == release.HookTest
		}
		if !isTest {
			seen.Hooks = append(seen.Hooks, *hook)
		}
	}
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode(seen); err != nil {
		return "", err
	}
	return fmt.Sprintf("sha256:%x", hash.Sum(nil)), nil
}

// decode reads a record and writes it again.
func decode(v *vector) (err error) {
	v.Result, err = again(v.Record)
	return err
}

func again(record string) (string, error) {
	var rel release.Release
	if err := json.Unmarshal([]byte(record), &rel); err != nil {
		return "", err
	}
	written, err := json.Marshal(&rel)
	return string(written), err
}

// postRender renders a chart as helm-controller does, and returns manifest and hooks of the record.
func postRender(v *vector) error {
	loaded, values, err := load(v)
	if err != nil {
		return err
	}
	install := action.NewInstall(configuration())
	install.ReleaseName, install.Namespace = "rel", "default"
	install.DryRunStrategy = action.DryRunClient
	install.PostRenderStrategy = action.PostRenderStrategy(v.Strategy)
	install.PostRenderer = &steps{v}
	result, err := install.Run(loaded, values)
	if err != nil {
		return err
	}
	rel := result.(*release.Release)
	var out strings.Builder
	out.WriteString(rel.Manifest)
	for _, hook := range rel.Hooks {
		fmt.Fprintf(&out, "=== hook %s %s\n%s\n", hook.Name, hook.Path, hook.Manifest)
	}
	v.Result = out.String()
	return nil
}

// steps are a kustomization, common metadata and origin labels, in this order.
type steps struct{ v *vector }

var _ postrenderer.PostRenderer = &steps{}

func (s *steps) Run(in *bytes.Buffer) (*bytes.Buffer, error) {
	var err error
	if s.v.Kustomization != "" {
		if in, err = kustomize(in, s.v.Kustomization); err != nil {
			return nil, err
		}
	}
	var common []resmap.Transformer
	if s.v.Labels != nil {
		common = append(common, labels(s.v.Labels))
	}
	if s.v.Annotations != nil {
		common = append(common, annotations(s.v.Annotations))
	}
	if len(common) > 0 {
		if in, err = transform(in, common...); err != nil {
			return nil, err
		}
	}
	return transform(in, labels(map[string]string{
		"helm.toolkit.fluxcd.io/name":      "rel",
		"helm.toolkit.fluxcd.io/namespace": "default",
	}))
}

func kustomize(in *bytes.Buffer, kustomization string) (*bytes.Buffer, error) {
	tree := filesys.MakeFsInMemory()
	if err := tree.WriteFile("helm-output.yaml", in.Bytes()); err != nil {
		return nil, err
	}
	if err := tree.WriteFile("kustomization.yaml", []byte(kustomization)); err != nil {
		return nil, err
	}
	resources, err := krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: kustypes.LoadRestrictionsNone,
		PluginConfig:     kustypes.DisabledPluginConfig(),
	}).Run(tree, ".")
	if err != nil {
		return nil, err
	}
	text, err := resources.AsYaml()
	return bytes.NewBuffer(text), err
}

func transform(in *bytes.Buffer, transformers ...resmap.Transformer) (*bytes.Buffer, error) {
	factory := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory())
	resources, err := factory.NewResMapFromBytes(in.Bytes())
	if err != nil {
		return nil, err
	}
	for _, transformer := range transformers {
		if err := transformer.Transform(resources); err != nil {
			return nil, err
		}
	}
	text, err := resources.AsYaml()
	return bytes.NewBuffer(text), err
}

func labels(labels map[string]string) resmap.Transformer {
	return &builtins.LabelTransformerPlugin{
		Labels:     labels,
		FieldSpecs: []kustypes.FieldSpec{{Path: "metadata/labels", CreateIfNotPresent: true}},
	}
}

func annotations(annotations map[string]string) resmap.Transformer {
	return &builtins.AnnotationsTransformerPlugin{
		Annotations: annotations,
		FieldSpecs:  []kustypes.FieldSpec{{Path: "metadata/annotations", CreateIfNotPresent: true}},
	}
}
