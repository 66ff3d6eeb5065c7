//! Comparisons recorded from dyff; `recorded/oracle` holds the recipe.

use serde_json::Value;

use super::{compare, render};

const RECORDED: &str = include_str!("recorded/recorded.jsonl");

fn rendered(pair: &Value) -> String {
    render(&compare(&pair["from"], &pair["to"]), 80)
}

#[test]
fn differences_match_the_record() {
    for line in RECORDED.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        assert_eq!(rendered(&pair), pair["text"], "{}", pair["name"]);
    }
}

#[test]
fn empty_list_entry_is_found() {
    let from = serde_json::json!({"spec": {"a": []}});
    let to = serde_json::json!({"spec": {"a": [{}, {"b": "c"}]}});
    assert_eq!(
        render(&compare(&from, &to), 80),
        "\nspec.a\n+ two list entries added:\n  - {}\n  - b: c\n\n"
    );
}

#[test]
fn empty_map_is_shown() {
    let from = serde_json::json!({"spec": {"a": null}});
    let to = serde_json::json!({"spec": {"a": {}}});
    assert_eq!(
        render(&compare(&from, &to), 80),
        "\nspec.a\n± type change from <nil> to map\n- <nil>\n+ {}\n\n"
    );
}

#[test]
fn entries_of_any_length_are_aligned() {
    let long = "x".repeat(70_000);
    let of = |list: &[&str]| serde_json::json!({"spec": {"a": list}});
    let text = render(&compare(&of(&[&long, "b"]), &of(&["b", &long])), 80);
    assert!(text.contains("order changed"), "{}", &text[..80]);
    assert_eq!(text.matches(&long).count(), 2);
}
