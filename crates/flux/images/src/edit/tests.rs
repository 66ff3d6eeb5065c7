//! Tests of edits at markers.

use proptest::prelude::*;
use sluice_api::image::{ImagePolicy, ImagePolicyStatus, ImageRef};
use sluice_yaml::{Value, v3};

use super::*;

fn setters() -> Setters {
    let policy = |name: &str, tag: &str| {
        let mut policy = ImagePolicy::new(name, sluice_api::image::ImagePolicySpec::default());
        policy.metadata.namespace = Some("ns".to_owned());
        policy.status = Some(ImagePolicyStatus {
            latest_ref: Some(ImageRef {
                name: "h/app".to_owned(),
                tag: tag.to_owned(),
                digest: None,
            }),
            ..ImagePolicyStatus::default()
        });
        policy
    };
    Setters::of(&[policy("p", "v2"), policy("n", "1.10")]).unwrap()
}

/// Expands `@x` to a marker.
fn text(short: &str) -> String {
    let mut text = short.to_owned();
    for (name, setter) in [
        ("@tag", "ns:p:tag"),
        ("@num", "ns:n:tag"),
        ("@image", "ns:p"),
    ] {
        text = text.replace(name, &format!("# {{\"$imagepolicy\": \"{setter}\"}}"));
    }
    text
}

fn edited(short: &str) -> String {
    let before = text(short);
    let edit = edit_file(before.as_bytes(), &setters()).unwrap();
    let after = edit.content.unwrap_or_else(|| before.into_bytes());
    String::from_utf8(after).unwrap()
}

#[test]
fn only_the_bytes_of_values_change() {
    for (before, after) in [
        // Helm values
        (
            "image:\n    repo: x\n    tag: v1   @tag\n\n\nb: [ 1,2 ]\n",
            "image:\n    repo: x\n    tag: v2   @tag\n\n\nb: [ 1,2 ]\n",
        ),
        // CRLF, mixed line ends and a byte order mark
        (
            "\u{feff}a: v1 @tag\r\nb:  1\r\n\nc: v1 @tag",
            "\u{feff}a: v2 @tag\r\nb:  1\r\n\nc: v2 @tag",
        ),
        // quotes and tabs
        (
            "a: 'v1' @tag\nb: \"v1\"\t@tag\t\n",
            "a: 'v2' @tag\nb: \"v2\"\t@tag\t\n",
        ),
        // anchors, aliases, merge keys
        (
            "a: &x v1 @tag\nb: *x\nc: &m {k: v}\nd:\n  <<: *m\n",
            "a: &x v2 @tag\nb: *x\nc: &m {k: v}\nd:\n  <<: *m\n",
        ),
        // flow style over several lines
        (
            "a: {b: v1, @tag\n   c: [v1, @tag\n  v1]}\n",
            "a: {b: v2, @tag\n   c: [v2, @tag\n  v1]}\n",
        ),
        // documents
        (
            "# c\n---\na: v1 @tag\n--- # x\n\nb: v1 @image\n...\n",
            "# c\n---\na: v2 @tag\n--- # x\n\nb: h/app:v2 @image\n...\n",
        ),
        // blocks stay
        (
            "a: |+\n  v1 @tag\n\nb: >-\n  x\n   y\nc: v1 @tag\n",
            "a: |+\n  v1 @tag\n\nb: >-\n  x\n   y\nc: v2 @tag\n",
        ),
        // a value that is not a string in YAML
        (
            "a: v1 @num\nb: 'v1' @num\n",
            "a: \"1.10\" @num\nb: '1.10' @num\n",
        ),
        (
            "a: ~ @tag\nb: 1 @tag\nc: !!str 1 @tag\n",
            "a: v2 @tag\nb: v2 @tag\nc: !!str v2 @tag\n",
        ),
        // the head comment of an item
        (
            "a:\n  @tag\n  - v1\n  - v1\n",
            "a:\n  @tag\n  - v2\n  - v1\n",
        ),
        (
            "é: 컨테이너 # 컨테이너\nb: v1 @tag\n",
            "é: 컨테이너 # 컨테이너\nb: v2 @tag\n",
        ),
    ] {
        assert_eq!(edited(before), text(after));
    }
}

#[test]
fn marker_that_does_nothing_is_explained() {
    for (before, line, finding) in [
        ("a: v2 @tag\n", 1, "up to date with 'ns:p:tag'"),
        ("a: v1 @tag\n", 1, "updated by 'ns:p:tag'"),
        ("b: 1\na: @tag\n", 2, "the marker belongs to no value"),
        ("@tag\na: v1\n", 2, "the marker belongs to no value"),
        ("b: &x 1\na: *x @tag\n", 2, "the marker belongs to no value"),
        ("a: {b: v1} @tag\n", 1, "the marker belongs to no value"),
        ("a: 1\na: v1 @tag\n", 2, "the marker belongs to no value"),
        (
            "a: v1\n  x @tag\n",
            1,
            "the value has several lines: write the value of 'ns:p:tag' on one line",
        ),
        (
            "a: | @tag\n  v1\n",
            1,
            "the value is a block scalar: write the value of 'ns:p:tag' on one line",
        ),
        (
            "a: v1 # {\"$imagepolicy\": \"ns:x\"}\n",
            1,
            "policy of 'ns:x' not found",
        ),
        (
            "a: v1 # {\"$imagepolicy\": \"other:p\"}\n",
            1,
            "policy of 'other:p' is in another namespace",
        ),
        (
            "a: v1 # see {\"$imagepolicy\": \"ns:p\"}\n",
            1,
            "the comment is not exactly one JSON object of texts",
        ),
        (
            "a: v1 # {\"$imagepolicy\": \"ns:p:digest\"}\n",
            1,
            "policy of 'ns:p:digest' has no digest: set spec.digestReflectionPolicy",
        ),
    ] {
        let edit = edit_file(text(before).as_bytes(), &setters()).unwrap();
        let found = edit
            .findings
            .first()
            .map(|found| (found.line, found.kind.to_string()));
        assert_eq!(found, Some((line, finding.to_owned())), "{before}");
    }
}

#[test]
fn unreadable_files_are_errors() {
    for (text, message) in [
        ("a: [", "yaml: line 1: did not find expected node content"),
        ("- v1\n", "a document is not a mapping"),
        ("v1\n", "a document is not a mapping"),
        ("a: 1\n---\n- 1\n", "a document is not a mapping"),
        (
            "metadata: x\n",
            "the metadata of a document are not a mapping",
        ),
        ("a: *x\n", "yaml: unknown anchor 'x' referenced"),
    ] {
        let error = edit_file(text.as_bytes(), &setters()).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
    assert!(edit_file(b"a: \xff\n", &setters()).is_err());
    assert!(edit_file(b"\x00\x01\x02", &setters()).is_err());
    assert_eq!(edit_file(b"", &setters()).unwrap(), FileEdit::default());
}

#[test]
fn changes_belong_to_objects() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n  i: v1 @tag\n- i: v1 @tag\n  kind: Job\n  metadata:\n    namespace: n\n    name: b\n";
    let plain = "items:\n- i: v1 @tag\n  kind: Pod\nkind: Values\n";
    for (before, expected) in [
        (list, vec![("", "Pod", "a", ""), ("", "Job", "b", "n")]),
        (plain, vec![("", "Values", "", "")]),
        (
            "a: v1 @tag\nmetadata:\n  name: 5\napiVersion: 1\n---\na: v1 @tag\n",
            vec![("1", "", "5", ""), ("", "", "", "")],
        ),
    ] {
        let edit = edit_file(text(before).as_bytes(), &setters()).unwrap();
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(api_version, kind, name, namespace)| ObjectId {
                api_version: api_version.to_owned(),
                kind: kind.to_owned(),
                name: name.to_owned(),
                namespace: namespace.to_owned(),
            })
            .collect();
        let objects: Vec<_> = edit.changes.into_iter().map(|(object, _)| object).collect();
        assert_eq!(objects, expected, "{before}");
    }
}

/// A value in one of the notations, with the text that it stands for.
fn scalar() -> impl Strategy<Value = (String, String)> {
    let word = "[a-z][a-z0-9.-]{0,6}(:[a-z0-9][a-z0-9.]{0,4})?";
    (word, 0..3).prop_map(|(word, notation)| {
        let word = word.trim_end_matches(['.', '-', ':']).to_owned();
        let text = match notation {
            0 => format!("x{word}"),
            1 => format!("'x{word}'"),
            _ => format!("\"x{word}\""),
        };
        (text, format!("x{word}"))
    })
}

/// One entry of a document: lines, and its value before and after the edit.
fn entry() -> impl Strategy<Value = (String, Value, Value)> {
    (scalar(), any::<bool>(), 0..5, 0..3_usize).prop_map(|((text, value), is_marked, form, end)| {
        let marker = if is_marked {
            "  # {\"$imagepolicy\": \"ns:p\"}"
        } else {
            "\t# ns:p"
        };
        let end = ["\n", "\r\n", "\n\n# note\n\n"][end];
        let new = if is_marked { "h/app:v2" } else { &value };
        let (lines, shape): (String, fn(&str) -> Value) = match form {
            0 => (format!(" {text}{marker}{end}"), |value| value.into()),
            1 => (format!("\n-   1\n- &a {text}{marker}{end}"), |value| {
                serde_json::json!([1, value])
            }),
            2 => (
                format!("\n   n:  {text}{marker}{end}   m: [ x,y ]\n"),
                |value| serde_json::json!({"n": value, "m": ["x", "y"]}),
            ),
            3 => (
                format!(" {{n: {text},{marker}{end}  m: x}}\n"),
                |value| serde_json::json!({"n": value, "m": "x"}),
            ),
            _ => (
                format!("\n  - |\n   b  \n\n  - n: {text}{marker}{end}"),
                |value| serde_json::json!(["b  \n", {"n": value}]),
            ),
        };
        (lines, shape(&value), shape(new))
    })
}

proptest! {
    #[test]
    fn only_marked_values_change(
        documents in prop::collection::vec(prop::collection::vec(entry(), 1..6), 1..4),
        has_mark in any::<bool>(),
    ) {
        let mut text = String::from(if has_mark { "\u{feff}" } else { "" });
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (index, document) in documents.into_iter().enumerate() {
            if index > 0 {
                text.push_str("--- # next\n");
            }
            let (mut old, mut new) = (serde_json::Map::new(), serde_json::Map::new());
            for (index, (lines, value, edited)) in document.into_iter().enumerate() {
                text.push('k');
                text.push_str(&index.to_string());
                text.push(':');
                text.push_str(&lines);
                old.insert(format!("k{index}"), value);
                new.insert(format!("k{index}"), edited);
            }
            before.push(Value::Object(old));
            after.push(Value::Object(new));
        }
        let body = text.trim_start_matches('\u{feff}');
        prop_assert_eq!(v3::documents(body).unwrap(), before, "{}", text);

        let edit = edit_file(text.as_bytes(), &setters()).unwrap();
        let content = edit.content.unwrap_or_else(|| text.clone().into_bytes());
        let content = String::from_utf8(content).unwrap();
        let read = v3::documents(content.trim_start_matches('\u{feff}')).unwrap();
        prop_assert_eq!(read, after, "{}", content);

        // Apart from the values of marked lines, the texts are equal.
        let (old, new) = (text.split('\n'), content.split('\n'));
        prop_assert_eq!(old.clone().count(), new.clone().count());
        for (old, new) in old.zip(new) {
            if old.contains(KEY) {
                prop_assert_eq!(old.split_once(" #").map(|(_, rest)| rest), new.split_once(" #").map(|(_, rest)| rest));
            } else {
                prop_assert_eq!(old, new);
            }
        }
        let again = edit_file(content.as_bytes(), &setters()).unwrap();
        prop_assert_eq!(again.content, None);
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), text in "[a-c:#\\-\\[\\]{}&*!|>'\" \n\t]{0,60}") {
        drop(edit_file(&bytes, &setters()));
        let text = format!("{text} # {{\"$imagepolicy\": \"ns:p\"}}\n{text}");
        if let Ok(edit) = edit_file(text.as_bytes(), &setters())
            && let Some(content) = edit.content
        {
            prop_assert!(edit_file(&content, &setters()).is_ok(), "{}", text);
        }
    }
}
