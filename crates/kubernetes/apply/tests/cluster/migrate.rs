//! The gate `MigrateAPIVersion`: managed fields of a version that is not applied any more.
//!
//! What it is there for is the upgrade of external-secrets: its v1 got a field with a default that
//! v1beta1 does not have, deep in a list, and from then on no `ExternalSecret` could be applied
//! that had an entry of v1beta1. `definition_of_external_secrets` is of our making, with the
//! traits that matter of the real one.

use std::sync::Arc;

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_apply::{
    Action, Applier, ApplierSettings, ApplyError, ApplyFailure, ApplyOptions, ApplyOutcome,
    IgnoreRule, IgnoreRules, Inventory, Operation,
};
use sluice_object::Object;
use sluice_system::SystemClock;

use crate::{Corner, GROUP, MANAGER, actions, all, definition, within};

/// Applies one object over what is known, with the gate as told.
async fn apply_by(
    corner: &Corner,
    object: Object,
    known: &Inventory,
    migrate: bool,
    rules: IgnoreRules,
) -> ApplyOutcome {
    try_apply(corner, vec![object], known, migrate, rules)
        .await
        .expect("applied")
}

/// Applies objects over what is known, with the gate as told.
async fn try_apply(
    corner: &Corner,
    mut objects: Vec<Object>,
    known: &Inventory,
    migrate: bool,
    rules: IgnoreRules,
) -> Result<ApplyOutcome, ApplyFailure> {
    let mut settings = ApplierSettings::new(MANAGER, GROUP);
    settings.migrate_api_version = migrate;
    let applier = Applier::new(
        corner.applier.cluster().clone(),
        Arc::new(settings),
        corner.watches.clone(),
        Arc::new(SystemClock),
    )
    .with_ignore_rules(Arc::new(rules));
    applier.set_owner(&mut objects, &corner.owner);
    let options = ApplyOptions {
        owner: &corner.owner,
        known,
        force: false,
        wait_runner: None,
    };
    applier.apply_staged(objects, &options).await
}

#[tokio::test]
async fn entries_of_an_older_version_are_rewritten_only_when_asked_for() {
    let corner = Corner::new("migrate").await;
    let group = format!("{}.example.com", corner.namespace);
    let widget = |version: &str| {
        corner.object(
            &format!("{group}/{version}"),
            "Widget",
            "w",
            &json!({"spec": {"size": 1}}),
        )
    };
    let applied = corner
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    let versions = async || {
        let live = corner.live(&widget("v2")).await.expect("live");
        let entries = live.at(&["metadata", "managedFields"]).expect("managers");
        entries
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| entry["apiVersion"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    // Somebody else holds a field in the old version; our own apply does not touch that entry.
    corner
        .meddle(
            &widget("v1"),
            &json!({"metadata": {"annotations": {"by": "meddler"}}}),
        )
        .await;
    let apply = async |migrate: bool| {
        let rules = IgnoreRules::default();
        apply_by(&corner, widget("v2"), &known, migrate, rules).await
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
    assert!(all(&applied, Action::Unchanged), "and happens once");
    corner
        .applier
        .wait(applied.targets, within(30), std::future::pending())
        .await
        .expect("healthy");
}

#[tokio::test]
async fn a_migration_leaves_ignored_fields_as_they_are() {
    let corner = Corner::new("migrate").await;
    let group = format!("{}.example.com", corner.namespace);
    let widget = |version: &str| {
        let body = json!({"spec": {"replicas": 2, "size": 1}});
        corner.object(&format!("{group}/{version}"), "Widget", "w", &body)
    };
    let applied = corner
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    corner
        .meddle(&widget("v1"), &json!({"spec": {"replicas": 10}}))
        .await;
    let paths = ["/spec/replicas".to_owned()];
    let rule = IgnoreRule {
        paths: &paths,
        target: None,
    };
    let rules = IgnoreRules::new([rule]).expect("readable rules");
    for expected in [Action::Configured, Action::Unchanged] {
        let applied = apply_by(&corner, widget("v2"), &known, true, rules.clone()).await;
        assert!(all(&applied, expected), "{:?}", actions(&applied));
        let live = corner.live(&widget("v2")).await.expect("live");
        assert_eq!(live.get("spec"), Some(&json!({"replicas": 10, "size": 1})));
    }
}

/// A version of the definition: its name, whether it is served, and whether it has the new field.
type Version = (&'static str, bool, bool);

/// The definition of a namespaced `ExternalSecret`; the last version is stored.
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
                // What went with it: entries name it, and no later version knows it.
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

/// Objects of a definition that is upgraded under them, up to the one that breaks their apply.
struct Upgrade {
    corner: Corner,
    group: String,
    count: usize,
    /// Whether the first version is served to the end.
    keeps_old: bool,
    known: Inventory,
}

impl Upgrade {
    /// Begins where there is v1beta1 only, and objects of it.
    async fn begin(count: usize, keeps_old: bool) -> Self {
        let corner = Corner::new("migrate").await;
        let mut upgrade = Self {
            group: format!("{}.external-secrets.io", corner.namespace),
            corner,
            count,
            keeps_old,
            known: Inventory::default(),
        };
        let mut objects = vec![upgrade.definition(&[("v1beta1", true, false)])];
        objects.extend(upgrade.objects("v1beta1"));
        let applied = upgrade.corner.apply(objects).await.expect("applied");
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
            self.corner.object(
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
        try_apply(&self.corner, objects, &self.known, migrate, rules).await
    }

    /// Brings v1 as it was at first, and the objects in it: they are as wanted, so that nothing is
    /// written. Somebody else's write then brings them into the store as v1.
    async fn bring_v1(&self) {
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
            let touch = json!({"metadata": {"annotations": {"stored": "anew"}}});
            self.corner.meddle(&object, &touch).await;
        }
    }

    /// Brings the new field, and waits until the server puts its default in.
    async fn bring_default(&self) {
        self.apply(vec![self.upgraded(true)], false)
            .await
            .expect("applied");
        for object in self.objects("v1") {
            let api = self.corner.api(&object).await;
            sluice_testkit::wait::until(&api, object.name(), "got the default", |live| {
                live.is_some_and(|live| {
                    live.data["spec"]["dataFrom"][0]["extract"]["nullBytePolicy"] == "Ignore"
                })
            })
            .await;
        }
    }

    /// Who has written, by which operation, of which part, and in which version.
    async fn entries(&self, object: &Object) -> Vec<[String; 4]> {
        let live = self.corner.live(object).await.expect("live");
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

    /// Applies without the gate: refused, in the words by which the upgrade is known.
    async fn is_refused(&self, objects: Vec<Object>) {
        let before = self.corner.live(&objects[0]).await;
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
        assert_eq!(self.corner.live(&objects[0]).await, before);
    }
}

fn entry(manager: &str, operation: &str, subresource: &str, version: &str) -> [String; 4] {
    [manager, operation, subresource, version].map(ToOwned::to_owned)
}

#[tokio::test]
async fn a_default_of_a_new_version_needs_the_entries_of_the_old_one_rewritten() {
    // Few objects are read one by one, many are listed.
    for count in [1, 9] {
        let upgrade = Upgrade::begin(count, false).await;
        upgrade.bring_v1().await;
        let ours = |version| entry(MANAGER, "Apply", "", version);
        let meddler = || entry("meddler", "Update", "", "v1");
        let objects = || upgrade.objects("v1");
        assert_eq!(
            upgrade.entries(&objects()[0]).await,
            [ours("v1beta1"), meddler()]
        );
        upgrade.bring_default().await;
        upgrade.is_refused(objects()).await;

        let applied = upgrade.apply(objects(), true).await.expect("applied");
        assert!(all(&applied, Action::Configured), "{:?}", actions(&applied));
        for object in objects() {
            assert_eq!(upgrade.entries(&object).await, [ours("v1"), meddler()]);
        }
        for migrate in [true, false] {
            let applied = upgrade.apply(objects(), migrate).await.expect("applied");
            assert!(all(&applied, Action::Unchanged), "{:?}", actions(&applied));
        }
    }
}

/// As it was found on a cluster: ours is of v1 long since, and the status is not.
#[tokio::test]
async fn the_status_of_an_operator_that_wrote_the_old_version_is_rewritten_and_kept() {
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
        .corner
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
    upgrade.bring_v1().await;
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
            entry("meddler", "Update", "", "v1"),
        ]
    };
    assert_eq!(upgrade.entries(&objects()[0]).await, entries("v1beta1"));
    upgrade.bring_default().await;
    upgrade.is_refused(objects()).await;

    let applied = upgrade.apply(objects(), true).await.expect("applied");
    assert!(all(&applied, Action::Configured), "{:?}", actions(&applied));
    assert_eq!(upgrade.entries(&objects()[0]).await, entries("v1"));
    let live = upgrade.corner.live(&objects()[0]).await.expect("live");
    assert_eq!(live.get("status"), Some(&status));
    let applied = upgrade.apply(objects(), false).await.expect("applied");
    assert!(all(&applied, Action::Unchanged), "{:?}", actions(&applied));
}
