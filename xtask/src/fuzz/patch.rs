//! Patches: no patch causes a panic, a hang or unbounded memory. A patch that does not apply leaves
//! the object unchanged.

use std::cell::OnceCell;

use sluice_object::json_patch::{Document, Patch};
use sluice_object::openapi::Schemas;
use sluice_object::{merge, strategic};
use sluice_yaml::tree::{self, Indent};
use sluice_yaml::{Value, json, v2};

use super::Target;

/// Separates an object from its patch.
const BETWEEN: &str = "\n---\n";

const TARGET: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {a: b}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: web
        image: web:1
        env: [{name: A, value: a}, {name: B, value: b}]
        ports:
        - {containerPort: 80, protocol: TCP}
        - {containerPort: 80, protocol: UDP}
        args: [a, b]
      - name: side
        image: side:1
      volumes:
      - name: data
        emptyDir: {}
";

const SERVICE: &str = "\
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [a, b]}
spec:
  ports: [{port: 80, name: http}, {port: 80, protocol: UDP}, 1, null]
  selector: &s {a: b}
  other: *s
";

const PATCHES: &[&str] = &[
    "spec: {replicas: 2, template: {spec: {containers: [{name: web, image: web:2}]}}}\n",
    "spec:\n  template:\n    spec:\n      containers:\n      - $patch: replace\n      - name: new\n",
    "spec:\n  template:\n    spec:\n      containers:\n      - name: side\n        $patch: delete\n",
    "$patch: delete\n",
    "spec: {template: {spec: {containers: [{name: web, ports: [{containerPort: 80}], env: null}]}}}\n",
    "spec: {ports: [{port: 80, $patch: merge}, {port: 81}, {name: x}], selector: null}\n",
    "metadata: {finalizers: [c], labels: {$patch: replace, x: y}, annotations: null}\n",
    "spec: # {\"$ref\":\"#/definitions/io.k8s.api.core.v1.PodSpec\"}\n  containers: [{name: a}]\n",
    "{}\n",
    "[]\n",
    "null\n",
    "spec: {$setElementOrder/ports: [{port: 80}], $retainKeys: [a]}\n",
];

thread_local! {
    static SCHEMAS: OnceCell<Schemas> = const { OnceCell::new() };
}

/// Merges one document into another.
pub(super) const STRATEGIC: Target = Target {
    name: "strategic-merge",
    run: |bytes| {
        let Some((target, patch)) = halves(bytes) else {
            return;
        };
        let read = |text: &str| {
            let mut root = tree::parse_document(text.as_bytes()).ok()??.root;
            root.expand_aliases().ok()?;
            Some(root)
        };
        let (Some(mut target), Some(patch)) = (read(target), read(patch)) else {
            return;
        };
        let before = target.clone();
        SCHEMAS.with(|schemas| {
            let schemas = schemas.get_or_init(Schemas::builtin);
            match strategic::merge(&mut target, &patch, schemas) {
                Ok(strategic::MergeOutcome::Target) => {}
                Ok(strategic::MergeOutcome::Replaced(_) | strategic::MergeOutcome::Deleted)
                | Err(_) => {
                    assert_eq!(target, before, "the target is as it was");
                }
            }
        });
        drop(tree::to_string(&target, Indent::Compact));
        if let Ok(value) = target.to_value() {
            drop(v2::to_string(&value));
        }
    },
    seeds: || pairs(&[TARGET, SERVICE, "a: [1, 2]\nb: {}\n", "[]\n"], PATCHES),
    words: &[
        BETWEEN,
        "$patch: delete",
        "$patch: replace",
        "$patch: merge",
        "$patch: x",
        "- $patch: delete\n",
        "name: web",
        "name: ",
        "containers:\n",
        "containers: []",
        "ports: [{containerPort: 80}]",
        "null",
        "~",
        "{}",
        "[]",
        "- ",
        ": ",
        "\n",
        "  ",
        "kind: Service\n",
        "apiVersion: v1\n",
        "# {\"$openapi\":\"x\"}\n",
        "&a ",
        "*a",
        "<<: *a",
        "!!str ",
    ],
};

/// Applies a list of operations to a document.
pub(super) const JSON_PATCH: Target = Target {
    name: "json-patch",
    run: |bytes| {
        let Some((document, patch)) = halves(bytes) else {
            return;
        };
        let (Ok(mut document), Ok(patch)) =
            (Document::from_json(document), Patch::from_json(patch))
        else {
            return;
        };
        if patch.apply(&mut document).is_ok()
            && let Ok(value) = document.into_value()
        {
            // Numbers are floats, as in a Go map, and must read back as integers.
            let again = json::from_str(&json::to_string(&value)).expect("it was printed");
            let text = json::to_string(&again);
            assert_eq!(json::from_str(&text), Ok(again));
        }
    },
    seeds: || {
        let documents = [TARGET, SERVICE].map(|text| {
            let value = v2::from_str(text).expect("a seed is YAML");
            json::to_string(&value)
        });
        let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        let patches = [
            r#"[{"op":"add","path":"/spec/replicas","value":3}]"#,
            r#"[{"op":"remove","path":"/metadata/labels/app"}]"#,
            r#"[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"x"}]"#,
            r#"[{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"n"}}]"#,
            r#"[{"op":"add","path":"/spec/template/spec/containers/-1","value":null}]"#,
            r#"[{"op":"move","from":"/metadata/labels","path":"/metadata/annotations/x"}]"#,
            r#"[{"op":"copy","from":"/spec","path":"/spec/copy"},{"op":"copy","from":"/spec","path":"/spec/copy"}]"#,
            r#"[{"op":"test","path":"/kind","value":"Deployment"},{"op":"test","path":"/x","value":null}]"#,
            r#"[{"op":"add","path":"/a~1b~0c","value":[1,1.0,1e3]}]"#,
            r#"[{"op":"replace","path":"","value":{}}]"#,
        ];
        pairs(&documents, &patches)
    },
    words: &[
        BETWEEN,
        "\"op\":\"add\"",
        "\"op\":\"remove\"",
        "\"op\":\"copy\"",
        "\"op\":\"move\"",
        "\"op\":\"test\"",
        "\"path\":\"/",
        "\"from\":\"/",
        "\"value\":",
        "\"path\":\"/spec/template/spec/containers/0\"",
        "/0",
        "/-",
        "/-1",
        "/99999999999999999999",
        "~0",
        "~1",
        "~",
        "//",
        "null",
        "{}",
        "[]",
        "[",
        "]",
        "{",
        "}",
        ",",
        "1e400",
        "-0",
        "{\"op\":\"copy\",\"from\":\"\",\"path\":\"/x\"},",
    ],
};

/// The merge patch between two values must produce the second one.
pub(super) const MERGE_PATCH: Target = Target {
    name: "merge-patch",
    run: |bytes| {
        let Some((from, to)) = halves(bytes) else {
            return;
        };
        let (Ok(mut from), Ok(to)) = (v2::from_str(from), v2::from_str(to)) else {
            return;
        };
        let patch = merge::diff(&from, &to);
        // A merge patch cannot set a field to null.
        if !has_null(&to) {
            if let Some(patch) = &patch {
                merge::apply(&mut from, patch);
            }
            assert_eq!(from, to);
        } else if let Some(patch) = &patch {
            merge::apply(&mut from, patch);
        }
    },
    seeds: || pairs(&[TARGET, SERVICE, "a: 1\n", "[]\n"], PATCHES),
    words: &[
        BETWEEN, "null", "{}", "[]", "a: ", "b: ", "spec: ", "\n", "  ", "- ", "{", "}", "[", "]",
        ", ", "1", "x", "&a ", "*a",
    ],
};

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(map) => map.values().any(has_null),
        // Nor fields of maps in lists, which are not preserved.
        Value::Array(items) => items.iter().any(has_null),
        _ => false,
    }
}

fn halves(bytes: &[u8]) -> Option<(&str, &str)> {
    str::from_utf8(bytes).ok()?.split_once(BETWEEN)
}

fn pairs(objects: &[&str], patches: &[&str]) -> Vec<Vec<u8>> {
    let pairs = objects.iter().flat_map(|object| {
        let join = move |patch: &&str| format!("{object}{BETWEEN}{patch}").into_bytes();
        patches.iter().map(join)
    });
    pairs.collect()
}
