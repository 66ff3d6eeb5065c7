//! Generates manifests with strategic merge patches.
//!
//! Trees follow the fields of real kinds, so that lists with merge keys, sets and plain lists
//! all occur. Then they are damaged: merge keys are missing or duplicate, values are null or of
//! another type, and directives stand at wrong places.

use std::fmt::Write as _;

use serde_json::{Value, json};

use sluice_oracle::Random;

/// The structure of a field.
enum Shape {
    /// One of several scalars.
    Text(&'static [&'static str]),
    Map(&'static [(&'static str, Self)]),
    /// A map with arbitrary keys.
    Labels,
    List(&'static Self),
}

use Shape::{Labels, List, Map, Text};

const NAME: Shape = Text(&["a", "b", "c", "\"a\"", "'1'", "1"]);
const ANY: Shape = Text(&[
    "x",
    "y",
    "1",
    "\"1\"",
    "true",
    "null",
    "1.50",
    "\"\"",
    "|-\n  x\n  y",
]);
const PORT: Shape = Text(&["80", "443", "\"80\"", "0x50"]);

const VALUE_FROM: Shape = Map(&[
    ("configMapKeyRef", Map(&[("name", NAME), ("key", ANY)])),
    ("secretKeyRef", Map(&[("name", NAME), ("key", ANY)])),
]);
const ENV: Shape = Map(&[("name", NAME), ("value", ANY), ("valueFrom", VALUE_FROM)]);
const CONTAINER: Shape = Map(&[
    ("name", NAME),
    ("image", ANY),
    ("args", List(&ANY)),
    ("env", List(&ENV)),
    ("envFrom", List(&Map(&[("prefix", ANY)]))),
    (
        "ports",
        List(&Map(&[
            ("containerPort", PORT),
            ("protocol", Text(&["TCP", "UDP"])),
            ("name", NAME),
        ])),
    ),
    (
        "volumeMounts",
        List(&Map(&[
            ("mountPath", NAME),
            ("name", NAME),
            ("readOnly", ANY),
        ])),
    ),
    (
        "resources",
        Map(&[("limits", Labels), ("requests", Labels)]),
    ),
]);
const POD: Shape = Map(&[
    ("containers", List(&CONTAINER)),
    ("initContainers", List(&CONTAINER)),
    ("nodeSelector", Labels),
    ("imagePullSecrets", List(&Map(&[("name", NAME)]))),
    (
        "volumes",
        List(&Map(&[
            ("name", NAME),
            ("emptyDir", Map(&[])),
            ("secret", Map(&[("secretName", NAME)])),
        ])),
    ),
    (
        "tolerations",
        List(&Map(&[("key", NAME), ("operator", ANY)])),
    ),
    (
        "hostAliases",
        List(&Map(&[("ip", NAME), ("hostnames", List(&NAME))])),
    ),
    (
        "topologySpreadConstraints",
        List(&Map(&[
            ("topologyKey", NAME),
            (
                "whenUnsatisfiable",
                Text(&["DoNotSchedule", "ScheduleAnyway"]),
            ),
            ("maxSkew", PORT),
        ])),
    ),
]);
const METADATA: Shape = Map(&[
    ("labels", Labels),
    ("annotations", Labels),
    ("finalizers", List(&NAME)),
    (
        "ownerReferences",
        List(&Map(&[("uid", NAME), ("name", NAME)])),
    ),
]);
const WORKLOAD: Shape = Map(&[
    ("replicas", PORT),
    ("selector", Map(&[("matchLabels", Labels)])),
    (
        "strategy",
        Map(&[("type", ANY), ("rollingUpdate", Map(&[("maxSurge", ANY)]))]),
    ),
    ("template", Map(&[("metadata", METADATA), ("spec", POD)])),
]);
const SERVICE: Shape = Map(&[
    ("type", ANY),
    ("selector", Labels),
    ("externalIPs", List(&NAME)),
    (
        "ports",
        List(&Map(&[
            ("port", PORT),
            ("protocol", Text(&["TCP", "UDP"])),
            ("name", NAME),
            ("targetPort", ANY),
        ])),
    ),
]);

/// Kinds with the name and shape of their main field.
const KINDS: [(&str, &str, &str, Shape); 11] = [
    ("apps/v1", "Deployment", "spec", WORKLOAD),
    ("apps/v1", "StatefulSet", "spec", WORKLOAD),
    ("example.com/v1", "Thing", "spec", WORKLOAD),
    ("v1", "Pod", "spec", POD),
    ("v1", "Service", "spec", SERVICE),
    ("v1", "ConfigMap", "data", Labels),
    (
        "v1",
        "ServiceAccount",
        "secrets",
        List(&Map(&[("name", NAME), ("uid", ANY)])),
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "Role",
        "rules",
        List(&Map(&[("verbs", List(&NAME)), ("resources", List(&NAME))])),
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "webhooks",
        List(&Map(&[
            ("name", NAME),
            ("sideEffects", ANY),
            ("rules", List(&Map(&[("operations", List(&NAME))]))),
        ])),
    ),
    (
        "v1",
        "Node",
        "spec",
        Map(&[
            ("podCIDRs", List(&NAME)),
            ("taints", List(&Map(&[("key", NAME), ("effect", ANY)]))),
        ]),
    ),
    ("example.com/v1", "Other", "data", Labels),
];

/// A YAML tree.
#[derive(Clone)]
enum Tree {
    Plain(String),
    Map(Vec<(String, Self)>, Style),
    List(Vec<Self>, Style),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Block,
    Flow,
    /// Block style with comments.
    Commented,
}

fn style(random: &mut Random) -> Style {
    match random.below(12) {
        0 => Style::Flow,
        1 => Style::Commented,
        _ => Style::Block,
    }
}

fn draw(random: &mut Random, shape: &Shape) -> Tree {
    match shape {
        Text(texts) => Tree::Plain(random.pick(texts).to_owned()),
        Labels => {
            let fields = (0..=random.below(3)).map(|_| {
                let key = random.pick(&["a", "b", "x/y", "\"1\""]).to_owned();
                (key, draw(random, &ANY))
            });
            Tree::Map(distinct(fields.collect()), style(random))
        }
        Map(fields) => {
            let mut drawn = Vec::new();
            for (key, shape) in *fields {
                // The first field is usually the merge key, so it is present more often.
                let keeps = if drawn.is_empty() {
                    !random.once_in(6)
                } else {
                    random.once_in(2)
                };
                if keeps {
                    drawn.push(((*key).to_owned(), draw(random, shape)));
                }
            }
            Tree::Map(drawn, style(random))
        }
        List(shape) => {
            let items = (0..random.below(4)).map(|_| draw(random, shape));
            Tree::List(items.collect(), style(random))
        }
    }
}

fn distinct(mut fields: Vec<(String, Tree)>) -> Vec<(String, Tree)> {
    let mut known = std::collections::HashSet::new();
    fields.retain(|(key, _)| known.insert(key.clone()));
    fields
}

/// Damages a tree at random places.
fn spoil(random: &mut Random, tree: &mut Tree, is_patch: bool) {
    match tree {
        Tree::Map(fields, _) => {
            for (_, field) in fields.iter_mut() {
                spoil(random, field, is_patch);
                if random.once_in(30) {
                    *field = odd(random);
                }
            }
            if is_patch && random.once_in(12) {
                let word = random.pick(&[
                    "delete",
                    "replace",
                    "merge",
                    "delete",
                    "replace",
                    "other",
                    "null",
                    "\"delete\"",
                ]);
                fields.push(("$patch".to_owned(), Tree::Plain(word.to_owned())));
            }
            if is_patch && random.once_in(30) {
                let key = random.pick(&[
                    "$setElementOrder/containers",
                    "$retainKeys",
                    "$deleteFromPrimitiveList/finalizers",
                ]);
                let items = Tree::List(vec![Tree::Plain("a".to_owned())], Style::Block);
                fields.push((key.to_owned(), items));
            }
        }
        Tree::List(items, _) => {
            for item in items.iter_mut() {
                spoil(random, item, is_patch);
                if random.once_in(30) {
                    *item = odd(random);
                }
            }
            if is_patch && random.once_in(15) {
                let word = random.pick(&["delete", "replace", "merge"]);
                let directive = vec![("$patch".to_owned(), Tree::Plain(word.to_owned()))];
                let at = random.below(items.len() + 1);
                items.insert(at, Tree::Map(directive, Style::Block));
            }
        }
        Tree::Plain(_) => {}
    }
}

fn odd(random: &mut Random) -> Tree {
    match random.below(6) {
        0..=2 => Tree::Plain(random.pick(&["null", "~", "", "x"]).to_owned()),
        3 => Tree::Map(Vec::new(), Style::Block),
        4 => Tree::List(Vec::new(), Style::Block),
        _ => Tree::List(vec![Tree::Plain("a".to_owned())], Style::Block),
    }
}

/// A manifest with a patch.
pub(crate) fn pair(random: &mut Random) -> Value {
    let (api_version, kind, field, shape) = &KINDS[random.below(KINDS.len())];
    let mut written = |is_patch: bool| {
        let mut body = draw(random, shape);
        let mut metadata = draw(random, &METADATA);
        spoil(random, &mut body, is_patch);
        spoil(random, &mut metadata, is_patch);
        if let Tree::Map(fields, style) = &mut metadata {
            fields.insert(0, ("name".to_owned(), Tree::Plain("a".to_owned())));
            *style = Style::Block;
        }
        let plain = |text: &str| Tree::Plain(text.to_owned());
        let mut fields = vec![
            ("apiVersion".to_owned(), plain(api_version)),
            ("kind".to_owned(), plain(kind)),
            ("metadata".to_owned(), metadata),
            ((*field).to_owned(), body),
        ];
        if is_patch && random.once_in(40) {
            fields.push((
                "$patch".to_owned(),
                plain(random.pick(&["delete", "replace", "merge"])),
            ));
        }
        let mut text = String::new();
        block_map(&mut text, &fields, 0);
        text
    };
    json!({"document": written(false), "patch": written(true)})
}

fn block_map(out: &mut String, fields: &[(String, Tree)], indent: usize) {
    for (key, value) in fields {
        let margin = " ".repeat(indent);
        write!(out, "{margin}{key}:").expect("a String accepts all writes");
        block(out, value, indent);
    }
}

/// Writes a value after a key or a dash.
fn block(out: &mut String, tree: &Tree, indent: usize) {
    match tree {
        Tree::Plain(text) if text.is_empty() => out.push('\n'),
        Tree::Plain(text) => {
            let margin = format!("\n{}", " ".repeat(indent));
            out.push(' ');
            out.push_str(&text.replace('\n', &margin));
            out.push('\n');
        }
        Tree::Map(fields, style) if fields.is_empty() || is_flow(tree, *style) => line(out, tree),
        Tree::List(items, style) if items.is_empty() || is_flow(tree, *style) => line(out, tree),
        Tree::Map(fields, style) => {
            comment(out, *style, indent + 2);
            block_map(out, fields, indent + 2);
        }
        Tree::List(items, style) => {
            comment(out, *style, indent);
            for item in items {
                write!(out, "{}-", " ".repeat(indent)).expect("a String accepts all writes");
                match item {
                    Tree::Map(fields, style) if !fields.is_empty() && !is_flow(item, *style) => {
                        let mut inner = String::new();
                        block_map(&mut inner, fields, indent + 2);
                        out.push(' ');
                        out.push_str(inner.trim_start_matches(' '));
                    }
                    Tree::List(items, _) if !items.is_empty() => line(out, item),
                    _ => block(out, item, indent + 2),
                }
            }
        }
    }
}

fn comment(out: &mut String, style: Style, indent: usize) {
    if style == Style::Commented {
        writeln!(out, " # behind\n{}# before", " ".repeat(indent))
            .expect("a String accepts all writes");
    } else {
        out.push('\n');
    }
}

/// Flow style cannot contain literal blocks.
fn is_flow(tree: &Tree, style: Style) -> bool {
    style == Style::Flow && !has_literal(tree)
}

fn has_literal(tree: &Tree) -> bool {
    match tree {
        Tree::Plain(text) => text.starts_with('|'),
        Tree::Map(fields, _) => fields.iter().any(|(_, value)| has_literal(value)),
        Tree::List(items, _) => items.iter().any(has_literal),
    }
}

fn line(out: &mut String, tree: &Tree) {
    out.push(' ');
    flow(out, tree);
    out.push('\n');
}

fn flow(out: &mut String, tree: &Tree) {
    match tree {
        Tree::Plain(text) if text.is_empty() || text.starts_with('|') => out.push('x'),
        Tree::Plain(text) => out.push_str(text),
        Tree::Map(fields, _) => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(key);
                out.push_str(": ");
                flow(out, value);
            }
            out.push('}');
        }
        Tree::List(items, _) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                flow(out, item);
            }
            out.push(']');
        }
    }
}
