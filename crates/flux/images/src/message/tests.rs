//! Tests of commit messages from templates.

use super::*;
use crate::result::{Change, ObjectId};

fn render_with(template: &str, values: &[(&str, &str)]) -> Result<String, MessageError> {
    let mut changed = UpdateResult::default();
    for (file, old) in [("b.yaml", "v1"), ("a.yaml", "v0"), ("a.yaml", "v1")] {
        let change = Change {
            old_value: old.to_owned(),
            new_value: "v2".to_owned(),
            setter: "ns:p:tag".to_owned(),
        };
        changed.add(file, ObjectId::default(), change);
    }
    let values = values.iter();
    let values = values.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let data = TemplateData {
        namespace: "ns",
        name: "auto",
        changed: &changed,
        values: &values.collect(),
    };
    render(template, &data)
}

#[test]
fn empty_template_is_the_default() {
    assert_eq!(render_with("", &[]).unwrap(), DEFAULT_TEMPLATE);
}

/// The reference's order of changes is random; ours is that of files and positions.
#[test]
fn changes_are_unique_and_ordered() {
    let template = "{{ range .Changed.Changes }}{{ .OldValue }}→{{ .NewValue }} {{ end }}";
    assert_eq!(render_with(template, &[]).unwrap(), "v0→v2 v1→v2 ");
}

#[test]
fn hostile_templates_end() {
    let large = "{{ range until 100000 }}{{ repeat 100 \"x\" }}{{ end }}";
    assert!(matches!(
        render_with(large, &[]),
        Err(MessageError::TooLarge)
    ));
    for template in [
        "{{ define \"x\" }}{{ template \"x\" }}{{ end }}{{ template \"x\" }}",
        "{{ range until 2000000000 }}{{ end }}",
        "{{ repeat 1000000000 \"x\" }}",
    ] {
        let error = render_with(template, &[]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("failed to run template from spec: ")
        );
    }
}

#[test]
fn removed_fields_are_named() {
    for (template, message) in [
        (
            "{{ range .Updated.Images }}{{ . }}{{ end }}",
            "template uses removed '.Updated' field. Please use '.Changed' instead. See: https://fluxcd.io/flux/components/image/imageupdateautomations/#message-template",
        ),
        (
            "{{ .Changed.ImageResult.Files }}",
            "template uses removed '.Changed.ImageResult' field. Please use '.Changed.FileChanges' or '.Changed.Objects' instead. See: https://fluxcd.io/flux/components/image/imageupdateautomations/#message-template",
        ),
    ] {
        let error = render_with(template, &[]).unwrap_err();
        assert!(matches!(error, MessageError::RemovedField { .. }));
        assert_eq!(error.to_string(), message);
    }
}
