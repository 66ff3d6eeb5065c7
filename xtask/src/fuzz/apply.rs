//! Decisions of an apply: `managedFields`, rules and inventories of any content cause no panic and
//! no hang. Taking over fields loses none of them.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;
use sluice_api::kustomize::IgnoreRule;
use sluice_apply::simulation::{SimulatedAction, Simulation, simulate};
use sluice_apply::{IgnoreRules, Inventory, has_drifted, migrate};
use sluice_object::json_patch::{Document, Patch};
use sluice_object::{Object, ObjectId};
use sluice_yaml::{json, v2};

use super::Target;

const US: &str = "kustomize-controller";
const GROUP: &str = "kustomize.toolkit.fluxcd.io";

/// Documents: the live object, the result of the dry-run, the desired object. Then texts:
/// overridden managers and rules of ignored fields.
pub(super) const MANAGED_FIELDS: Target = Target {
    name: "managed-fields",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let Ok(documents) = v2::documents(text) else {
            return;
        };
        let mut documents = documents.into_iter();
        let mut object = || Object::try_from(documents.next()?).ok();
        let (Some(live), Some(dry_run), Some(desired)) = (object(), object(), object()) else {
            return;
        };
        let mut overridden = Vec::new();
        let mut rules: Vec<IgnoreRule> = Vec::new();
        for document in documents {
            match document {
                Value::String(name) => overridden.push(name),
                document => rules.extend(serde_json::from_value::<IgnoreRule>(document)),
            }
        }
        let Ok(ignore) = IgnoreRules::new(rules.iter().map(Into::into)) else {
            return;
        };
        is_decided(&Simulation {
            desired,
            live: Some(live),
            dry_run,
            field_manager: US.to_owned(),
            overridden,
            group: GROUP.to_owned(),
            ignore,
        });
    },
    seeds: || {
        let mut seeds = Vec::new();
        for live in LIVE {
            for rest in RULES {
                let seed = format!("{live}---\n{}---\n{DESIRED}---\n{rest}", LIVE[0]);
                seeds.push(seed.into_bytes());
            }
        }
        seeds
    },
    words: &[
        "---\n",
        "managedFields:\n",
        "  - {manager: ",
        "kubectl-client-side-apply",
        "kustomize-controller",
        "before-first-apply",
        "helm",
        ", operation: Apply",
        ", operation: Update",
        ", subresource: status",
        ", apiVersion: v1",
        ", fieldsV1: {",
        "f:data: {",
        "f:spec: {",
        ".: {}",
        "f:a: {}",
        "k:{\"name\":\"a\"}: {",
        "'k:{\"containerPort\":80,\"protocol\":\"TCP\"}': {}",
        "'v:\"x\"': {}",
        "'i:0': {}",
        "}",
        "annotations: {kubectl.kubernetes.io/last-applied-configuration: x}",
        "annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge}",
        "annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}",
        "paths: [",
        "/spec/replicas",
        "/metadata/labels/a~1b~0c",
        "/spec/list/0",
        "/spec/list/-1",
        "/spec/list/18446744073709551616",
        "/",
        "target: {kind: ConfigMap, name: \"a.*\"}",
        "target: {labelSelector: \"a in (b), !c\"}",
        "resourceVersion: \"7\"\n",
        "null",
        "[]",
        "{}",
        "\n",
        "  ",
    ],
};

const LIVE: [&str; 3] = [
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: n\n  resourceVersion: \"7\"\n  labels: {a/b: c}\n  managedFields:\n  - {manager: kustomize-controller, operation: Apply, apiVersion: v1, fieldsV1: {'f:data': {'f:a': {}}, 'f:spec': {'f:replicas': {}}}}\n  - {manager: kubectl-edit, operation: Update, apiVersion: v1, fieldsV1: {'f:data': {.: {}, 'f:b': {}}, 'f:metadata': {'f:annotations': {'f:x': {}}}}}\n  - {manager: controller, operation: Update, subresource: status, fieldsV1: {'f:status': {}}}\ndata: {a: b, b: c}\nspec: {replicas: 1, list: [{name: a, v: 1}, {name: b}]}\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: n\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: x, b: c}\n  labels: {fluxcd.io/sync-gc-mark: x}\n  managedFields:\n  - {manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsV1: {'f:data': {'f:a': {}}}}\n  - {manager: helm, operation: Apply, apiVersion: v1beta1, fieldsV1: {'f:spec': {'f:list': {'k:{\"name\":\"a\"}': {.: {}, 'f:v': {}}}}}}\n  - {manager: kustomize-controller, operation: Update, fieldsV1: {'f:data': {'f:a': {}, 'f:c': {}}}}\ndata: {a: b}\nspec: {list: [{name: a, v: 2}]}\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: n, managedFields: [null, 1, {}, {manager: kubectl, operation: Apply, fieldsV1: 1}]}\n",
];

const DESIRED: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: n}\ndata: {a: b}\nspec: {replicas: 2, list: [{name: a, v: 1}]}\n";

const RULES: [&str; 4] = [
    "",
    "helm\n",
    "paths: [/spec/replicas, /data]\n",
    "paths: [/spec/list/0/v, /spec/list/1]\ntarget: {kind: ConfigMap, name: \"a|b\", labelSelector: \"a/b=c\"}\n---\nhelm\n",
];

/// Checks the properties of a decision about an object.
fn is_decided(stage: &Simulation) {
    let live = stage.live.as_ref().expect("it is there");
    match simulate(stage) {
        SimulatedAction::Keep if stage.ignore == IgnoreRules::default() => {
            assert!(!has_drifted(live, &stage.dry_run), "drift is left alone");
        }
        SimulatedAction::Configure {
            clean_up: Some(patch),
            ..
        } => {
            let cleaned = patched(live, &patch);
            assert_eq!(fields(&cleaned), fields(live), "a field was lost or won");
            let again = simulate(&Simulation {
                live: Some(cleaned),
                ..stage.clone()
            });
            let is_clean = !matches!(
                again,
                SimulatedAction::Configure {
                    clean_up: Some(_),
                    ..
                }
            );
            assert!(is_clean, "the clean-up is not idempotent: {again:?}");
        }
        _ => {}
    }
    if let Some(patch) = migrate::patch(live, stage.desired.api_version()) {
        let migrated = patched(live, &patch);
        assert_eq!(fields(&migrated), fields(live), "a field was lost or won");
    }
    let absent = simulate(&Simulation {
        live: None,
        ..stage.clone()
    });
    assert_eq!(absent, SimulatedAction::Create);
}

fn patched(object: &Object, patch: &Value) -> Object {
    let mut document = Document::from_json(&json::to_string(&object.to_value())).expect("JSON");
    let patch = Patch::from_json(&json::to_string(patch)).expect("a patch of ours is one");
    patch
        .apply(&mut document)
        .expect("it was made for this object");
    let value = document.into_value().expect("it was a value");
    Object::try_from(value).expect("it is the same object")
}

/// Returns every managed field, of all managers.
fn fields(object: &Object) -> BTreeSet<Vec<String>> {
    let entries = object.at(&["metadata", "managedFields"]);
    let entries = entries.and_then(Value::as_array).into_iter().flatten();
    let mut found = BTreeSet::new();
    for entry in entries {
        if let Some(set) = entry.get("fieldsV1") {
            members(set, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// A node is a member without children, or one marked as a node.
fn members(node: &Value, path: &mut Vec<String>, found: &mut BTreeSet<Vec<String>>) {
    let below = node.as_object();
    let is_member = below.is_none_or(|below| below.is_empty() || below.contains_key("."));
    if !path.is_empty() && is_member {
        found.insert(path.clone());
    }
    for (segment, node) in below.into_iter().flatten() {
        if segment != "." {
            path.push(segment.clone());
            members(node, path, found);
            path.pop();
        }
    }
}

/// Two inventories, with an id and a version in each line, separated by an empty line.
pub(super) const INVENTORY: Target = Target {
    name: "inventory-ids",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        for line in text.lines() {
            if let Ok(id) = ObjectId::parse_inventory(line) {
                drop(id.to_string());
                // Flux's inventories do not distinguish an underscore beside a colon from a colon.
                if !id.name.contains('_') {
                    assert_eq!(ObjectId::parse_inventory(&id.inventory()), Ok(id));
                }
            }
        }
        let (older, newer) = text.split_once("\n\n").unwrap_or((text, ""));
        let read = |text: &str| {
            let lines = text.lines();
            Inventory::parse(lines.map(|line| line.split_once(' ').unwrap_or((line, ""))))
        };
        let (Ok(older), Ok(newer)) = (read(older), read(newer)) else {
            return;
        };
        let stale = older.stale(&newer);
        let (stale, kept) = (stale.ids(), newer.ids());
        for entry in older.entries() {
            // Before an apply it is unknown whether a kind is namespaced.
            let clustered = ObjectId {
                namespace: String::new(),
                ..entry.id.clone()
            };
            let is_kept = kept.contains(&entry.id) || kept.contains(&clustered);
            assert_ne!(stale.contains(&entry.id), is_kept, "{entry:?}");
        }
        let mut both = newer.clone();
        both.merge(&older);
        let ids = |inventory: &Inventory| {
            let entries = inventory.entries().iter();
            entries
                .map(|entry| entry.id.clone())
                .collect::<BTreeSet<_>>()
        };
        let expected: BTreeSet<_> = &ids(&older) | &ids(&newer);
        assert_eq!(ids(&both), expected);
        let entries: HashSet<_> = both.entries().iter().collect();
        assert_eq!(both.len(), entries.len(), "an entry is there twice");
        assert!(older.stale(&both).is_empty());
    },
    seeds: || {
        [
            "default_web_apps_Deployment v1\n_n__Namespace v1\n",
            "_system__controller_rbac.authorization.k8s.io_ClusterRole v1\n\n_system:controller_rbac.authorization.k8s.io_ClusterRole v1beta1\n",
            "a_b_c_D v1\na_b_c_D v2\n\na_b_c_D v3\n",
            "____ v1\n\n_____ v1\n",
            "n_a_b__Kind v1\nn_x__ConfigMap v1\n\nn_x__ConfigMap v1\n",
        ]
        .map(|seed| seed.as_bytes().to_vec())
        .into()
    },
    words: &[
        "_",
        "__",
        "___",
        ":",
        "rbac.authorization.k8s.io",
        "Role",
        "ClusterRoleBinding",
        "default",
        "apps_Deployment",
        " v1\n",
        "\n\n",
        "\n",
        "é",
    ],
};
