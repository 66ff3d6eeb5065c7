//! The gate `MigrateAPIVersion`: managed fields of an older version.
//!
//! The upgrade of external-secrets needs it: v1 got a field with a default, deep in a list, that
//! v1beta1 lacks. Then every apply of an `ExternalSecret` with a v1beta1 entry failed.
//! `definition_of_external_secrets` imitates the relevant parts of the real definition.

use std::sync::Arc;

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_apply::{
    Action, Applier, ApplierSettings, ApplyError, ApplyFailure, ApplyOptions, ApplyOutcome,
    IgnoreRule, IgnoreRules, Inventory, Operation,
};
use sluice_object::Object;
use sluice_system::SystemClock;

use crate::{GROUP, MANAGER, Sandbox, actions, all, definition, within};

/// Applies an object over an inventory, with or without the gate.
async fn apply_by(
    sandbox: &Sandbox,
    object: Object,
    known: &Inventory,
    migrate: bool,
    rules: IgnoreRules,
) -> ApplyOutcome {
    try_apply(sandbox, vec![object], known, migrate, rules)
        .await
        .expect("applied")
}

/// Applies objects over an inventory, with or without the gate.
async fn try_apply(
    sandbox: &Sandbox,
    mut objects: Vec<Object>,
    known: &Inventory,
    migrate: bool,
    rules: IgnoreRules,
) -> Result<ApplyOutcome, ApplyFailure> {
    let mut settings = ApplierSettings::new(MANAGER, GROUP);
    settings.migrate_api_version = migrate;
    let applier = Applier::new(
        sandbox.applier.cluster().clone(),
        Arc::new(settings),
        sandbox.watches.clone(),
        Arc::new(SystemClock),
    )
    .with_ignore_rules(Arc::new(rules));
    applier.set_owner(&mut objects, &sandbox.owner);
    let options = ApplyOptions {
        owner: &sandbox.owner,
        known,
        force: false,
        wait_runner: None,
    };
    applier.apply_staged(objects, &options).await
}

#[tokio::test]
async fn older_entries_are_only_rewritten_with_the_gate() {
    let sandbox = Sandbox::new("migrate").await;
    let group = format!("{}.example.com", sandbox.namespace);
    let widget = |version: &str| {
        sandbox.object(
            &format!("{group}/{version}"),
            "Widget",
            "w",
            &json!({"spec": {"size": 1}}),
        )
    };
    let applied = sandbox
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    let versions = async || {
        let live = sandbox.live(&widget("v2")).await.expect("live");
        let entries = live.at(&["metadata", "managedFields"]).expect("managers");
        entries
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| entry["apiVersion"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    // Another manager owns a field in the old version; our apply does not change that entry.
    sandbox
        .change_as_other(
            &widget("v1"),
            &json!({"metadata": {"annotations": {"by": "other_manager"}}}),
        )
        .await;
    let apply = async |migrate: bool| {
        let rules = IgnoreRules::default();
        apply_by(&sandbox, widget("v2"), &known, migrate, rules).await
    };
    apply(false).await;
    assert!(versions().await.contains(&format!("{group}/v1")));
    let applied = apply(true).await;
    assert!(
        all(&applied, Action::Configured),
        "a migration counts as a change"
    );
    assert!(
        versions()
            .await
            .iter()
            .all(|version| *version == format!("{group}/v2"))
    );
    let applied = apply(true).await;
    assert!(
        all(&applied, Action::Unchanged),
        "the migration happens once"
    );
    sandbox
        .applier
        .wait(applied.targets, within(30), std::future::pending())
        .await
        .expect("healthy");
}

#[tokio::test]
async fn migration_keeps_ignored_fields() {
    let sandbox = Sandbox::new("migrate").await;
    let group = format!("{}.example.com", sandbox.namespace);
    let widget = |version: &str| {
        let body = json!({"spec": {"replicas": 2, "size": 1}});
        sandbox.object(&format!("{group}/{version}"), "Widget", "w", &body)
    };
    let applied = sandbox
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    sandbox
        .change_as_other(&widget("v1"), &json!({"spec": {"replicas": 10}}))
        .await;
    let paths = ["/spec/replicas".to_owned()];
    let rule = IgnoreRule {
        paths: &paths,
        target: None,
    };
    let rules = IgnoreRules::new([rule]).expect("readable rules");
    for expected in [Action::Configured, Action::Unchanged] {
        let applied = apply_by(&sandbox, widget("v2"), &known, true, rules.clone()).await;
        assert!(all(&applied, expected), "{:?}", actions(&applied));
        let live = sandbox.live(&widget("v2")).await.expect("live");
        assert_eq!(live.get("spec"), Some(&json!({"replicas": 10, "size": 1})));
    }
}

/// A version of the definition: name, whether it is served, and whether it has the new field.
type Version = (&'static str, bool, bool);

/// The definition of a namespaced `ExternalSecret`. The last version is stored.
fn definition_of_external_secrets(group: &str, versions: &[Version]) -> Object {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(index, (name, served, has_policy))| {
            let text = json!({"type": "string"});
            let mut extract = json!({"key": text, "version": text});
            if *has_policy {
                extract["nullBytePolicy"] =
                    json!({"type": "string", "enum": ["Ignore", "Fail"], "default": "Ignore"});
            }
            let fields = |properties: Value| json!({"type": "object", "properties": properties});
            let mut spec = fields(json!({
                "refreshInterval": {"type": "string", "default": "1h"},
                "secretStoreRef": fields(json!({"name": text, "kind": text})),
                "dataFrom": {"type": "array", "items": fields(json!({"extract": fields(extract)}))},
            }));
            let mut status = fields(json!({
                "refreshTime": text,
                "conditions": {
                    "type": "array",
                    "items": fields(json!({"type": text, "status": text})),
                },
            }));
            if *name == "v1beta1" {
                // A removed field: entries contain it, but later versions lack it.
                spec["properties"]["data"] = json!({
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["secretKey"],
                    "items": {"type": "object", "required": ["secretKey"],
                        "properties": {"secretKey": text, "remoteKey": text}},
                });
                status["properties"]["syncedResourceVersion"] = text.clone();
            }
            json!({"name": name, "served": served, "storage": index + 1 == versions.len(),
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": fields(json!({"spec": spec, "status": status}))}})
        })
        .collect();
    Object::try_from(json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("externalsecrets.{group}")},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": "ExternalSecret", "plural": "externalsecrets", "shortNames": ["es"]},
            "versions": versions,
        },
    }))
    .expect("complete")
}

/// Objects whose definition is upgraded until their apply fails.
struct Upgrade {
    sandbox: Sandbox,
    group: String,
    count: usize,
    /// Whether the first version stays served.
    keeps_old: bool,
    known: Inventory,
}

impl Upgrade {
    /// Starts with v1beta1 only and objects in it.
    async fn begin(count: usize, keeps_old: bool) -> Self {
        let sandbox = Sandbox::new("migrate").await;
        let mut upgrade = Self {
            group: format!("{}.external-secrets.io", sandbox.namespace),
            sandbox,
            count,
            keeps_old,
            known: Inventory::default(),
        };
        let mut objects = vec![upgrade.definition(&[("v1beta1", true, false)])];
        objects.extend(upgrade.objects("v1beta1"));
        let applied = upgrade.sandbox.apply(objects).await.expect("applied");
        assert!(all(&applied, Action::Created), "{:?}", actions(&applied));
        upgrade.known = Inventory::of(&applied.changes);
        upgrade
    }

    fn definition(&self, versions: &[Version]) -> Object {
        definition_of_external_secrets(&self.group, versions)
    }

    /// The definition with both versions.
    fn upgraded(&self, has_policy: bool) -> Object {
        self.definition(&[("v1beta1", self.keeps_old, false), ("v1", true, has_policy)])
    }

    fn objects(&self, version: &str) -> Vec<Object> {
        let object = |index| {
            let mut spec = json!({
                "secretStoreRef": {"kind": "ClusterSecretStore", "name": "vault"},
                "dataFrom": [{"extract": {"key": "database"}}],
            });
            if version == "v1beta1" {
                spec["data"] = json!([{"secretKey": "password", "remoteKey": "database"}]);
            }
            self.sandbox.object(
                &format!("{}/{version}", self.group),
                "ExternalSecret",
                &format!("es-{index}"),
                &json!({"spec": spec}),
            )
        };
        (0..self.count).map(object).collect()
    }

    async fn apply(
        &self,
        objects: Vec<Object>,
        migrate: bool,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        let rules = IgnoreRules::default();
        try_apply(&self.sandbox, objects, &self.known, migrate, rules).await
    }

    /// Adds v1 and applies the objects in it, which changes nothing. Then a write of another
    /// manager stores them as v1.
    async fn add_v1(&self) {
        let mut objects = vec![self.upgraded(false)];
        objects.extend(self.objects("v1"));
        let applied = self.apply(objects, false).await.expect("applied");
        let objects = applied
            .changes
            .entries
            .iter()
            .filter(|entry| entry.id.kind == "ExternalSecret");
        assert!(
            objects
                .map(|entry| entry.action)
                .all(|action| action == Action::Unchanged),
            "{:?}",
            actions(&applied)
        );
        for object in self.objects("v1") {
            let touch = json!({"metadata": {"annotations": {"stored": "again"}}});
            self.sandbox.change_as_other(&object, &touch).await;
        }
    }

    /// Adds the new field, and waits until the server fills in its default.
    async fn add_default(&self) {
        self.apply(vec![self.upgraded(true)], false)
            .await
            .expect("applied");
        for object in self.objects("v1") {
            let api = self.sandbox.api(&object).await;
            sluice_testkit::wait::until(&api, object.name(), "got the default", |live| {
                live.is_some_and(|live| {
                    live.data["spec"]["dataFrom"][0]["extract"]["nullBytePolicy"] == "Ignore"
                })
            })
            .await;
        }
    }

    /// Manager, operation, subresource and version of each entry.
    async fn entries(&self, object: &Object) -> Vec<[String; 4]> {
        let live = self.sandbox.live(object).await.expect("live");
        let entries = live.at(&["metadata", "managedFields"]).expect("managers");
        let mut entries: Vec<_> = entries
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| {
                ["manager", "operation", "subresource", "apiVersion"].map(|field| {
                    let text = entry[field].as_str().unwrap_or_default();
                    text.rsplit('/').next().unwrap_or_default().to_owned()
                })
            })
            .collect();
        entries.sort();
        entries
    }

    /// Applies without the gate, which fails with the known message.
    async fn is_refused(&self, objects: Vec<Object>) {
        let before = self.sandbox.live(&objects[0]).await;
        let failure = self
            .apply(objects.clone(), false)
            .await
            .expect_err("refused");
        let failures = match &failure.error {
            ApplyError::Objects(failures) => failures.as_slice(),
            ApplyError::Stage(_) => &[],
        };
        assert_eq!(failures.len(), self.count);
        for failure in failures {
            assert_eq!(failure.operation, Operation::DryRun);
            let words = ".spec.dataFrom[0].extract.nullBytePolicy: field not declared in schema";
            assert!(failure.message.contains(words), "{failure}");
        }
        assert!(!failure.may_have_sent());
        assert_eq!(self.sandbox.live(&objects[0]).await, before);
    }
}

fn entry(manager: &str, operation: &str, subresource: &str, version: &str) -> [String; 4] {
    [manager, operation, subresource, version].map(ToOwned::to_owned)
}

#[tokio::test]
async fn default_of_a_new_version_needs_rewritten_entries() {
    // A few objects are read, many are listed.
    for count in [1, 9] {
        let upgrade = Upgrade::begin(count, false).await;
        upgrade.add_v1().await;
        let ours = |version| entry(MANAGER, "Apply", "", version);
        let other_manager = || entry("other_manager", "Update", "", "v1");
        let objects = || upgrade.objects("v1");
        assert_eq!(
            upgrade.entries(&objects()[0]).await,
            [ours("v1beta1"), other_manager()]
        );
        upgrade.add_default().await;
        upgrade.is_refused(objects()).await;

        let applied = upgrade.apply(objects(), true).await.expect("applied");
        assert!(all(&applied, Action::Configured), "{:?}", actions(&applied));
        for object in objects() {
            assert_eq!(
                upgrade.entries(&object).await,
                [ours("v1"), other_manager()]
            );
        }
        for migrate in [true, false] {
            let applied = upgrade.apply(objects(), migrate).await.expect("applied");
            assert!(all(&applied, Action::Unchanged), "{:?}", actions(&applied));
        }
    }
}

/// As found on a cluster: our entry has v1, but that of the status does not.
#[tokio::test]
async fn status_entry_of_an_older_version_is_rewritten() {
    let upgrade = Upgrade::begin(1, true).await;
    let status = json!({"refreshTime": "2026-01-01T00:00:00Z",
        "conditions": [{"type": "Ready", "status": "True"}]});
    let mut written_status = status.clone();
    written_status["syncedResourceVersion"] = "1".into();
    let written = &upgrade.objects("v1beta1")[0];
    let parameters = PatchParams {
        field_manager: Some("external-secrets".to_owned()),
        ..PatchParams::default()
    };
    upgrade
        .sandbox
        .api(written)
        .await
        .patch_subresource(
            "status",
            written.name(),
            &parameters,
            &Patch::Merge(json!({"status": written_status})),
        )
        .await
        .expect("a status");
    upgrade.add_v1().await;
    let objects = || {
        let mut objects = upgrade.objects("v1");
        objects[0].set_label("tier", "data");
        objects
    };
    let applied = upgrade.apply(objects(), false).await.expect("applied");
    assert!(all(&applied, Action::Configured), "{:?}", actions(&applied));
    let entries = |operator| {
        [
            entry("external-secrets", "Update", "status", operator),
            entry(MANAGER, "Apply", "", "v1"),
            entry("other_manager", "Update", "", "v1"),
        ]
    };
    assert_eq!(upgrade.entries(&objects()[0]).await, entries("v1beta1"));
    upgrade.add_default().await;
    upgrade.is_refused(objects()).await;

    let applied = upgrade.apply(objects(), true).await.expect("applied");
    assert!(all(&applied, Action::Configured), "{:?}", actions(&applied));
    assert_eq!(upgrade.entries(&objects()[0]).await, entries("v1"));
    let live = upgrade.sandbox.live(&objects()[0]).await.expect("live");
    assert_eq!(live.get("status"), Some(&status));
    let applied = upgrade.apply(objects(), false).await.expect("applied");
    assert!(all(&applied, Action::Unchanged), "{:?}", actions(&applied));
}
