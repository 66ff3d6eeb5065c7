//! Tests objects whose CRD is part of the same build. They are validated like the API server would.

use sluice_client::{Cluster, GroupVersionKind, ListOptions, PatchOptions};

use super::{CHANGED, Scene};

/// Returns a CRD of trees with a schema.
fn definition(group: &str, scope: &str) -> String {
    format!(
        r"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: trees.{group}
spec:
  group: {group}
  names: {{kind: Tree, plural: trees}}
  scope: {scope}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [species]
            properties:
              species: {{type: string, enum: [oak, elm]}}
              height: {{type: integer, minimum: 1}}
              planted: {{type: string, format: date}}
              token: {{type: string, maxLength: 8, pattern: '^[a-z]+$'}}
              crown: {{type: integer, default: 1}}
            x-kubernetes-validations:
            - rule: '!has(self.height) || self.crown <= self.height'
              message: the crown is not above the tree
  - name: v0
    served: false
    storage: false
    schema: {{openAPIV3Schema: {{type: object}}}}
"
    )
}

fn tree(group: &str, version: &str, name: &str, spec: &str) -> String {
    format!(
        "---\napiVersion: {group}/{version}\nkind: Tree\nmetadata: {{name: {name}, namespace: NAMESPACE}}\nspec: {spec}\n"
    )
}

/// Installs a CRD, and waits until its kind is served.
async fn install(cluster: &Cluster, definition: &str, group: &str) {
    let value: serde_json::Value = sluice_yaml::v2::from_str(definition).unwrap();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    cluster
        .create(&kind, None, &value, PatchOptions::default())
        .await
        .unwrap();
    let tree = GroupVersionKind::gvk(group, "v1", "Tree");
    while let Err(error) = cluster.list(&tree, None, &ListOptions::default()).await {
        assert!(error.has_no_match() || error.is_unserved(), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn violation_of_new_definition_has_the_server_text() {
    let scene = Scene::new("schema").await;
    let group = format!("{}.example.com", scene.bed.name("group"));
    let definition = definition(&group, "Namespaced");
    let trees = [
        (
            "good",
            "{species: oak, height: 3, planted: '2024-02-29', token: abc}",
        ),
        ("kind", "{species: ash}"),
        ("number", "{species: oak, height: 0}"),
        ("type", "{species: oak, height: high}"),
        ("typo", "{species: oak, heigth: 3}"),
        ("none", "{height: 3}"),
        ("date", "{species: oak, planted: '2023-02-29'}"),
        ("rule", "{species: oak, height: 1, crown: 2}"),
        ("several", "{height: 0, token: ABC}"),
    ];
    let trees: String = trees
        .iter()
        .map(|(name, spec)| tree(&group, "v1", name, spec))
        .collect();
    scene.write("definition.yaml", &definition);
    scene.write("trees.yaml", &trees);
    scene.kustomization("apps", &[]).await;
    let before = scene.diff("");
    assert_eq!(before.code, 2, "{before:#?}");
    let expected = format!(
        "► CustomResourceDefinition/trees.{group} created\n► Tree/NAMESPACE/good created\n"
    );
    assert_eq!(before.stdout, scene.expected(&expected));
    for said in [
        format!(
            "Tree/NAMESPACE/kind dry-run failed (Invalid): Tree.{group} \"kind\" is invalid: [spec.species: Unsupported value: \"ash\": supported values: \"oak\", \"elm\", <nil>: Invalid value: null: some validation rules were not checked"
        ),
        format!(
            "Tree/NAMESPACE/type dry-run failed: failed to create typed patch object (NAMESPACE/type; {group}/v1, Kind=Tree): .spec.height: expected numeric (int or float), got string\n"
        ),
        format!(
            "Tree/NAMESPACE/rule dry-run failed (Invalid): Tree.{group} \"rule\" is invalid: spec: Invalid value: the crown is not above the tree\n"
        ),
    ] {
        let said = scene.expected(&said);
        assert!(before.stderr.contains(&said), "{said}\n{}", before.stderr);
    }

    install(&scene.cluster, &definition, &group).await;
    let after = scene.diff("");
    assert_eq!(after.code, 2, "{after:#?}");
    assert_eq!(sorted(&after.stderr), sorted(&before.stderr));
    let drifted = format!("► CustomResourceDefinition/trees.{group} drifted\n");
    assert!(after.stdout.starts_with(&drifted), "{}", after.stdout);
    let created = scene.expected("► Tree/NAMESPACE/good created\n");
    assert!(after.stdout.ends_with(&created), "{}", after.stdout);
}

/// Returns the lines. Faults of one object are sorted, because the server's order is random.
fn sorted(said: &str) -> Vec<Vec<&str>> {
    let lines = said.lines().map(|line| {
        let parts = line.split(['[', ']']).flat_map(|part| part.split(", "));
        let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.sort_unstable();
        parts
    });
    lines.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn unserved_version_of_new_definition_is_unknown() {
    let scene = Scene::new("version").await;
    let group = format!("{}.example.com", scene.bed.name("group"));
    let trees = tree(&group, "v0", "old", "{}") + &tree(&group, "v2", "new", "{}");
    scene.write("definition.yaml", &definition(&group, "Namespaced"));
    scene.write("trees.yaml", &trees);
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    for version in ["v0", "v2"] {
        let said = format!("no matches for kind \"Tree\" in version \"{group}/{version}\"");
        assert!(ended.stderr.contains(&said), "{}", ended.stderr);
    }
    assert_eq!(
        ended.stdout,
        format!("► CustomResourceDefinition/trees.{group} created\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn new_definition_decides_about_namespaces() {
    let scene = Scene::new("scope").await;
    let wide = format!("{}.example.com", scene.bed.name("wide"));
    let narrow = format!("{}.example.com", scene.bed.name("narrow"));
    let lost = tree(&narrow, "v1", "lost", "{species: oak}").replace(", namespace: NAMESPACE", "");
    scene.write(
        "wide.yaml",
        &(definition(&wide, "Cluster") + &tree(&wide, "v1", "oak", "{species: oak}")),
    );
    scene.write("narrow.yaml", &(definition(&narrow, "Namespaced") + &lost));
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(
        ended.stdout.contains("► Tree/oak created\n"),
        "{}",
        ended.stdout
    );
    let said =
        "Tree/lost namespace not specified: the server could not find the requested resource";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejection_by_new_definition_is_masked() {
    let scene = Scene::new("masked").await;
    let group = format!("{}.example.com", scene.bed.name("group"));
    let tree = tree(&group, "v1", "oak", "{species: oak, token: CANARY}");
    scene.write("all.yaml", &(definition(&group, "Namespaced") + &tree));
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("--mask Tree/spec/token");
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(
        ended.stderr.contains("spec.token: Invalid value"),
        "{}",
        ended.stderr
    );
    assert!(!format!("{ended:?}").contains("CANARY"), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_definition_still_validates() {
    let scene = Scene::new("broken").await;
    let group = format!("{}.example.com", scene.bed.name("group"));
    let definition = definition(&group, "Namespaced");
    let unreadable = definition.replace("type: integer, minimum: 1", "$ref: '#/x'");
    let tree = tree(&group, "v1", "oak", "{species: ash}");
    scene.write("all.yaml", &(unreadable + &tree));
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(ended.stderr.contains("$ref"), "{}", ended.stderr);
    assert_eq!(
        ended.stdout,
        scene.expected("► Tree/NAMESPACE/oak created\n")
    );

    scene.write("all.yaml", &(definition + &tree.replace("ash", "elm")));
    let ended = scene.diff("");
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (1, CHANGED),
        "{ended:#?}"
    );
}
