//! The schema sections of the pages of kinds, from the custom resource definitions.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use sluice_system::fs;

use super::sections;

/// Pages below `docs/kinds`, and their kinds.
const PAGES: [(&str, &str); 15] = [
    ("alert.md", "Alert"),
    ("artifactgenerator.md", "ArtifactGenerator"),
    ("bucket.md", "Bucket"),
    ("externalartifact.md", "ExternalArtifact"),
    ("gitrepository.md", "GitRepository"),
    ("helmchart.md", "HelmChart"),
    ("helmrelease.md", "HelmRelease"),
    ("helmrepository.md", "HelmRepository"),
    ("imagepolicy.md", "ImagePolicy"),
    ("imagerepository.md", "ImageRepository"),
    ("imageupdateautomation.md", "ImageUpdateAutomation"),
    ("kustomization.md", "Kustomization"),
    ("ocirepository.md", "OCIRepository"),
    ("provider.md", "Provider"),
    ("receiver.md", "Receiver"),
];

/// Maximum number of names in the path of a listed field.
const MAX_DEPTH: usize = 3;

/// Returns the pages with current sections.
pub(super) fn pages() -> Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    for (file, kind) in PAGES {
        let path = crate::repository().join("docs/kinds").join(file);
        let page = fs::read_to_string(&path)?;
        let spec = spec(kind)?;
        check_names(file, &page, &spec)?;
        let page = sections::replace(&page, "schema", &table(&spec))
            .with_context(|| format!("docs/kinds/{file}"))?;
        pages.insert(file.to_owned(), page);
    }
    Ok(pages)
}

/// Returns the schema of the spec in the stored version of a kind.
fn spec(kind: &str) -> Result<Value> {
    let definitions = sluice_api::crds::generate();
    let mut definitions = definitions.iter().flat_map(|(_, definitions)| definitions);
    let definition = definitions
        .find(|definition| definition["spec"]["names"]["kind"] == kind)
        .with_context(|| format!("no definition of {kind}"))?;
    let mut versions = definition["spec"]["versions"]
        .as_array()
        .into_iter()
        .flatten();
    let stored = versions
        .find(|version| version["storage"] == true)
        .with_context(|| format!("no stored version of {kind}"))?;
    Ok(stored["schema"]["openAPIV3Schema"]["properties"]["spec"].clone())
}

/// Rejects a page whose field table names a field that the schema lacks.
fn check_names(file: &str, page: &str, spec: &Value) -> Result<()> {
    let Some((_, rest)) = page.split_once("\n## Fields\n") else {
        return Ok(());
    };
    let section = rest.split("\n## ").next().unwrap_or_default();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cell = line.split('|').nth(1).unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            let name = name.trim_start_matches("spec.");
            ensure!(
                field(spec, name).is_some(),
                "docs/kinds/{file} names the field {name}, which does not exist"
            );
        }
    }
    Ok(())
}

fn field<'s>(schema: &'s Value, path: &str) -> Option<&'s Value> {
    path.split('.').try_fold(schema, |schema, name| {
        schema["properties"]
            .get(name)
            .or_else(|| schema["items"]["properties"].get(name))
    })
}

fn table(spec: &Value) -> String {
    let mut rows = vec!["| Field | Type | Description |\n|---|---|---|\n".to_owned()];
    add_rows(&mut rows, "", spec, 1);
    rows.concat()
}

/// Adds a row for each property, and for the properties below.
fn add_rows(rows: &mut Vec<String>, prefix: &str, schema: &Value, depth: usize) {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|found| found == name))
    };
    let properties = schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        let path = format!("{prefix}{name}");
        let mut description = property["description"].as_str().unwrap_or("–").to_owned();
        if required(name) {
            description.push_str(" Required.");
        }
        if let Some(default) = property.get("default") {
            description.extend([" Default: `", &default.to_string(), "`."]);
        }
        let description = description.replace('\n', " ").replace('|', "\\|");
        rows.push(format!(
            "| `{path}` | {} | {description} |\n",
            type_of(property)
        ));
        if depth < MAX_DEPTH {
            add_rows(rows, &format!("{path}."), property, depth + 1);
            add_rows(rows, &format!("{path}[]."), &property["items"], depth + 1);
        }
    }
}

/// Maximum number of values that a cell lists.
const MAX_VALUES: usize = 10;

/// The type of a property: its values, or its name in the schema.
fn type_of(property: &Value) -> String {
    if let Some(values) = property["enum"].as_array() {
        if values.len() > MAX_VALUES {
            return format!("one of {} values", values.len());
        }
        let values = values.iter().filter_map(Value::as_str);
        return values
            .map(|value| format!("`{value}`"))
            .collect::<Vec<_>>()
            .join(", ");
    }
    match property["type"].as_str() {
        Some("array") => format!("list of {}", type_of(&property["items"])),
        Some("object") if property.get("additionalProperties").is_some() => "map".to_owned(),
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({
            "required": ["url"],
            "properties": {
                "ref": { "type": "object", "description": "Reference.", "properties": {
                    "tag": { "type": "string", "description": "A | tag." },
                } },
                "mode": { "enum": ["a", "b"], "type": "string", "default": "a" },
                "type": { "enum": (0..11).map(|n| n.to_string()).collect::<Vec<_>>() },
                "url": { "type": "string", "description": "Address." },
            },
        })
    }

    #[test]
    fn table_lists_types_defaults_and_nested_fields() {
        let expected = "| Field | Type | Description |\n|---|---|---|\n\
            | `ref` | object | Reference. |\n\
            | `ref.tag` | string | A \\| tag. |\n\
            | `mode` | `a`, `b` | – Default: `\"a\"`. |\n\
            | `type` | one of 11 values | – |\n\
            | `url` | string | Address. Required. |\n";
        assert_eq!(table(&schema()), expected);
    }

    #[test]
    fn unknown_field_of_a_page_is_rejected() {
        let page = |name: &str| format!("\n## Fields\n\n| `{name}` | x |\n\n## Next\n\n| `no` |\n");
        check_names("a.md", &page("ref.tag`, `url"), &schema()).unwrap();
        let error = check_names("a.md", &page("gone"), &schema()).unwrap_err();
        assert!(error.to_string().contains("the field gone"), "{error}");
    }
}
