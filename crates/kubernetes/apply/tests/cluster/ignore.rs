//! Ignored fields on a real server, which tracks field managers.

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_apply::{Action, IgnoreRule, IgnoreRules, IgnoreTarget, Inventory};
use sluice_object::Object;

use crate::{MANAGER, Sandbox, all};

fn ignoring(paths: &[&str], target: Option<IgnoreTarget<'_>>) -> IgnoreRules {
    let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let paths = &paths;
    IgnoreRules::new([IgnoreRule { paths, target }]).expect("readable rules")
}

/// Applies fields as another manager.
async fn apply_as(sandbox: &Sandbox, object: &Object, manager: &str, body: Value) {
    let mut payload = Object::new(
        object.api_version(),
        object.kind(),
        object.namespace(),
        object.name(),
    )
    .into_value();
    sluice_object::merge::apply(&mut payload, &body);
    let parameters = PatchParams::apply(manager).force();
    sandbox
        .api(object)
        .await
        .patch(object.name(), &parameters, &Patch::Apply(&payload))
        .await
        .expect("applied as another");
}

/// Whether a manager's Apply entry contains a field.
pub(crate) fn applies(live: &Object, manager: &str, path: &[&str]) -> bool {
    let entries = live
        .at(&["metadata", "managedFields"])
        .and_then(Value::as_array);
    entries.into_iter().flatten().any(|entry| {
        entry["manager"] == manager
            && entry["operation"] == "Apply"
            && path
                .iter()
                .try_fold(&entry["fieldsV1"], |node, segment| node.get(segment))
                .is_some()
    })
}

struct IgnoringObject<'c> {
    sandbox: &'c Sandbox,
    known: Inventory,
    rules: IgnoreRules,
}

impl<'c> IgnoringObject<'c> {
    /// Creates an object under rules.
    async fn create(sandbox: &'c Sandbox, object: Object, rules: IgnoreRules) -> Self {
        let known = Inventory::default();
        let applied = sandbox
            .apply_ignoring(vec![object], &known, &rules)
            .await
            .expect("applied");
        assert!(all(&applied, Action::Created));
        let known = Inventory::of(&applied.changes);
        Self {
            sandbox,
            known,
            rules,
        }
    }

    async fn apply(&self, object: Object) -> (Action, Object) {
        let applied = self
            .sandbox
            .apply_ignoring(vec![object.clone()], &self.known, &self.rules)
            .await
            .expect("applied");
        let live = self.sandbox.live(&object).await.expect("live");
        (applied.changes.entries[0].action, live)
    }
}

const REPLICAS: &[&str] = &["f:spec", "f:replicas"];

#[tokio::test]
async fn field_of_another_manager_is_released_at_next_change() {
    let sandbox = Sandbox::new("ignore").await;
    let web = sandbox.deployment("web", 2);
    let ks =
        IgnoringObject::create(&sandbox, web.clone(), ignoring(&["/spec/replicas"], None)).await;
    sandbox.until_observed(&web).await;
    let live = sandbox.live(&web).await.expect("live");
    assert!(
        applies(&live, MANAGER, REPLICAS),
        "creation sends all fields"
    );

    apply_as(
        &sandbox,
        &web,
        "autoscaler",
        json!({"spec": {"replicas": 5}}),
    )
    .await;
    let (action, live) = ks.apply(web.clone()).await;
    assert_eq!(
        action,
        Action::Unchanged,
        "an ignored difference is not drift"
    );
    assert_eq!(live.int_at(&["spec", "replicas"]), Some(5));

    let mut labelled = web.clone();
    labelled.set_label("changed", "yes");
    let (action, live) = ks.apply(labelled.clone()).await;
    assert_eq!(action, Action::Configured);
    assert_eq!(
        live.int_at(&["spec", "replicas"]),
        Some(5),
        "their value stays"
    );
    assert_eq!(live.label("changed"), Some("yes"));
    assert!(!applies(&live, MANAGER, REPLICAS), "our ownership ends");
    assert!(applies(&live, "autoscaler", REPLICAS));
    assert_eq!(ks.apply(labelled).await.0, Action::Unchanged);
}

#[tokio::test]
async fn shared_ownership_lasts_until_values_differ() {
    let sandbox = Sandbox::new("ignore").await;
    let web = sandbox.deployment("web", 2);
    let ks =
        IgnoringObject::create(&sandbox, web.clone(), ignoring(&["/spec/replicas"], None)).await;
    apply_as(
        &sandbox,
        &web,
        "autoscaler",
        json!({"spec": {"replicas": 2}}),
    )
    .await;
    let mut labelled = web.clone();
    labelled.set_label("changed", "yes");
    let (_, live) = ks.apply(labelled).await;
    assert!(applies(&live, MANAGER, REPLICAS) && applies(&live, "autoscaler", REPLICAS));
}

#[tokio::test]
async fn manual_edit_of_an_ignored_field_is_adopted() {
    let sandbox = Sandbox::new("ignore").await;
    let config = sandbox.config_map("a", "ours");
    let ks = IgnoringObject::create(&sandbox, config.clone(), ignoring(&["/data/key"], None)).await;
    sandbox
        .change_as_other(&config, &json!({"data": {"key": "theirs"}}))
        .await;
    assert_eq!(ks.apply(config.clone()).await.0, Action::Unchanged);
    let mut more = config.clone();
    more.as_map_mut()["data"]["other"] = "new".into();
    let (action, live) = ks.apply(more).await;
    assert_eq!(action, Action::Configured);
    assert_eq!(
        live.get("data"),
        Some(&json!({"key": "theirs", "other": "new"}))
    );
    assert!(
        applies(&live, MANAGER, &["f:data", "f:key"]),
        "ours, with their value"
    );
}

#[tokio::test]
async fn fields_that_are_not_ignored_are_corrected() {
    let sandbox = Sandbox::new("ignore").await;
    let config = sandbox.config_map("a", "ours");
    let rules = ignoring(&["/data/other", "/metadata/annotations/note"], None);
    let ks = IgnoringObject::create(&sandbox, config.clone(), rules).await;
    sandbox
        .change_as_other(
            &config,
            &json!({"data": {"key": "drifted"}, "metadata": {"annotations": {"note": "kept"}}}),
        )
        .await;
    let (action, live) = ks.apply(config).await;
    assert_eq!(action, Action::Configured);
    assert_eq!(live.str_at(&["data", "key"]), Some("ours"));
    assert_eq!(live.annotation("note"), Some("kept"));
}

#[tokio::test]
async fn rules_only_apply_to_selected_objects() {
    let sandbox = Sandbox::new("ignore").await;
    let target = IgnoreTarget {
        kind: "ConfigMap",
        name: "a.*",
        ..IgnoreTarget::default()
    };
    let rules = ignoring(&["/data/key"], Some(target));
    for (name, expected) in [("ab", Action::Unchanged), ("b", Action::Configured)] {
        let config = sandbox.config_map(name, "ours");
        let ks = IgnoringObject::create(&sandbox, config.clone(), rules.clone()).await;
        sandbox
            .change_as_other(&config, &json!({"data": {"key": "theirs"}}))
            .await;
        assert_eq!(ks.apply(config).await.0, expected, "{name}");
    }
}

#[tokio::test]
async fn required_field_in_a_list_is_released() {
    let sandbox = Sandbox::new("ignore").await;
    let web = sandbox.deployment("web", 1);
    let path = "/spec/template/spec/containers/0/image";
    let ks = IgnoringObject::create(&sandbox, web.clone(), ignoring(&[path], None)).await;
    let image = json!({"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}}});
    apply_as(&sandbox, &web, "image-policy", image).await;
    sandbox.until_observed(&web).await;
    assert_eq!(ks.apply(web.clone()).await.0, Action::Unchanged);
    let mut labelled = web.clone();
    labelled.set_label("changed", "yes");
    let (action, live) = ks.apply(labelled).await;
    assert_eq!(action, Action::Configured);
    let containers = live
        .at(&["spec", "template", "spec", "containers"])
        .expect("containers");
    assert_eq!(containers[0]["image"], "web:2");
    let key = "k:{\"name\":\"web\"}";
    let image = [
        "f:spec",
        "f:template",
        "f:spec",
        "f:containers",
        key,
        "f:image",
    ];
    assert!(!applies(&live, MANAGER, &image) && applies(&live, "image-policy", &image));
    assert!(
        applies(&live, MANAGER, &image[..5]),
        "the container stays ours"
    );
}

#[tokio::test]
async fn map_in_a_list_is_released() {
    let sandbox = Sandbox::new("ignore").await;
    let asking = |limit: &str, request: &str| json!({"limits": {"cpu": limit}, "requests": {"cpu": request}});
    let mut web = sandbox.deployment("web", 1);
    let body = &mut web.as_map_mut()["spec"]["template"]["spec"]["containers"][0];
    body["resources"] = asking("2", "1");
    let path = "/spec/template/spec/containers/0/resources";
    let ks = IgnoringObject::create(&sandbox, web.clone(), ignoring(&[path], None)).await;
    let theirs = json!([{"name": "web", "resources": asking("4", "3")}]);
    let theirs = json!({"spec": {"template": {"spec": {"containers": theirs}}}});
    apply_as(&sandbox, &web, "autoscaler", theirs).await;
    sandbox.until_observed(&web).await;
    web.set_label("changed", "yes");
    let (action, live) = ks.apply(web).await;
    assert_eq!(action, Action::Configured);
    let containers = live
        .at(&["spec", "template", "spec", "containers"])
        .expect("containers");
    assert_eq!(containers[0]["resources"], asking("4", "3"));
    let key = "k:{\"name\":\"web\"}";
    let resources = [
        "f:spec",
        "f:template",
        "f:spec",
        "f:containers",
        key,
        "f:resources",
    ];
    assert!(!applies(&live, MANAGER, &resources) && applies(&live, "autoscaler", &resources));
}

#[tokio::test]
async fn field_of_a_former_manager_is_adopted() {
    let sandbox = Sandbox::new("ignore").await;
    let config = sandbox.config_map("a", "ours");
    let ks = IgnoringObject::create(&sandbox, config.clone(), ignoring(&["/data/key"], None)).await;
    apply_as(
        &sandbox,
        &config,
        "kubectl",
        json!({"data": {"key": "theirs"}}),
    )
    .await;
    let (action, live) = ks.apply(config.clone()).await;
    assert_eq!(action, Action::Configured, "a clean-up is a change");
    assert_eq!(live.str_at(&["data", "key"]), Some("theirs"));
    assert!(!applies(&live, "kubectl", &["f:data"]));
    assert_eq!(ks.apply(config).await.0, Action::Unchanged);
}

const SELECTOR: &[&str] = &["f:spec", "f:selector"];

#[tokio::test]
async fn immutable_ignored_field_stays_ours_when_unchanged() {
    let sandbox = Sandbox::new("fixed").await;
    let web = sandbox.deployment("web", 1);
    let rules = ignoring(&["/spec/selector"], None);
    let ks = IgnoringObject::create(&sandbox, web.clone(), rules).await;
    sandbox.until_observed(&web).await;
    let pausing = |seconds: u32| {
        let mut other = web.clone();
        other.as_map_mut()["spec"]["minReadySeconds"] = seconds.into();
        other
    };
    let (action, live) = ks.apply(pausing(7)).await;
    assert_eq!(action, Action::Configured);
    assert!(applies(&live, MANAGER, SELECTOR), "no other manager has it");

    let template = web.at(&["spec", "template"]).expect("a template");
    let selector = web.at(&["spec", "selector"]).expect("a selector");
    let with = json!({"spec": {"selector": selector, "template": template}});
    apply_as(&sandbox, &web, "selector-controller", with).await;
    let (action, live) = ks.apply(pausing(8)).await;
    assert_eq!(action, Action::Configured);
    for manager in [MANAGER, "selector-controller"] {
        assert!(applies(&live, manager, SELECTOR), "{manager} shares it");
    }

    let without = json!({"spec": {"template": template}});
    apply_as(&sandbox, &web, "selector-controller", without).await;
    let live = sandbox.live(&web).await.expect("live");
    assert_eq!(live.at(&["spec", "selector"]), Some(selector));
    assert!(!applies(&live, "selector-controller", SELECTOR));
    assert!(applies(&live, MANAGER, SELECTOR), "it stays with us");
    assert_eq!(ks.apply(pausing(8)).await.0, Action::Unchanged);
}

// The server validates the whole object before any comparison, in Flux as well.
#[tokio::test]
async fn change_of_an_immutable_ignored_field_is_rejected() {
    let sandbox = Sandbox::new("fixed").await;
    let web = sandbox.deployment("web", 1);
    let rules = ignoring(&["/spec/selector"], None);
    let ks = IgnoringObject::create(&sandbox, web.clone(), rules).await;
    let labels = json!({"app": "web", "more": "yes"});
    let mut other = web.clone();
    other.as_map_mut()["spec"]["selector"]["matchLabels"] = labels.clone();
    other.as_map_mut()["spec"]["template"]["metadata"]["labels"] = labels;
    let refused = sandbox
        .apply_ignoring(vec![other], &ks.known, &ks.rules)
        .await
        .expect_err("a selector is for good")
        .to_string();
    let lead = format!("{} dry-run failed (Invalid): ", web.id());
    assert!(
        refused.starts_with(&lead)
            && refused.contains("spec.selector")
            && refused.contains("field is immutable"),
        "{refused}"
    );
    let live = sandbox.live(&web).await.expect("live");
    assert_eq!(
        live.at(&["spec", "selector"]),
        web.at(&["spec", "selector"])
    );
}
