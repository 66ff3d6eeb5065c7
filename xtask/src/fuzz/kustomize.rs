//! Builds and substitution: no tree and no template causes a panic, a hang or unbounded memory. Two
//! builds of one tree give the same result.

use std::path::Path;

use sluice_artifact::untar;
use sluice_kustomize::flux::{self, Spec};
use sluice_kustomize::fs::{MemFs, join};
use sluice_kustomize::{Limits, Options, build, substitute};
use sluice_yaml::{json, v2};

use super::Target;

/// Begins a file: this prefix, its path, a line feed.
const FILE: &str = "%%% ";

/// The folder that is built.
const ROOT: &str = "/app";

/// Expands a template, leniently and strictly.
pub(super) const SUBSTITUTION: Target = Target {
    name: "substitution",
    run: |bytes| {
        let value = |name: &str| {
            let values = [
                ("a", "abcabc"),
                ("b", "B/c.d.tar.gz"),
                ("n", "-2"),
                ("u", "éΣßİ\u{1f80}x"),
                ("e", ""),
                ("q", "\"'\\*?["),
                ("s", "${a}$$"),
            ];
            let known = values.into_iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| value)
        };
        let expand = |strict| {
            let mut budget = substitute::Budget::default();
            substitute::expand(bytes, strict, value, &mut budget)
        };
        let lenient = expand(false);
        if let Ok(strict) = expand(true) {
            assert_eq!(lenient.as_ref(), Ok(&strict), "strictness only refuses");
        }
        // A NUL ends a template, as in the reference.
        if !bytes.contains(&b'$') && !bytes.contains(&0) {
            assert_eq!(lenient.as_deref(), Ok(bytes), "nothing to expand");
        }
        if let Ok(text) = str::from_utf8(bytes) {
            let options = substitute::Options {
                strict: false,
                always: true,
            };
            let variables = [("a", "1"), ("b", "yes"), ("u", "é: [x]")];
            drop(substitute::expand_object(
                text,
                &variables.into_iter().collect(),
                options,
                &mut substitute::Budget::default(),
            ));
        }
    },
    seeds: || {
        let vectors =
            crate::repository().join("crates/content/kustomize/tests/envsubst/vectors.jsonl");
        let vectors = std::fs::read_to_string(vectors).expect("the vectors are in the repository");
        let template = |line: &str| {
            let vector = json::from_str(line).expect("a vector is JSON");
            let template = vector["t"].as_str().unwrap_or_default();
            format!("k: {template}\n").into_bytes()
        };
        vectors.lines().step_by(7).map(template).collect()
    },
    words: &[
        "${",
        "}",
        "$",
        "$$",
        "${a",
        "${b}",
        "${u}",
        "${e}",
        "${x}",
        ":-",
        ":=",
        ":+",
        ":?",
        "-",
        "=",
        "+",
        "?",
        "#",
        "##",
        "%",
        "%%",
        "/",
        "//",
        "/#",
        "/%",
        ":1",
        ":-1",
        ":1:2",
        ":n:n",
        "^",
        "^^",
        ",",
        ",,",
        "*",
        "?",
        "[a-c]",
        "[^a]",
        "[!a]",
        "[",
        "]",
        "\\",
        "\"",
        "'",
        "é",
        "${#a}",
        "${#",
        "${a:-${b:-${u}}}",
        "99999999999999999999",
        "********",
        "\n",
        " ",
    ],
};

/// Builds a tree as the command and as Flux do.
pub(super) const BUILD: Target = Target {
    name: "kustomization-build",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let tree = tree(text);
        let limits = Limits {
            file_bytes: 1 << 20,
            total_bytes: 4 << 20,
            added_bytes: 16 << 20,
            resources: 5_000,
            depth: 32,
        };
        let once = |options: Options| {
            let options = Options { limits, ..options };
            build(&tree, Path::new(ROOT), &options).map(|built| built.to_yaml())
        };
        let first = once(Options::cli());
        if let Ok(yaml) = &first {
            assert!(v2::documents(yaml).is_ok(), "the output is valid YAML");
        }
        let same = match (&first, &once(Options::cli())) {
            (Ok(first), Ok(second)) => first == second,
            (Err(first), Err(second)) => first.to_string() == second.to_string(),
            _ => false,
        };
        assert!(same, "two builds of one tree differ");
        let options = Options {
            limits,
            ..Options::flux()
        };
        let spec = Spec {
            target_namespace: Some("team".to_owned()),
            name_prefix: Some("p-".to_owned()),
            ..Spec::default()
        };
        drop(flux::build(&tree, Path::new(ROOT), &spec, &options));
    },
    seeds: || {
        let mut seeds: Vec<_> = OVERLAYS
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect();
        let cases = crate::repository().join("crates/content/kustomize/tests/cases");
        for field in entries(&cases) {
            for case in entries(&field) {
                let mut seed = String::new();
                add(&mut seed, &case.join("files"), ROOT);
                seeds.push(seed.into_bytes());
            }
        }
        seeds
    },
    words: &[
        "\n",
        "\n  ",
        "- ",
        ": ",
        "null",
        "{}",
        "[]",
        "\n---\n",
        "\"\"",
        "%%% /app/",
        "%%% /app/kustomization.yaml\n",
        "a.yaml",
        "../base",
        ".",
        "/",
        "name: web",
        "namespace: x",
        "kind: Deployment",
        "kind: Component",
        "kind: List\nitems:\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
        "resources: [a.yaml]\n",
        "components: [../c]\n",
        "namePrefix: p-\n",
        "namespace: n\n",
        "commonLabels: {a: b}\n",
        "labels: [{pairs: {a: b}, includeSelectors: true}]\n",
        "images: [{name: web, newTag: \"2\"}]\n",
        "replicas: [{name: web, count: 3}]\n",
        "configMapGenerator: [{name: g, literals: [a=b]}]\n",
        "secretGenerator: [{name: s, files: [a.yaml]}]\n",
        "patches: [{path: a.yaml}]\n",
        "patches: [{target: {kind: .*}, patch: '[{op: add, path: /x, value: 1}]'}]\n",
        "replacements: [{source: {kind: Service}, targets: [{select: {name: .*}, fieldPaths: [a.b]}]}]\n",
        "vars: [{name: V, objref: {kind: Service, name: web, apiVersion: v1}}]\n",
        "$(V)",
        "behavior: merge",
        "options: {disableNameSuffixHash: true}",
        "options: {create: true, delimiter: '-', index: 1}",
        "patches: [{target: {kind: .*}, patch: '- {op: copy, from: /metadata, path: /metadata/x}'}]\n",
        "    - {op: copy, from: /data, path: /data/x}\n",
        "generators: [a.yaml]\n",
        "transformers: [a.yaml]\n",
        "buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]\n",
        "sortOptions: {order: legacy}\n",
        "openapi: {path: a.yaml}\n",
        "configurations: [a.yaml]\n",
        "crds: [a.yaml]\n",
        "*.[name=web].-1",
    ],
};

/// Returns the files of an input.
fn tree(text: &str) -> MemFs {
    let mut tree = MemFs::new();
    for file in text.split(FILE).skip(1) {
        let (path, contents) = file.split_once('\n').unwrap_or((file, ""));
        if is_in_tree(path) {
            tree.insert(path, contents);
        }
    }
    tree
}

/// Whether an archive can contain this path: it stays in the tree and has a valid length.
pub(super) fn is_in_tree(path: &str) -> bool {
    let joined = join(Path::new("/"), path);
    path.len() <= untar::MAX_PATH && joined.is_some_and(|path| path.parent().is_some())
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Adds the files of a folder to an input.
fn add(seed: &mut String, folder: &Path, to: &str) {
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let to = format!("{to}/{name}");
        if path.is_dir() {
            add(seed, &path, &to);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            seed.extend([FILE, &to, "\n", &text]);
        }
    }
}

const OVERLAYS: &[&str] = &[
    "%%% /app/kustomization.yaml
resources: [../base, service.yaml]
namespace: prod
namePrefix: p-
nameSuffix: -s
commonLabels: {team: a}
commonAnnotations: {note: b}
labels: [{pairs: {tier: x}, includeTemplates: true, fields: [{path: spec/x, create: true}]}]
images: [{name: web, newName: other/web, newTag: v2}, {name: side, digest: 'sha256:abc'}]
replicas: [{name: web, count: 5}]
patches:
- path: patch.yaml
- target: {kind: Deployment, labelSelector: app=web}
  patch: |
    - {op: replace, path: /spec/template/spec/containers/0/args, value: [x]}
configMapGenerator:
- {name: settings, literals: [a=b, 'c=d e'], files: [key=data.txt], behavior: merge}
- {name: more, envs: [data.env], options: {labels: {l: m}, immutable: true}}
secretGenerator: [{name: token, literals: [t=1], type: Opaque}]
replacements:
- source: {kind: Service, name: web, fieldPath: spec.clusterIP}
  targets:
  - select: {kind: Deployment}
    reject: [{name: none}]
    fieldPaths: ['spec.template.spec.containers.[name=web].env.[name=A].value']
    options: {delimiter: '-', index: 1, create: true}
generatorOptions: {annotations: {g: h}}
%%% /app/service.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: 1.2.3.4, selector: {app: web}, ports: [{port: 80}]}
%%% /app/patch.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: side, $patch: delete}, {name: web, image: web}]}}}
%%% /app/data.txt
text
%%% /app/data.env
A=1
# comment
B
%%% /base/kustomization.yml
resources: [deployment.yaml]
configMapGenerator: [{name: settings, literals: [z=1]}]
%%% /base/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: 'web:1', env: [{name: A, value: x-y}], envFrom: [{configMapRef: {name: settings}}]}
      - {name: side, image: side}
",
    "%%% /app/kustomization.yaml
resources: [all.yaml]
vars:
- name: HOST
  objref: {kind: Service, name: web, apiVersion: v1}
  fieldref: {fieldpath: metadata.name}
configurations: [config.yaml]
crds: [crd.json]
openapi: {path: schema.json}
buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]
sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Namespace], orderLast: [Job]}}
%%% /app/config.yaml
nameReference:
- kind: Service
  fieldSpecs: [{path: spec/ref/name, kind: Thing}]
varReference: [{path: spec/host, kind: Thing}]
namePrefix: [{path: metadata/name}]
%%% /app/crd.json
{\"g.v1.Thing\": {\"Schema\": {\"properties\": {\"apiVersion\": {}, \"kind\": {}, \"metadata\": {}}}}}
%%% /app/schema.json
{\"definitions\": {\"v1.Thing\": {\"properties\": {\"list\": {\"type\": \"array\", \"x-kubernetes-patch-strategy\": \"merge\", \"x-kubernetes-patch-merge-key\": \"name\", \"items\": {\"$ref\": \"#/definitions/v1.Thing\"}}}, \"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"Thing\"}]}}}
%%% /app/all.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: g/v1
kind: Thing
metadata: {name: t, annotations: {config.kubernetes.io/local-config: 'true'}}
spec: {host: 'http://$(HOST)/', ref: {name: web}}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: n}}
",
    "%%% /app/kustomization.yaml
kind: Kustomization
components: [../extra]
resources: [role.yaml]
generators: [gen.yaml]
transformers:
- |
  apiVersion: builtin
  kind: PrefixTransformer
  metadata: {name: x}
  prefix: q-
  fieldSpecs: [{path: metadata/name}]
patchesStrategicMerge:
- |
  apiVersion: v1
  kind: ServiceAccount
  metadata: {name: sa, labels: {x: y}}
patchesJson6902:
- target: {version: v1, kind: ServiceAccount, name: sa}
  patch: '[{\"op\": \"add\", \"path\": \"/metadata/labels/z\", \"value\": \"1\"}]'
%%% /app/gen.yaml
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: made}
literals: [a=b]
%%% /app/role.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb, namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [{kind: ServiceAccount, name: sa, namespace: a}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r, namespace: a}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: a, labels: {}}
%%% /extra/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
namespace: b
configMapGenerator: [{name: made-too, literals: [c=d]}]
patches: [{patch: '{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"sa\",\"namespace\":\"a\"}}'}]
",
    "%%% /app/a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {kustomize.config.k8s.io/behavior: merge}}
data: {k: \"line one\\nline two\\n\", n: '1', y: 'yes'}
binaryData: {b: AAAA}
%%% /app/b/kustomization.yaml
resources: [c.yaml]
%%% /app/b/c.yaml
apiVersion: v1
kind: Secret
metadata: {name: c}
stringData: {k: v}
",
];
