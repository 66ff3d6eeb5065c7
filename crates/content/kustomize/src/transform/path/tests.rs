//! Tests of field paths: selection and creation of nodes.

use sluice_yaml::tree::{self, Node};

use super::{Create, Match, at, locate_or_create, lookup, matches, split, split_bracketed};
use crate::growth::GrowthBudget;
use crate::transform::field_error::NodeKind;

fn read(text: &str) -> Node {
    tree::parse_documents(text).unwrap().remove(0)
}

const POD: &str = "
spec:
  containers:
  - {name: nginx, image: a, args: [one, two]}
  - {name: nginx-sidecar, image: b}
  nothing:
  'null': null
data:
  config: '{\"a\": {\"b\": 1}}'
";

#[test]
fn path_is_split_at_unescaped_delimiters() {
    for (path, parts) in [
        ("", &[""][..]),
        ("a", &["a"]),
        ("a/b[]/c", &["a", "b[]", "c"]),
        ("/a/b", &["a", "b"]),
        ("//a", &["", "a"]),
        (r"a/b\/c/d\/e/f", &["a", "b/c", "d/e", "f"]),
    ] {
        assert_eq!(split(path, '/'), parts, "{path}");
    }
}

#[test]
fn path_is_not_split_within_brackets() {
    for (path, parts) in [
        ("spec.replicas", &["spec", "replicas"][..]),
        ("a.[name=x.y].b", &["a", "[name=x.y]", "b"]),
        ("a.[x.y/z]", &["a", "x.y/z"]),
        ("a.[xy]", &["a", "[xy]"]),
        (r"a\.b.c", &["a.b", "c"]),
        ("a.[name=x.[y", &["a", "[name=x.[y"]),
    ] {
        assert_eq!(split_bracketed(path), parts, "{path}");
    }
}

fn looked_up(path: &str) -> Result<Option<String>, String> {
    let document = read(POD);
    let found = lookup(&document, &split_bracketed(path));
    let found = found.map_err(|error| error.to_string())?;
    Ok(found.map(|node| node.as_str().unwrap_or("collection").to_owned()))
}

#[test]
fn lookup_selects_element_by_equal_field() {
    for (path, found) in [
        ("spec.containers.[name=nginx].image", Some("a")),
        ("spec.containers.[name=sidecar].image", None),
        ("spec.containers.1.image", Some("b")),
        ("spec.containers.7.image", None),
        ("spec.containers.-.image", Some("b")),
        ("spec.containers.0.args.[=two]", Some("two")),
        ("spec.containers", Some("collection")),
        ("spec.missing.below", None),
        ("spec.nothing.below", None),
        ("spec. containers .0.name", Some("nginx")),
    ] {
        assert_eq!(looked_up(path), Ok(found.map(str::to_owned)), "{path}");
    }
}

#[test]
fn lookup_reports_wrong_node_kinds() {
    for (path, message) in [
        (
            "spec.containers.*.image",
            "wildcard is not supported in PathGetter",
        ),
        ("spec.containers.-1", "array index -1 cannot be negative"),
        (
            "spec.containers.[name]",
            "list path element must contain fieldName=fieldValue for element to match",
        ),
        (
            "data.config.a",
            "wrong node kind: expected MappingNode but got ScalarNode: node contents:\n\
             '{\"a\": {\"b\": 1}}'\n",
        ),
    ] {
        assert_eq!(looked_up(path), Err(message.to_owned()), "{path}");
    }
}

#[test]
fn lookup_creates_missing_nodes() {
    let mut document = read("a: {}\nlist: []\n");
    for path in ["a.b.c", "list.[name=x].y", "other.[=z]"] {
        let parts = split_bracketed(path);
        let growth = GrowthBudget::default();
        let location =
            locate_or_create(&mut document, &parts, create(NodeKind::Scalar, &growth)).unwrap();
        assert!(at(&document, &location.unwrap()).is_some());
    }
    assert_eq!(
        tree::to_string(&document, tree::Indent::Compact),
        "a: {b: {c: ''}}\nlist: [{name: x, y: ''}]\nother:\n- z\n"
    );
}

fn create(leaf: NodeKind, growth: &GrowthBudget) -> Create<'_> {
    Create { leaf, growth }
}

fn matched(path: &str, leaf: Option<NodeKind>) -> Result<Vec<String>, String> {
    let mut document = read(POD);
    let growth = GrowthBudget::default();
    let create = leaf.map(|leaf| create(leaf, &growth));
    let found = matches(&mut document, &split_bracketed(path), create);
    let found = found.map_err(|error| error.to_string())?;
    let text = |node: &Node| node.as_str().unwrap_or("collection").to_owned();
    Ok(found
        .iter()
        .map(|found| match found {
            Match::At(location) => text(at(&document, location).unwrap()),
            Match::Embedded(node) => format!("embedded {}", text(node)),
        })
        .collect())
}

#[test]
fn match_selects_elements_by_pattern() {
    for (path, found) in [
        ("spec.containers.[name=nginx].image", &["a", "b"][..]),
        ("spec.containers.[name=^nginx$].image", &["a"]),
        ("spec.containers.*.image", &["a", "b"]),
        ("spec.containers.0.args.[=o].ignored", &["one", "two"]),
        ("spec.containers.[name=none].image", &[]),
        ("spec.missing", &[]),
        ("data.config.a.b", &["embedded 1"]),
    ] {
        let found: Vec<String> = found.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(matched(path, None), Ok(found), "{path}");
    }
}

#[test]
fn match_creates_missing_nodes() {
    for (path, found) in [
        ("spec.a.b", &[""][..]),
        ("spec.containers.[name=new].image", &[""]),
        ("spec.containers.2.image", &[""]),
        ("spec.null.below", &["embedded "]),
    ] {
        let found: Vec<String> = found.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(matched(path, Some(NodeKind::Scalar)), Ok(found), "{path}");
    }
    assert_eq!(
        matched("spec.containers.5.image", Some(NodeKind::Scalar)),
        Err("index 5 specified but only 2 elements found".to_owned())
    );
    // A created element need not match its own pattern.
    assert_eq!(
        matched("spec.containers.[name=^a$b].image", Some(NodeKind::Scalar)),
        Ok(Vec::new())
    );
}
