//! Walks the table of `docs/lockdown.md`: each row has a proof in the crate of its controller.
//!
//! A proof returns the cell that the code stands for, without and with the flags of
//! `--multi-tenant`. A row without a proof, a proof without a row and a different cell fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../docs/lockdown.md");

/// A controller, the file of its proofs below `crates/controllers`, and its kinds.
const CONTROLLERS: &[(&str, &str, &[&str])] = &[
    (
        "source-controller",
        "source/src/lockdown_tests.rs",
        &[
            "Bucket",
            "ExternalArtifact",
            "GitRepository",
            "HelmChart",
            "HelmRepository",
            "OCIRepository",
        ],
    ),
    (
        "kustomize-controller",
        "kustomize/src/kustomization/tests/lockdown.rs",
        &["Kustomization"],
    ),
    (
        "helm-controller",
        "helm/src/helm_release/tests/lockdown.rs",
        &["HelmRelease"],
    ),
    (
        "notification-controller",
        "notification/src/lockdown_tests.rs",
        &["Alert", "Provider", "Receiver"],
    ),
    (
        "image-reflector-controller",
        "image-reflector/src/lockdown_tests.rs",
        &["ImagePolicy", "ImageRepository"],
    ),
    (
        "image-automation-controller",
        "image-automation/src/image_update_automation/tests/lockdown.rs",
        &["ImageUpdateAutomation"],
    ),
    (
        "source-watcher",
        "source-watcher/src/lockdown_tests.rs",
        &["ArtifactGenerator"],
    ),
];

/// Cells of the table.
pub const OWN: &str = "own namespace";
/// An object of any namespace.
pub const ANY: &str = "any namespace";
/// No object of the cluster.
pub const NOTHING: &str = "nothing in the cluster";
/// A reference whose target names the namespaces that may use it.
pub const ACCEPTED: &str = "namespaces that `accessFrom` lists";
/// The account of an object with an identity in a cloud, which the flags do not change.
pub const CLOUD_ACCOUNT: &str = "account in the own namespace; without it the controllers' own";
/// A server of the tenant's choice.
pub const SERVER: &str = "any server, with the object's credentials";

/// The proof of a row.
pub struct Proof(Box<dyn Fn(bool) -> String>);

impl Proof {
    /// The code decides: the function gets whether the flags are set, and returns the cell.
    pub fn decided(cell: impl Fn(bool) -> String + 'static) -> Self {
        Self(Box::new(cell))
    }

    /// The reference has no namespace in the type of the object, even if a stored object has one.
    /// `spec` has all required fields.
    pub fn typed<T: Serialize + DeserializeOwned>(spec: Value, field: &'static str) -> Self {
        Self(Box::new(move |_| {
            let mut object = json!({
                "apiVersion": "v1", "kind": "A", "metadata": { "name": "a", "namespace": "apps" },
                "spec": spec,
            });
            fill(&mut object["spec"], field);
            let typed: T =
                serde_json::from_value(object).unwrap_or_else(|error| panic!("{field}: {error}"));
            let written = serde_json::to_value(&typed).unwrap();
            let reference = find(&written["spec"], field);
            assert_eq!(reference["name"], "secret", "{field}: {written}");
            let has_namespace = reference.get("namespace").is_some();
            if has_namespace { ANY } else { OWN }.to_owned()
        }))
    }

    /// A test below `crates` shows this cell.
    pub fn tested(file: &str, test: &str, cell: &'static str) -> Self {
        let path = crates().join(file);
        let text = sluice_system::fs::read_to_string(&path).unwrap();
        let is_there = text.contains(&format!("fn {test}("));
        assert!(is_there, "{file} has no test {test}");
        Self(Box::new(move |_| cell.to_owned()))
    }
}

/// The cell of a reference that reaches the own or another namespace.
pub fn reach(is_own_allowed: bool, is_other_allowed: bool) -> String {
    match (is_own_allowed, is_other_allowed) {
        (true, true) => ANY.to_owned(),
        (true, false) => OWN.to_owned(),
        (own, other) => format!("own namespace: {own}, other namespace: {other}"),
    }
}

/// The cell of an account. `named` is the account of an object that names `robot` in the namespace
/// `apps`. `unnamed` is the account of an object that names none, or `None` for the controllers'.
pub fn account(named: &str, unnamed: Option<&str>) -> String {
    let named = match named {
        "apps/robot" => "account in the own namespace",
        other => other,
    };
    let unnamed = match unnamed {
        None => "the controllers' own",
        Some("apps/default") => "`default` there",
        Some(other) => other,
    };
    format!("{named}; without it {unnamed}")
}

/// Compares the rows of a controller's kinds with their proofs.
pub fn walk(controller: &str, proofs: Vec<(&str, &str, Proof)>) {
    let (_, _, kinds) = CONTROLLERS
        .iter()
        .find(|(name, ..)| *name == controller)
        .unwrap_or_else(|| panic!("no kinds of {controller}"));
    let mut proofs: BTreeMap<(&str, &str), Proof> = proofs
        .into_iter()
        .map(|(kind, field, proof)| ((kind, field), proof))
        .collect();
    for [kind, field, open, locked] in rows() {
        if !kinds.contains(&kind) {
            continue;
        }
        let proof = proofs.remove(&(kind, field));
        let Proof(cell) = proof.unwrap_or_else(|| panic!("no proof of {kind} {field}"));
        assert_eq!(cell(false), open, "{kind} {field}");
        assert_eq!(cell(true), locked, "{kind} {field} with the flags");
    }
    let left: Vec<_> = proofs.into_keys().collect();
    assert!(left.is_empty(), "no rows for the proofs of {left:?}");
}

/// The rows of the page: kind, field and both cells.
fn rows() -> Vec<[&'static str; 4]> {
    let (_, table) = PAGE.split_once("<!-- derived: references -->").unwrap();
    let (table, _) = table.split_once("<!-- end -->").unwrap();
    let lines = table.trim().lines().skip(2);
    let rows = lines.map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        <[&str; 4]>::try_from(cells).unwrap()
    });
    rows.map(|[kind, field, open, locked]| [kind, field.trim_matches('`'), open, locked])
        .collect()
}

/// Puts a reference to a Secret of another namespace at a path.
fn fill(spec: &mut Value, field: &str) {
    let (first, rest) = match field.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (field, None),
    };
    let (name, is_list) = match first.strip_suffix("[]") {
        Some(name) => (name, true),
        None => (first, false),
    };
    let mut place = &mut spec[name];
    if is_list {
        if !place.is_array() {
            *place = json!([{}]);
        }
        place = &mut place[0];
    }
    match rest {
        Some(rest) => fill(place, rest),
        None => {
            place["name"] = "secret".into();
            place["namespace"] = "other".into();
        }
    }
}

fn find<'v>(spec: &'v Value, field: &str) -> &'v Value {
    field
        .split('.')
        .fold(spec, |value, name| match name.strip_suffix("[]") {
            Some(name) => &value[name][0],
            None => &value[name],
        })
}

/// Parses the arguments of a controller: none, or the flags of `--multi-tenant`.
pub fn arguments<A: clap::Args>(controller: &str, is_locked: bool) -> A {
    let command = A::augment_args(clap::Command::new("controller").no_binary_name(true));
    let flags = if is_locked {
        sluice_manifests::lockdown_flags(controller)
    } else {
        &[]
    };
    A::from_arg_matches(&command.get_matches_from(flags)).unwrap()
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_walked_by_its_controller() {
        for [kind, ..] in rows() {
            let mut owners = CONTROLLERS.iter();
            let owner = owners.find(|(_, _, kinds)| kinds.contains(&kind));
            let (name, file, _) = owner.unwrap_or_else(|| panic!("no controller of {kind}"));
            let text = sluice_system::fs::read_to_string(crates().join("controllers").join(file));
            let text = text.unwrap();
            assert!(text.contains("walk("), "{file} walks no rows");
            assert!(text.contains(name), "{file} is not of {name}");
        }
    }

    #[test]
    #[should_panic(expected = "no proof of Kustomization")]
    fn row_without_proof_fails() {
        walk("kustomize-controller", Vec::new());
    }

    #[test]
    #[should_panic(expected = "no rows for the proofs of [(\"Kustomization\", \"newRef\")]")]
    fn proof_without_row_fails() {
        let rows = rows()
            .into_iter()
            .filter(|[kind, ..]| *kind == "Kustomization");
        let proofs = rows.map(|[kind, field, open, locked]| {
            let cell = move |is_locked| if is_locked { locked } else { open }.to_owned();
            (kind, field, Proof::decided(cell))
        });
        let extra = (
            "Kustomization",
            "newRef",
            Proof::decided(|_| OWN.to_owned()),
        );
        walk("kustomize-controller", proofs.chain([extra]).collect());
    }
}
