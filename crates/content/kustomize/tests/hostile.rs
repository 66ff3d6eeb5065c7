//! Builds with hostile input: broken, huge, endless or malicious.
//!
//! Each build succeeds or returns an error with a code. None hangs, panics or exhausts memory.
//! The tests count file reads instead of measuring time.
//! One file, because each class of hostile input has only a test or two.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use sluice_kustomize::fs::{EntryKind, MemFs};
use sluice_kustomize::{Code, Error, Fs, Limits, Options, ResMap, build};

fn command(tree: &dyn Fs, directory: &str) -> Result<ResMap, Error> {
    build(tree, Path::new(directory), &Options::cli())
}

/// Builds `/kustomization.yaml` with one other file.
fn with_file(
    kustomization: &str,
    name: &str,
    contents: impl Into<Vec<u8>>,
) -> Result<ResMap, Error> {
    let tree = MemFs::new()
        .with("/kustomization.yaml", kustomization)
        .with(&format!("/{name}"), contents.into());
    command(&tree, "/")
}

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: b}\n";

/// Counts the reads of a tree.
struct CountingFs {
    tree: MemFs,
    reads: AtomicUsize,
}

impl CountingFs {
    fn new(tree: MemFs) -> Self {
        Self {
            tree,
            reads: AtomicUsize::new(0),
        }
    }

    fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }
}

impl Fs for CountingFs {
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error> {
        self.tree.kind(path)
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.tree.read(path, limit)
    }

    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error> {
        self.tree.read_dir(path)
    }

    fn is_link(&self, path: &Path) -> Result<bool, Error> {
        self.tree.is_link(path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, Error> {
        self.tree.resolve(path)
    }
}

#[test]
fn error_has_the_chain_of_kustomizations_and_the_line() {
    let tree = MemFs::new()
        .with("/top/kustomization.yaml", "resources: [../mid]\n")
        .with("/mid/kustomization.yaml", "components: [../part]\n")
        .with(
            "/part/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [a.yaml]\n",
        )
        .with("/part/a.yaml", "kind: X\nmetadata:\n\tname: x\n");
    let error = command(&tree, "/top").unwrap_err();
    assert_eq!(error.code(), Code::MalformedYaml);
    assert_eq!(error.chain().collect::<Vec<_>>(), ["top", "mid", "part"]);
    assert_eq!(error.file(), Some("part/a.yaml"));
    assert_eq!(error.line(), Some(3));
}

#[test]
fn deep_nesting_is_an_error() {
    let flow = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let mut block = String::from("kind: X\nmetadata: {name: x}\n");
    for depth in 0..11_000 {
        // Each line is one column deeper, within the limit on file size.
        writeln!(block, "{}a:", " ".repeat(depth)).unwrap();
    }
    let resource = format!("kind: X\nmetadata: {{name: x}}\na: {flow}\n");
    for (kustomization, name, contents) in [
        ("resources: [x.yaml]\n", "x.yaml", resource.clone()),
        ("resources: [x.yaml]\n", "x.yaml", block),
        (
            "configurations: [x.yaml]\nnamePrefix: a\n",
            "x.yaml",
            format!("a: {flow}\n"),
        ),
        (
            "patches: [{path: x.yaml, target: {kind: X}}]\n",
            "x.yaml",
            resource,
        ),
        (
            "openapi: {path: x.yaml}\nnamePrefix: a\n",
            "x.yaml",
            format!("a: {flow}\n"),
        ),
        (
            "crds: [x.yaml]\nnamePrefix: a\n",
            "x.yaml",
            format!("a: {flow}\n"),
        ),
        (
            "crds: [x.json]\nnamePrefix: a\n",
            "x.json",
            format!("{{\"a\": {flow}}}"),
        ),
        ("replacements: [{path: x.yaml}]\n", "x.yaml", flow.clone()),
    ] {
        let error = with_file(kustomization, name, contents).unwrap_err();
        let code = error.code();
        let text = error.to_string();
        assert!(text.len() < 4_096, "{kustomization}: {} bytes", text.len());
        assert!(
            !matches!(
                code,
                Code::KustomizationEmpty | Code::PathNotFound | Code::Io
            ),
            "{kustomization}: {code:?}: {text}"
        );
    }
    let error = command(
        &MemFs::new().with("/kustomization.yaml", format!("resources: {flow}\n")),
        "/",
    );
    assert_eq!(error.unwrap_err().code(), Code::YamlLimit);
}

#[test]
fn multiplying_aliases_are_an_error() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        let aliases = [alias.as_str(); 10].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    let resource = format!("kind: X\nmetadata: {{name: x}}\n{bomb}");
    for (kustomization, contents) in [
        ("resources: [x.yaml]\n", &resource),
        ("patchesStrategicMerge: [x.yaml]\n", &resource),
        ("transformers: [x.yaml]\nnamePrefix: a\n", &resource),
        ("configurations: [x.yaml]\nnamePrefix: a\n", &bomb),
        ("replacements: [{path: x.yaml}]\n", &bomb),
    ] {
        let error = with_file(kustomization, "x.yaml", contents.as_str()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("document contains excessive aliasing"),
            "{kustomization}: {error}"
        );
    }
    let error = command(&MemFs::new().with("/kustomization.yaml", bomb), "/").unwrap_err();
    assert_eq!(error.code(), Code::YamlLimit, "{error}");
}

/// Builds a small tree with a limit of a mebibyte, as a base or alone.
fn build_limited(
    kustomization: &str,
    others: &[(&str, String)],
    is_base: bool,
) -> Result<ResMap, Error> {
    let folder = if is_base { "/base" } else { "" };
    let mut tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [base]\n")
        .with(&format!("{folder}/kustomization.yaml"), kustomization)
        .with(&format!("{folder}/map.yaml"), MAP);
    for (name, contents) in others {
        tree = tree.with(&format!("{folder}/{name}"), contents.as_str());
    }
    let limits = Limits {
        added_bytes: 1 << 20,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::cli()
    };
    build(&tree, Path::new("/"), &options)
}

/// Returns code and text of a limit, which a base and a root share.
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
fn exceeded_limit(kustomization: &str, others: &[(&str, String)]) -> (Code, String) {
    let error = build_limited(kustomization, others, true).unwrap_err();
    assert_eq!(
        error.code(),
        build_limited(kustomization, others, false)
            .unwrap_err()
            .code()
    );
    let text = error.to_string();
    assert!(text.len() < 10_000, "{} bytes", text.len());
    (error.code(), text)
}

#[test]
fn unbounded_growth_ends_the_build() {
    let forty = |entry: &str| format!("resources: [map.yaml]\nreplacements:\n{}", entry.repeat(40));
    let doubled_text = forty(
        "- source: {kind: ConfigMap, fieldPath: data.a}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a], options: {delimiter: '-', index: 9}}]\n",
    );
    let doubled_map = forty(
        "- source: {kind: ConfigMap, fieldPath: data}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b, data.c], options: {create: true}}]\n",
    );
    let mut documents = String::new();
    for number in 0..40 {
        let tens = |alias: &str| [alias; 10].join(", ");
        writeln!(
            documents,
            "---\nkind: X\nmetadata: {{name: x{number}}}\na: &a [{}]\nb: &b [{}]\nc: [{}]",
            tens("x"),
            tens("*a"),
            tens("*b")
        )
        .unwrap();
    }
    let long = "x".repeat(30_000);
    let many = |text: &dyn Fn(usize) -> String| (0..40).map(text).collect::<String>();
    let maps = many(&|number| format!("---\nkind: X\nmetadata: {{name: x{number}}}\n"));
    let var = "vars: [{name: V, objref: {kind: ConfigMap, name: map, apiVersion: v1}, fieldref: {fieldPath: data.a}}]";
    let reader = format!(
        "kind: Pod\napiVersion: v1\nmetadata: {{name: p}}\nspec: {{containers: [{{name: c, args: ['{}']}}]}}\n",
        "$(V)".repeat(40)
    );
    let patch = format!("kind: X\nmetadata: {{name: x}}\na: {long}\n");
    // Each path has twice as many places as the previous one.
    let mut places = String::new();
    for level in 0..16 {
        let path = format!("a{}", ".*".repeat(level));
        for half in [0, 1] {
            let rest = ".0".repeat(16 - level);
            writeln!(places, "    - {path}.{half}{rest}").unwrap();
        }
    }
    let skeletons = format!(
        "resources: [map.yaml]\nreplacements:\n- sourceValue: b\n  targets:\n  - select: {{kind: ConfigMap}}\n    options: {{create: true}}\n    fieldPaths:\n{places}"
    );
    let containers = format!(
        "kind: Pod\napiVersion: v1\nmetadata: {{name: p}}\nspec: {{containers: [{}]}}\n",
        "{name: c, image: a},".repeat(40)
    );
    let documents_of_plugins = documents.replace("kind: X", "apiVersion: a/v1\nkind: X");
    let indented = documents_of_plugins.replace('\n', "\n  ");
    let inline = format!("transformers:\n- |-\n  {indented}\n");
    for (kustomization, others) in [
        (doubled_text, vec![]),
        (skeletons, vec![]),
        (inline, vec![]),
        (
            format!("resources: [x.yaml]\nimages: [{{name: a, newTag: {long}}}]"),
            vec![("x.yaml", containers)],
        ),
        (doubled_map, vec![]),
        (
            "resources: [x.yaml]".to_owned(),
            vec![("x.yaml", documents)],
        ),
        (
            format!("resources: [map.yaml, x.yaml]\ncommonAnnotations: {{a: {long}}}"),
            vec![("x.yaml", maps.clone())],
        ),
        (
            format!("resources: [map.yaml, x.yaml]\nnamePrefix: {long}"),
            vec![("x.yaml", maps.clone())],
        ),
        (
            format!("resources: [map.yaml, x.yaml]\nnamespace: {long}"),
            vec![("x.yaml", maps.clone())],
        ),
        (
            "resources: [x.yaml]\npatches: [{target: {kind: X}, path: y.yaml}]".to_owned(),
            vec![("x.yaml", maps.clone()), ("y.yaml", patch)],
        ),
        (
            format!("resources: [x.yaml, y.yaml]\n{var}"),
            vec![
                ("x.yaml", reader),
                ("y.yaml", MAP.replace("a: b", &format!("a: {long}"))),
            ],
        ),
    ] {
        let (code, text) = exceeded_limit(&kustomization, &others);
        assert_eq!(code, Code::Limit, "{text}");
        assert!(text.contains("add more than 1048576 bytes"), "{text}");
    }
    // A change without effect adds nothing.
    let images = format!("resources: [map.yaml, x.yaml]\nimages: [{{name: a, newTag: {long}}}]");
    assert!(build_limited(&images, &[("x.yaml", maps)], true).is_ok());
}

#[test]
fn copies_of_json_patches_have_their_own_limit() {
    // The message is upstream's.
    let copies = |from: &str, to: &str, count: usize| {
        let copy = format!("    - {{op: copy, from: {from}, path: {to}}}\n");
        let first = "resources: [map.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    - {op: add, path: /x, value: [[a]]}\n";
        format!("{first}{}", copy.repeat(count))
    };
    let (code, text) = exceeded_limit(&copies("/x", "/x/-", 40), &[]);
    assert_eq!(code, Code::PatchFailed, "{text}");
    assert!(
        text.contains("accumulated size increase of JSON patch copy"),
        "{text}"
    );
    let (code, text) = exceeded_limit(&copies("/x", "/x/0", 400), &[]);
    assert_eq!(code, Code::PatchFailed, "{text}");
}

#[test]
fn created_nodes_are_limited_in_depth() {
    let path = |delimiter: &str| vec!["a"; 20_000].join(delimiter);
    let transformer = |kind: &str, rest: &str| {
        format!("apiVersion: builtin\nkind: {kind}\nmetadata: {{name: t}}\n{rest}\n")
    };
    let transformers = "resources: [map.yaml]\ntransformers: [x.yaml]\n".to_owned();
    let nested = "{a: ".repeat(200) + "b" + &"}".repeat(200);
    let copied = |source: &str, target: &str| {
        format!(
            "resources: [x.yaml]\nreplacements:\n- source: {{kind: X, fieldPath: {source}}}\n  targets: [{{select: {{kind: X}}, fieldPaths: [{target}], options: {{create: true}}}}]\n"
        )
    };
    let deep = format!("kind: X\nmetadata: {{name: x}}\nb: {nested}\n");
    let way = ["c"; 100].join(".");
    for (kustomization, contents) in [
        (
            transformers.clone(),
            transformer(
                "AnnotationsTransformer",
                &format!(
                    "annotations: {{a: b}}\nfieldSpecs: [{{path: {}, create: true}}]",
                    path("/")
                ),
            ),
        ),
        (
            transformers,
            transformer(
                "ValueAddTransformer",
                &format!("value: a\ntargets: [{{fieldPath: {}}}]", path("/")),
            ),
        ),
        (copied("metadata.name", &path(".")), deep.clone()),
        (copied("b", &way), deep.clone()),
        (
            format!(
                "resources: [x.yaml]\npatches: [{{target: {{kind: X}}, patch: '- {{op: move, from: /b, path: /c{}}}'}}]",
                "/a".repeat(100)
            ),
            deep.replace("b: {", &format!("c: {nested}\nb: {{")),
        ),
    ] {
        let tree = MemFs::new()
            .with("/kustomization.yaml", kustomization.as_str())
            .with("/map.yaml", MAP)
            .with("/x.yaml", contents);
        let error = command(&tree, "/").unwrap_err();
        let text = error.to_string();
        let is_ours =
            text.contains("nested deeper than 256") || text.contains("more than 256 parts");
        assert!(is_ours, "{}", &text[text.len().saturating_sub(400)..]);
    }
}

#[test]
fn file_of_a_hundred_megabytes_is_not_read() {
    let huge = vec![b'x'; 100 << 20];
    let tree = MemFs::new()
        .with("/kustomization.yaml", "resources: [x.yaml]\n")
        .with("/x.yaml", huge);
    assert_eq!(command(&tree, "/").unwrap_err().code(), Code::Limit);
}

#[test]
fn oversized_expressions_are_rejected() {
    let absurd = "((a{1000}){1000}){1000}";
    for (kustomization, code) in [
        (
            format!(
                "patches: [{{patch: '[{{\"op\": \"remove\", \"path\": \"/data\"}}]', target: {{name: '{absurd}'}}}}]\n"
            ),
            Code::PatchTarget,
        ),
        (
            format!(
                "replacements: [{{sourceValue: x, targets: [{{select: {{name: '{absurd}'}}}}]}}]\n"
            ),
            Code::ReplacementInvalid,
        ),
    ] {
        let kustomization = format!("resources: [x.yaml]\n{kustomization}");
        let error = with_file(&kustomization, "x.yaml", MAP).unwrap_err();
        assert_eq!(error.code(), code, "{kustomization}: {error}");
    }
    // Matching is linear; a backtracking engine would not finish.
    let slow = format!(
        "resources: [x.yaml]\nimages: [{{name: '(x+x+)+y', newTag: a}}]\ntransformers: []\n# {}\n",
        "-".repeat(10)
    );
    let pod = format!(
        "kind: Pod\nmetadata: {{name: x}}\nspec: {{containers: [{{image: {}}}]}}\n",
        "x".repeat(50_000)
    );
    assert!(with_file(&slow, "x.yaml", pod).is_ok());
}

#[test]
fn nested_diamonds_build_each_base_once() {
    let mut tree = MemFs::new().with("/b0/kustomization.yaml", "namePrefix: x-\n");
    let levels = 30;
    for level in 1..=levels {
        let below = level - 1;
        tree = tree
            .with(
                &format!("/l{level}/kustomization.yaml"),
                format!("resources: [../b{below}]\nnamePrefix: l-\n"),
            )
            .with(
                &format!("/r{level}/kustomization.yaml"),
                format!("resources: [../b{below}]\nnamePrefix: r-\n"),
            )
            .with(
                &format!("/b{level}/kustomization.yaml"),
                format!("resources: [../l{level}, ../r{level}]\n"),
            );
    }
    let tree = CountingFs::new(tree);
    let built = command(&tree, &format!("/b{levels}")).unwrap();
    assert!(built.resources().is_empty());
    assert_eq!(tree.reads(), 3 * levels + 1);
}

#[test]
fn base_of_fifty_overlays_is_read_once() {
    let mut resources = String::from("resources:\n");
    let mut tree = MemFs::new().with("/base/kustomization.yaml", "resources: [map.yaml]\n");
    tree = tree.with("/base/map.yaml", MAP);
    for overlay in 0..50 {
        writeln!(resources, "- ../o{overlay}").unwrap();
        tree = tree.with(
            &format!("/o{overlay}/kustomization.yaml"),
            format!("resources: [../base]\nnamePrefix: o{overlay}-\n"),
        );
    }
    let tree = CountingFs::new(tree.with("/top/kustomization.yaml", resources));
    let built = command(&tree, "/top").unwrap();
    assert_eq!(built.resources().len(), 50);
    assert_eq!(tree.reads(), 53);
}

#[test]
fn no_field_value_panics() {
    const FIELDS: [&str; 36] = [
        "apiVersion",
        "kind",
        "metadata",
        "resources",
        "bases",
        "components",
        "crds",
        "configurations",
        "namespace",
        "namePrefix",
        "nameSuffix",
        "commonLabels",
        "labels",
        "commonAnnotations",
        "images",
        "imageTags",
        "replicas",
        "patches",
        "patchesStrategicMerge",
        "patchesJson6902",
        "replacements",
        "vars",
        "configMapGenerator",
        "secretGenerator",
        "generatorOptions",
        "sortOptions",
        "buildMetadata",
        "openapi",
        "generators",
        "transformers",
        "validators",
        "helmCharts",
        "helmGlobals",
        "helmChartInflationGenerator",
        "inventory",
        "unknown",
    ];
    const VALUES: [&str; 24] = [
        "null",
        "~",
        "1",
        "-1.5",
        "true",
        "x",
        "''",
        "[]",
        "{}",
        "[null]",
        "[1]",
        "['']",
        "[x]",
        "[{}]",
        "{a: null}",
        "{a: b}",
        "[[]]",
        "[{a: null}]",
        "{name: x}",
        "[{name: x}]",
        "[{path: x.yaml}]",
        "[{target: {}, patch: '{}'}]",
        "{path: x.yaml}",
        "[{source: null, targets: [null]}]",
    ];
    for field in FIELDS {
        for value in VALUES {
            let kustomization = format!("resources: [x.yaml]\n{field}: {value}\n");
            // Only a panic fails the test; other tests compare the outcome.
            drop(with_file(&kustomization, "x.yaml", MAP));
        }
    }
}

#[test]
fn no_null_in_a_manifest_panics() {
    let everything = "resources: [x.yaml]\nnamePrefix: a-\nnameSuffix: -b\nnamespace: n\n\
        commonLabels: {l: m}\ncommonAnnotations: {note: x}\n\
        images: [{name: nginx, newTag: a}]\nreplicas: [{name: x, count: 1}]\n\
        patches: [{target: {kind: Deployment}, patch: '{kind: A, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c}]}}}}'}]\n";
    for path in [
        "metadata",
        "metadata.labels",
        "metadata.annotations",
        "spec",
        "spec.selector",
        "spec.template",
        "spec.template.metadata",
        "spec.template.spec",
        "spec.template.spec.containers",
        "spec.template.spec.containers.0.image",
        "spec.template.spec.volumes",
        "subjects",
        "roleRef",
        "webhooks",
        "data",
        "items",
    ] {
        for leaf in ["null", "[]", "{}", "1", "[null]", "[[]]", "x"] {
            let mut value = leaf.to_owned();
            for name in path.rsplit('.') {
                value = match name {
                    "0" => format!("[{value}]"),
                    name => format!("{{{name}: {value}}}"),
                };
            }
            for kind in ["Deployment", "RoleBinding", "ConfigMap", "ConfigMapList"] {
                let object = value.trim_start_matches('{').trim_end_matches('}');
                let metadata = if path.starts_with("metadata") {
                    ""
                } else {
                    ", metadata: {name: x}"
                };
                let open = value.len() - value.trim_start_matches('{').len();
                let close = "}".repeat(open.saturating_sub(1));
                let text =
                    format!("{{apiVersion: apps/v1, kind: {kind}{metadata}, {object}{close}}}\n");
                drop(with_file(everything, "x.yaml", text));
            }
        }
    }
}

#[test]
fn parallel_builds_with_different_schemas_agree() {
    let tree = |merges: bool| {
        let strategy = if merges { "merge" } else { "replace" };
        MemFs::new()
            .with(
                "/kustomization.yaml",
                "resources: [bee.yaml]\nopenapi: {path: schema.json}\n\
                 patches: [{patch: '{apiVersion: example.com/v1, kind: Bee, metadata: {name: m}, spec: {flowers: [{name: lily, color: pink}]}}'}]\n",
            )
            .with(
                "/bee.yaml",
                "apiVersion: example.com/v1\nkind: Bee\nmetadata: {name: m}\nspec: {flowers: [{name: rose}, {name: lily, size: 1}]}\n",
            )
            .with(
                "/schema.json",
                format!(
                    r#"{{"definitions": {{"Bee": {{"properties": {{"spec": {{"properties": {{"flowers": {{
                    "type": "array", "items": {{"type": "object"}},
                    "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "{strategy}"}}}}}}}},
                    "x-kubernetes-group-version-kind": [{{"group": "example.com", "kind": "Bee", "version": "v1"}}]}}}}}}"#
                ),
            )
    };
    let trees = [tree(true), tree(false)];
    let alone = trees
        .each_ref()
        .map(|tree| command(tree, "/").unwrap().to_yaml());
    assert_ne!(alone[0], alone[1]);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (trees, alone) = (&trees, &alone);
            scope.spawn(move || {
                for turn in 0..250 {
                    let which = (worker + turn) % 2;
                    let built = command(&trees[which], "/").unwrap();
                    assert_eq!(built.to_yaml(), alone[which]);
                }
            });
        }
    });
}
