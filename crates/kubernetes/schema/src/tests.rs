//! Replays recorded answers of an API server, and checks hostile schemas.
//!
//! The cluster tests of the apply crate record `tests/vectors/definitions.jsonl` with
//! `RECORD=1 cargo test -p sluice-apply --test cluster definitions`, and compare it on every run.

use serde_json::json;

use super::*;

const RECORDED: &str = include_str!("../tests/vectors/definitions.jsonl");

fn definition(line: &Value) -> Definition {
    let mut version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": line["schema"]},
    });
    for (name, value) in line["version"].as_object().into_iter().flatten() {
        version[name] = value.clone();
    }
    let scope = line["scope"].as_str().unwrap_or("Namespaced");
    let object = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "scope": scope, "versions": [version],
            "names": {"kind": "Thing", "plural": "things"}},
    });
    Definition::from_object(&Object::try_from(object).unwrap()).unwrap()
}

fn thing(namespace: &str, fields: &Value) -> Object {
    let mut object = Object::new("example.com/v1", "Thing", namespace, "x");
    for (name, value) in fields.as_object().into_iter().flatten() {
        if name == "metadata" {
            let metadata = value.as_object().unwrap().clone();
            object.metadata_mut().extend(metadata);
        } else {
            object.as_map_mut().insert(name.clone(), value.clone());
        }
    }
    object
}

fn error_text(definition: &Definition, object: &Object) -> String {
    let error = definition.check(object).err();
    error.map(|error| error.to_string()).unwrap_or_default()
}

/// The sorted parts of an error text, since the server lists errors in random order.
fn pieces(text: &str) -> Vec<&str> {
    let parts = text
        .split(['\n', '[', ']'])
        .flat_map(|line| line.split(", "));
    let mut parts: Vec<&str> = parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    parts.sort_unstable();
    parts
}

#[test]
fn errors_match_the_recorded_server() {
    let mut current = None;
    let mut number = 0;
    let mut wrong = Vec::new();
    for line in RECORDED.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line.get("define").is_some() {
            // The recorded kinds are numbered, because all were installed at once.
            number = if current.is_some() { number + 1 } else { 0 };
            current = Some(definition(&line));
            continue;
        }
        let definition = current.as_ref().unwrap();
        let namespace = match definition.is_namespaced() {
            Some(false) => "",
            _ => "shop",
        };
        let found = error_text(definition, &thing(namespace, &line["object"]));
        let expected = match line["doubted"].as_bool() {
            Some(true) => "",
            _ => line["says"].as_str().unwrap(),
        };
        let expected = expected.replace(&format!("Thing{number}"), "Thing");
        if pieces(&found) != pieces(&expected) {
            wrong.push(format!(
                "{}\n  server: {expected}\n    ours: {found}",
                line["object"]
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn of_schema(schema: &Value) -> Definition {
    definition(&json!({ "schema": schema }))
}

fn of_spec(spec: &Value) -> Definition {
    of_schema(&json!({"type": "object", "properties": {"spec": spec}}))
}

#[test]
fn every_undeclared_field_is_reported() {
    let definition = of_spec(&json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    assert_eq!(
        error_text(
            &definition,
            &thing("shop", &json!({"spec": {"b": 1, "c": 2, "a": 3}}))
        ),
        "failed to create typed patch object (shop/x; example.com/v1, Kind=Thing): errors:\n  \
         .spec.b: field not declared in schema\n  \
         .spec.c: field not declared in schema\n  \
         .spec.a: expected string, got &value.valueUnstructured{Value:3}"
    );
}

#[test]
fn serves_only_served_versions() {
    let object = Object::try_from(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "scope": "Cluster", "names": {"kind": "Thing"},
            "versions": [{"name": "v1", "served": true}, {"name": "v0", "served": false}]},
    }))
    .unwrap();
    let definition = Definition::from_object(&object).unwrap();
    assert!(definition.serves("v1"));
    assert!(!definition.serves("v0") && !definition.serves("v2"));
    assert_eq!(definition.is_namespaced(), Some(false));
    assert_eq!(
        error_text(&definition, &thing("", &json!({"spec": 1}))),
        "",
        "the version has no schema"
    );
}

#[test]
fn from_object_rejects_other_objects() {
    for object in [
        json!({"apiVersion": "v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"}}),
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"}}),
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a"},
            "spec": {"group": 1, "names": {"kind": "A"}}}),
    ] {
        assert!(Definition::from_object(&Object::try_from(object).unwrap()).is_none());
    }
}

#[test]
fn unsupported_schema_accepts_everything() {
    for spec in [
        json!({"$ref": "#/definitions/a"}),
        json!({"type": "array", "items": [{"type": "string"}]}),
        json!({"type": "object", "properties": {"a": 1}}),
        json!({"type": "object", "patternProperties": {"a": {"type": "string"}}}),
        json!(["a"]),
    ] {
        let definition = of_spec(&spec);
        assert_eq!(
            error_text(&definition, &thing("shop", &json!({"spec": {"b": 1}}))),
            "",
            "{spec}"
        );
    }
}

#[test]
fn annotations_over_the_limit_are_reported() {
    let definition = of_schema(&json!({"type": "object"}));
    let object = thing(
        "shop",
        &json!({"metadata": {"annotations": {"a": "x".repeat(256 << 10)}}}),
    );
    assert_eq!(
        error_text(&definition, &object),
        "Thing.example.com \"x\" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes"
    );
}

/// Only termination and the size of the result matter here.
#[test]
fn hostile_schemas_terminate() {
    let nested = |depth: usize, wrap: &dyn Fn(Value) -> Value| {
        (0..depth).fold(json!({"type": "string"}), |schema, _| wrap(schema))
    };
    let many = |count: usize, one: &dyn Fn(usize) -> Value| (0..count).map(one).collect::<Vec<_>>();
    let deep = nested(
        62,
        &|inner| json!({"type": "object", "properties": {"a": inner}}),
    );
    let combinators = nested(
        12,
        &|inner| json!({"anyOf": [inner.clone(), inner.clone()]}),
    );
    let large = json!({"a": "x".repeat(10_000)});
    let value = (0..62).fold(json!("x"), |value, _| json!({ "a": value }));
    for (spec, object) in [
        (deep, value),
        (combinators, json!(5)),
        (
            json!({"anyOf": many(10_000, &|_| json!({"type": "integer"}))}),
            json!(many(1000, &|_| json!("x"))),
        ),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "object", "default": large}}}}),
            json!(many(100_000, &|_| json!({}))),
        ),
        (
            json!({"type": "object", "anyOf": many(3000, &|number| json!({"properties": {"a": {"pattern": format!("^(\\pL{{1,900}}){{1,900}}{number}$")}}}))}),
            json!({"a": "x".repeat(100_000)}),
        ),
        (
            json!({"type": "string", "allOf": many(3000, &|number| json!({"pattern": format!("(a*)*(b|a{{1,{}}})$", number % 1000)}))}),
            json!("a".repeat(100_000)),
        ),
        (
            json!({"type": "array", "items": {"type": "integer", "x-kubernetes-validations": [{"rule": "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, a + b + c + d + self > 0))))"}]}}),
            json!(many(100_000, &|number| json!(number))),
        ),
        (
            json!({"type": "string", "x-kubernetes-validations": many(300, &|number| json!({"rule": format!("self.matches('[\\\\pL]{{1,900}}{number}')")}))}),
            json!("a".repeat(10_000)),
        ),
        (
            json!({"type": "array", "enum": many(10_000, &|number| json!(number))}),
            json!(many(10_000, &|number| json!(number))),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!(many(100_000, &|number| json!(number))),
        ),
        (
            json!({"type": "number", "minimum": f64::MAX, "maximum": f64::MIN, "multipleOf": 0}),
            json!(-0.0),
        ),
        (
            json!({"type": "integer", "minimum": 1e300, "maximum": -1e300, "multipleOf": -1e300}),
            json!(i64::MIN),
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let definition = of_schema(&schema);
        let object = thing("shop", &json!({ "spec": object }));
        // A smaller budget: an unoptimized step takes thirty times as long.
        let checked = definition.versions[0].check(&object, Budget(BUDGET / 30));
        if let Ok(Err(error)) = checked {
            assert!(error.to_string().len() < 4 << 20);
        }
    }
}

#[test]
fn uncertain_rules_are_not_reported() {
    let rule = |rule: &str| {
        let schema = json!({"type": "object", "properties": {
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "text": {"type": "string"}, "list": {"type": "array", "items": {"type": "string"}}},
            "x-kubernetes-validations": [{"rule": rule}]});
        let object = json!({"spec": {"set": ["b", "a"], "list": ["b"], "text": "x"}});
        error_text(&of_spec(&schema), &thing("shop", &object))
    };
    for uncertain in [
        "self.set == ['a', 'b']",
        "self.set + ['a'] == ['c']",
        "self.list in [self.set]",
        "isURL(self.text)",
        "quantity(self.text).isInteger()",
        "self.list.sum() > 3",
        "self.all(a, b, a == b)",
        "no such language",
        "self.text",
        "self.text > 1",
        "self == oldSelf",
        "isURL(self.text) || self.none == 1",
        "self.none == 1 && isURL(self.text)",
    ] {
        assert_eq!(rule(uncertain), "", "{uncertain}");
    }
    assert_eq!(
        rule("self.none == 1"),
        "Thing.example.com \"x\" is invalid: spec: Invalid value: \"object\": no such key: none evaluating rule: self.none == 1"
    );
    for wrong in [
        "self.list == ['a']",
        "!('a' in self.set)",
        "size(self.set) == 3",
        "self.set.all(x, x == 'a')",
    ] {
        assert_eq!(
            rule(wrong),
            format!(
                "Thing.example.com \"x\" is invalid: spec: Invalid value: failed rule: {wrong}"
            )
        );
    }
}
