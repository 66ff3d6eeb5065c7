//! Compares the generated definitions with those of Flux.
//!
//! `reference/` has the definitions of Flux 2.9 without descriptions. `reference/README.md` names
//! versions and origin.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Returns the definitions of Flux by name.
fn reference() -> BTreeMap<String, Value> {
    let files = [
        include_str!("reference/source-controller.json"),
        include_str!("reference/kustomize-controller.json"),
        include_str!("reference/helm-controller.json"),
        include_str!("reference/notification-controller.json"),
        include_str!("reference/image-reflector-controller.json"),
        include_str!("reference/image-automation-controller.json"),
        include_str!("reference/source-watcher.json"),
    ];
    let definitions = files.into_iter().flat_map(|file| {
        serde_json::from_str::<Vec<Value>>(file).expect("a reference is a list of definitions")
    });
    definitions
        .map(|definition| (name(&definition), definition))
        .collect()
}

/// Generates the definitions by name.
fn ours() -> BTreeMap<String, Value> {
    let components = sluice_api::crds::generate().into_iter();
    components
        .flat_map(|(_, definitions)| definitions)
        .map(|definition| (name(&definition), definition))
        .collect()
}

fn name(definition: &Value) -> String {
    definition["metadata"]["name"]
        .as_str()
        .expect("a definition has a name")
        .to_owned()
}

/// Collects every difference between two values with its path.
///
/// Descriptions are not compared. The order of lists matters, except for `required`.
fn differences(path: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            let keys: BTreeSet<_> = expected.keys().chain(actual.keys()).collect();
            for key in keys {
                let at = format!("{path}.{key}");
                match (expected.get(key), actual.get(key)) {
                    (None, Some(Value::String(_))) if key == "description" => {}
                    (Some(expected), Some(actual)) => differences(&at, expected, actual, found),
                    (Some(expected), None) => found.push(format!("{at}: missing {expected}")),
                    (None, Some(actual)) => found.push(format!("{at}: unexpected {actual}")),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(expected), Value::Array(actual)) if path.ends_with(".required") => {
            let set = |list: &[Value]| list.iter().map(Value::to_string).collect::<BTreeSet<_>>();
            if set(expected) != set(actual) {
                found.push(format!("{path}: {expected:?}, but ours is {actual:?}"));
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                differences(&format!("{path}[{index}]"), expected, actual, found);
            }
        }
        _ if expected != actual => found.push(format!("{path}: {expected}, but ours is {actual}")),
        _ => {}
    }
}

#[test]
fn generated_definitions_equal_the_reference() {
    let (reference, ours) = (reference(), ours());
    let mut found = Vec::new();
    for (name, expected) in &reference {
        match ours.get(name) {
            Some(actual) => differences(name, expected, actual, &mut found),
            None => found.push(format!("{name}: missing")),
        }
    }
    for name in ours.keys().filter(|name| !reference.contains_key(*name)) {
        found.push(format!("{name}: unknown to the reference"));
    }
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn generation_is_deterministic() {
    assert_eq!(
        serde_json::to_string(&ours()).unwrap(),
        serde_json::to_string(&ours()).unwrap()
    );
}

/// Collects the paths of properties without a description.
fn undescribed(path: &str, schema: &Value, found: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{path}.{name}");
        if name != "metadata" && property["description"].as_str().is_none_or(str::is_empty) {
            found.push(at.clone());
        }
        undescribed(&at, property, found);
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(schema) = schema.get(inner) {
            undescribed(path, schema, found);
        }
    }
}

#[test]
fn every_field_is_described() {
    let mut found = Vec::new();
    for (name, definition) in ours() {
        let schema = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        assert!(
            schema["description"].is_string(),
            "{name} has no description"
        );
        undescribed(&name, schema, &mut found);
    }
    assert!(
        found.is_empty(),
        "without a description:\n{}",
        found.join("\n")
    );
}

#[test]
fn descriptions_have_no_markup() {
    let text = serde_json::to_string(&ours()).unwrap();
    assert!(
        !text.contains('`'),
        "markup has no meaning in a description"
    );
    assert!(
        !text.contains("CustomResource via"),
        "a kind lacks its own description"
    );
}

#[test]
fn kinds_table_equals_the_definitions() {
    let ours = ours();
    assert_eq!(sluice_api::KINDS.len(), ours.len());
    for info in sluice_api::KINDS {
        let definition = &ours[&info.crd_name()];
        let spec = &definition["spec"];
        assert_eq!(spec["group"], info.group);
        assert_eq!(spec["names"]["kind"], info.kind);
        assert_eq!(spec["names"]["plural"], info.plural);
        assert_eq!(spec["versions"][0]["name"], info.version);
        let short_names: Vec<_> = spec["names"]["shortNames"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(short_names, info.short_names);
    }
}

#[test]
fn kinds_table_and_generator_agree_on_components() {
    let generated: Vec<_> = sluice_api::crds::generate()
        .into_iter()
        .flat_map(|(component, definitions)| {
            definitions
                .into_iter()
                .map(move |definition| (component, name(&definition)))
        })
        .collect();
    let table: Vec<_> = sluice_api::KINDS
        .iter()
        .map(|info| (info.component, info.crd_name()))
        .collect();
    assert_eq!(generated, table);
    let embedded: Vec<_> = sluice_api::COMPONENT_CRDS
        .iter()
        .map(|(name, _)| *name)
        .collect();
    let mut components: Vec<_> = table.iter().map(|(component, _)| *component).collect();
    components.dedup();
    assert_eq!(embedded, components);
}
