//! Fields that are left to others, on objects whose managers the server keeps account of.

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_apply::{Action, IgnoreRule, IgnoreRules, IgnoreTarget, Inventory};
use sluice_object::Object;

use crate::{Corner, MANAGER, all};

fn ignoring(paths: &[&str], target: Option<IgnoreTarget<'_>>) -> IgnoreRules {
    let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let paths = &paths;
    IgnoreRules::new([IgnoreRule { paths, target }]).expect("readable rules")
}

/// Applies a field set as somebody else.
async fn apply_as(corner: &Corner, object: &Object, manager: &str, body: Value) {
    let mut payload = Object::new(
        object.api_version(),
        object.kind(),
        object.namespace(),
        object.name(),
    )
    .into_value();
    sluice_object::merge::apply(&mut payload, &body);
    let parameters = PatchParams::apply(manager).force();
    corner
        .api(object)
        .await
        .patch(object.name(), &parameters, &Patch::Apply(&payload))
        .await
        .expect("applied as another");
}

/// Whether a manager's Apply entry names a field.
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

struct Watched<'c> {
    corner: &'c Corner,
    known: Inventory,
    rules: IgnoreRules,
}

impl<'c> Watched<'c> {
    /// Creates an object under rules.
    async fn create(corner: &'c Corner, object: Object, rules: IgnoreRules) -> Self {
        let known = Inventory::default();
        let applied = corner
            .apply_ignoring(vec![object], &known, &rules)
            .await
            .expect("applied");
        assert!(all(&applied, Action::Created));
        let known = Inventory::of(&applied.changes);
        Self {
            corner,
            known,
            rules,
        }
    }

    async fn apply(&self, object: Object) -> (Action, Object) {
        let applied = self
            .corner
            .apply_ignoring(vec![object.clone()], &self.known, &self.rules)
            .await
            .expect("applied");
        let live = self.corner.live(&object).await.expect("live");
        (applied.changes.entries[0].action, live)
    }
}

const REPLICAS: &[&str] = &["f:spec", "f:replicas"];

#[tokio::test]
async fn a_field_that_another_applies_is_released_with_the_next_change() {
    let corner = Corner::new("ignore").await;
    let web = corner.deployment("web", 2);
    let ks = Watched::create(&corner, web.clone(), ignoring(&["/spec/replicas"], None)).await;
    corner.until_seen(&web).await;
    let live = corner.live(&web).await.expect("live");
    assert!(
        applies(&live, MANAGER, REPLICAS),
        "creation sends all fields"
    );

    apply_as(
        &corner,
        &web,
        "autoscaler",
        json!({"spec": {"replicas": 5}}),
    )
    .await;
    let (action, live) = ks.apply(web.clone()).await;
    assert_eq!(
        action,
        Action::Unchanged,
        "an ignored difference is no drift"
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
    assert!(!applies(&live, MANAGER, REPLICAS), "our share is given up");
    assert!(applies(&live, "autoscaler", REPLICAS));
    assert_eq!(ks.apply(labelled).await.0, Action::Unchanged);
}

#[tokio::test]
async fn co_ownership_lasts_until_the_values_differ() {
    let corner = Corner::new("ignore").await;
    let web = corner.deployment("web", 2);
    let ks = Watched::create(&corner, web.clone(), ignoring(&["/spec/replicas"], None)).await;
    apply_as(
        &corner,
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
async fn an_edit_by_hand_is_adopted_where_nobody_else_applies_the_field() {
    let corner = Corner::new("ignore").await;
    let config = corner.config_map("a", "ours");
    let ks = Watched::create(&corner, config.clone(), ignoring(&["/data/key"], None)).await;
    corner
        .meddle(&config, &json!({"data": {"key": "theirs"}}))
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
async fn other_fields_are_still_corrected() {
    let corner = Corner::new("ignore").await;
    let config = corner.config_map("a", "ours");
    let rules = ignoring(&["/data/other", "/metadata/annotations/note"], None);
    let ks = Watched::create(&corner, config.clone(), rules).await;
    corner
        .meddle(
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
async fn rules_hold_only_for_the_objects_that_they_select() {
    let corner = Corner::new("ignore").await;
    let target = IgnoreTarget {
        kind: "ConfigMap",
        name: "a.*",
        ..IgnoreTarget::default()
    };
    let rules = ignoring(&["/data/key"], Some(target));
    for (name, expected) in [("ab", Action::Unchanged), ("b", Action::Configured)] {
        let config = corner.config_map(name, "ours");
        let ks = Watched::create(&corner, config.clone(), rules.clone()).await;
        corner
            .meddle(&config, &json!({"data": {"key": "theirs"}}))
            .await;
        assert_eq!(ks.apply(config).await.0, expected, "{name}");
    }
}

#[tokio::test]
async fn a_required_field_in_a_list_is_left_to_whoever_applies_it() {
    let corner = Corner::new("ignore").await;
    let web = corner.deployment("web", 1);
    let path = "/spec/template/spec/containers/0/image";
    let ks = Watched::create(&corner, web.clone(), ignoring(&[path], None)).await;
    let image = json!({"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}}});
    apply_as(&corner, &web, "image-policy", image).await;
    corner.until_seen(&web).await;
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
async fn a_map_in_a_list_is_left_to_whoever_applies_its_fields() {
    let corner = Corner::new("ignore").await;
    let asking = |limit: &str, request: &str| json!({"limits": {"cpu": limit}, "requests": {"cpu": request}});
    let mut web = corner.deployment("web", 1);
    let body = &mut web.as_map_mut()["spec"]["template"]["spec"]["containers"][0];
    body["resources"] = asking("2", "1");
    let path = "/spec/template/spec/containers/0/resources";
    let ks = Watched::create(&corner, web.clone(), ignoring(&[path], None)).await;
    let theirs = json!([{"name": "web", "resources": asking("4", "3")}]);
    let theirs = json!({"spec": {"template": {"spec": {"containers": theirs}}}});
    apply_as(&corner, &web, "autoscaler", theirs).await;
    corner.until_seen(&web).await;
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
async fn what_a_former_manager_held_is_cleaned_up_and_adopted() {
    let corner = Corner::new("ignore").await;
    let config = corner.config_map("a", "ours");
    let ks = Watched::create(&corner, config.clone(), ignoring(&["/data/key"], None)).await;
    apply_as(
        &corner,
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
async fn an_ignored_field_that_cannot_change_stays_ours_while_it_is_as_desired() {
    let corner = Corner::new("fixed").await;
    let web = corner.deployment("web", 1);
    let rules = ignoring(&["/spec/selector"], None);
    let ks = Watched::create(&corner, web.clone(), rules).await;
    corner.until_seen(&web).await;
    let pausing = |seconds: u32| {
        let mut other = web.clone();
        other.as_map_mut()["spec"]["minReadySeconds"] = seconds.into();
        other
    };
    let (action, live) = ks.apply(pausing(7)).await;
    assert_eq!(action, Action::Configured);
    assert!(applies(&live, MANAGER, SELECTOR), "nobody else has it");

    let template = web.at(&["spec", "template"]).expect("a template");
    let selector = web.at(&["spec", "selector"]).expect("a selector");
    let with = json!({"spec": {"selector": selector, "template": template}});
    apply_as(&corner, &web, "selector-controller", with).await;
    let (action, live) = ks.apply(pausing(8)).await;
    assert_eq!(action, Action::Configured);
    for manager in [MANAGER, "selector-controller"] {
        assert!(applies(&live, manager, SELECTOR), "{manager} shares it");
    }

    let without = json!({"spec": {"template": template}});
    apply_as(&corner, &web, "selector-controller", without).await;
    let live = corner.live(&web).await.expect("live");
    assert_eq!(live.at(&["spec", "selector"]), Some(selector));
    assert!(!applies(&live, "selector-controller", SELECTOR));
    assert!(applies(&live, MANAGER, SELECTOR), "it stays with us");
    assert_eq!(ks.apply(pausing(8)).await.0, Action::Unchanged);
}

// The server tries the whole object before anybody asks what differs, in Flux as well.
#[tokio::test]
async fn an_ignored_field_that_cannot_change_is_refused_where_it_is_to_be_another() {
    let corner = Corner::new("fixed").await;
    let web = corner.deployment("web", 1);
    let rules = ignoring(&["/spec/selector"], None);
    let ks = Watched::create(&corner, web.clone(), rules).await;
    let labels = json!({"app": "web", "more": "yes"});
    let mut other = web.clone();
    other.as_map_mut()["spec"]["selector"]["matchLabels"] = labels.clone();
    other.as_map_mut()["spec"]["template"]["metadata"]["labels"] = labels;
    let refused = corner
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
    let live = corner.live(&web).await.expect("live");
    assert_eq!(
        live.at(&["spec", "selector"]),
        web.at(&["spec", "selector"])
    );
}
