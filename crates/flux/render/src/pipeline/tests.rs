//! Renders small trees.

use sluice_kustomize::fs::MemFs;
use sluice_kustomize::substitute::{self, Variables};

use super::*;

fn render(tree: &MemFs, node: Node) -> Result<RenderedNode, RenderError> {
    super::render(tree, node, &Options::flux())
}

const CONFIG: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\ndata: {a: b}\n";

fn at(path: &str) -> Node {
    Node {
        directory: Path::new("/").join(path),
        ..Node::default()
    }
}

fn with_variables(variables: Result<Variables, String>, strict: bool) -> Node {
    Node {
        variables: Some(variables),
        substitution: substitute::Options {
            strict,
            always: false,
        },
        ..Node::default()
    }
}

#[test]
fn digest_covers_substituted_variables() {
    let tree = MemFs::new().with(
        "a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \"${v}\", b: x}\n",
    );
    let built = |value: &str| {
        let variables = [("v", value)].into_iter().collect();
        render(&tree, with_variables(Ok(variables), true)).unwrap()
    };
    let one = built("1");
    assert_eq!(
        one.objects[0].at(&["data", "a"]),
        Some(&serde_json::json!(1))
    );
    assert_ne!(one.digest, built("2").digest);
    assert_eq!(one.digest, built("1").digest);
    // Without any variable the text stays.
    let none = render(&tree, with_variables(Ok(Variables::default()), true)).unwrap();
    assert_eq!(none.objects[0].str_at(&["data", "a"]), Some("${v}"));
}

#[test]
fn substitution_error_names_the_object() {
    let tree = MemFs::new().with(
        "a.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {a: \"${missing}\"}\n",
    );
    let error_of = |variables| {
        render(&tree, with_variables(variables, true))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error_of(Ok([("v", "")].into_iter().collect())),
        "post build failed for 'Deployment.v1.apps/a': envsubst error: variable substitution failed: variable not set (strict mode): \"missing\""
    );
    assert_eq!(
        error_of(Err(
            "substitute from 'Secret/x' error: secrets \"x\" not found".to_owned()
        )),
        "post build failed for 'Deployment.v1.apps/a': substitute from 'Secret/x' error: secrets \"x\" not found"
    );
    assert_eq!(
        error_of(Ok([("a-b", "")].into_iter().collect())),
        "post build failed for 'Deployment.v1.apps/a': envsubst error: 'a-b' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'"
    );
}

#[test]
fn hidden_values_stay_out_of_messages() {
    let tree = MemFs::new().with(
        "a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ${v}\n",
    );
    let node = |value: &str| {
        let mut node = with_variables(Ok([("v", value)].into_iter().collect()), true);
        node.hidden.add(value);
        node
    };
    let built = render(&tree, node("canary-value")).unwrap();
    assert_eq!(built.hidden.mask("canary-value".to_owned()), "***");
    assert!(!format!("{built:?}").contains("canary"), "{built:?}");
    for broken in ["canary-value: [", "*canary-alias", "\"canary-quote"] {
        let error = render(&tree, node(broken)).unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("canary"),
            "{error:?}"
        );
    }
}

fn names(built: &RenderedNode) -> Vec<String> {
    built
        .objects
        .iter()
        .map(|object| object.id().to_string())
        .collect()
}

#[test]
fn plain_directory_renders_all_manifests_below() {
    let tree = MemFs::new()
        .with("deploy/a.yaml", CONFIG)
        .with("deploy/more/list.yml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n")
        .with("deploy/README.md", "# not a manifest")
        .with("elsewhere.yaml", "not: a manifest");
    let built = render(&tree, at("deploy")).unwrap();
    assert_eq!(names(&built), ["ConfigMap/apps/a", "Namespace/n"]);
    assert!(built.digest.starts_with("sha256:"), "{}", built.digest);
}

#[test]
fn kustomization_file_selects_resources() {
    let tree = MemFs::new()
        .with("kustomization.yaml", "resources: [a.yaml]")
        .with("a.yaml", CONFIG)
        .with("b.yaml", "nonsense");
    assert_eq!(names(&render(&tree, at("")).unwrap()), ["ConfigMap/apps/a"]);
}

#[test]
fn empty_directory_renders_nothing() {
    let tree = MemFs::new().with("README.md", "");
    assert_eq!(render(&tree, at("")).unwrap().objects, []);
}

#[test]
fn errors_do_not_contain_local_paths() {
    let tree = MemFs::new()
        .with("bad/a.yaml", "a: [")
        .with("file", "")
        .with("k/kustomization.yaml", "resources: [gone.yaml]");
    let error_of = |path: &str| render(&tree, at(path)).unwrap_err().to_string();
    assert_eq!(
        error_of("gone"),
        "kustomization path not found: stat gone: no such file or directory"
    );
    assert_eq!(
        error_of("file"),
        "kustomization path not found: file is not a directory"
    );
    assert!(
        error_of("bad").starts_with("failed to decode Kubernetes YAML from "),
        "{}",
        error_of("bad")
    );
    assert!(
        error_of("k").starts_with("kustomize build failed: "),
        "{}",
        error_of("k")
    );
    assert!(error_of("k").contains("gone.yaml"));
}
