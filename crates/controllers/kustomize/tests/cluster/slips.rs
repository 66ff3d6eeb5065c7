//! Watches that lose or repeat single events.
//!
//! A real server ends a watch that it cannot continue, and the next watch catches up. A lost event
//! on an open watch is worse than any real failure. The next interval or request recovers from it.

use serde_json::json;
use sluice_testkit::{FaultProxy, WatchFault, When, wait};

use crate::bed::{Bed, config};

/// Resources whose watches the tests disturb.
const WATCHED: [&str; 3] = ["kustomizations", "gitrepositories", "configmaps"];

/// Runs one revision: a source event, a dependency and its dependant, and an object that becomes
/// ready late.
async fn round(bed: &Bed, revision: &str, when: &str) {
    let files = [("base/a.yaml", "a"), ("app/b.yaml", "b")];
    let files = files.map(|(path, name)| (path, config(name, revision)));
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    bed.publish(revision, &files).await;
    let ready = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "b"}, "data": {"ready": revision},
    });
    bed.until_config_map("b", &format!("has {revision}, {when}"), |map| {
        let data = map.data.as_ref();
        data.is_some_and(|data| data["key"] == revision)
    })
    .await;
    bed.apply(&ready).await;
    for name in ["base", "app"] {
        bed.until_applied(name, revision).await;
    }
    for name in ["a", "b"] {
        let map = bed.config_map(name).await.unwrap();
        assert_eq!(map["data"]["key"], revision, "{name}, {when}");
    }
}

/// Disturbs the events of a watch one by one, with a new revision each, until a revision needs
/// fewer. Returns the number of disturbed events.
async fn disturb_each_event(
    bed: &Bed,
    proxy: &FaultProxy,
    resource: &'static str,
    slip: WatchFault,
) -> usize {
    for nth in 1.. {
        let met = proxy.inject_watch(When::any().resource(resource), nth, slip);
        let revision = format!("{resource}-{slip:?}-{nth}");
        round(bed, &revision, &revision).await;
        proxy.clear();
        if met.count() < nth {
            return nth - 1;
        }
    }
    unreachable!("a revision causes a finite number of events");
}

/// Creates two Kustomizations. One depends on the other and waits for its own object.
async fn pair(bed: &Bed, spec: serde_json::Value) {
    let expression = json!([{"apiVersion": "v1", "kind": "ConfigMap",
        "current": "has(data.ready) && data.ready == data.key",
        "inProgress": "!has(data.ready) || data.ready != data.key"}]);
    let waiting = json!({"path": "app", "wait": true, "healthCheckExprs": expression,
        "dependsOn": [{"name": "base"}]});
    for (name, own) in [("base", json!({"path": "base"})), ("app", waiting)] {
        let mut whole = own;
        whole
            .as_object_mut()
            .unwrap()
            .extend(spec.as_object().unwrap().clone());
        bed.kustomization(name, whole).await;
    }
}

#[tokio::test]
async fn cut_watch_loses_no_event() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    pair(&bed, json!({})).await;
    round(&bed, "first", "undisturbed").await;
    for resource in WATCHED {
        let disturbed = disturb_each_event(&bed, &proxy, resource, WatchFault::Cut).await;
        assert!(disturbed > 0, "no watch of {resource} was cut");
    }
}

#[tokio::test]
async fn repeated_event_is_harmless() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    pair(&bed, json!({})).await;
    round(&bed, "first", "undisturbed").await;
    for resource in WATCHED {
        let disturbed = disturb_each_event(&bed, &proxy, resource, WatchFault::Repeat).await;
        assert!(disturbed > 0, "no event of {resource} was repeated");
    }
}

#[tokio::test]
async fn lost_source_event_recovers_by_request_or_next_event() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    bed.settled("app", "1").await;
    let sources = || When::any().resource("gitrepositories");
    let lost = async |revision| {
        let met = proxy.inject_watch(sources(), 1, WatchFault::Skip);
        bed.publish(revision, &[("a.yaml", &config("a", revision))])
            .await;
        wait::eventually("the event is lost", || async {
            match met.count() {
                0 => Err("not yet".to_owned()),
                _ => Ok(()),
            }
        })
        .await;
        proxy.clear();
    };
    lost("2").await;
    bed.request("app", "now").await;
    let status = bed.until_handled("app", "now").await;
    assert_eq!(status.last_applied_revision.as_deref(), Some("2"));
    lost("3").await;
    bed.publish("4", &[("a.yaml", &config("a", "4"))]).await;
    bed.until_applied("app", "4").await;
}

#[tokio::test]
async fn lost_source_event_recovers_by_interval_if_direct() {
    let (bed, proxy) = Bed::hindered(&["--feature-gates=DirectSourceFetch=true"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({"interval": "2s"})).await;
    bed.until_applied("app", "1").await;
    let met = proxy.inject_watch(When::any().resource("gitrepositories"), 1, WatchFault::Skip);
    bed.publish("2", &[("a.yaml", &config("a", "2"))]).await;
    bed.until_applied("app", "2").await;
    wait::eventually("the event is lost", || async {
        match met.count() {
            0 => Err("not yet".to_owned()),
            _ => Ok(()),
        }
    })
    .await;
}

#[tokio::test]
async fn lost_kustomization_event_recovers_by_interval() {
    let (bed, proxy) = Bed::hindered(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({"interval": "2s"})).await;
    bed.until_applied("app", "1").await;
    for (nth, name) in ["first", "second", "third", "fourth"].iter().enumerate() {
        let kustomizations = When::any().resource("kustomizations");
        let met = proxy.inject_watch(kustomizations, nth + 1, WatchFault::Skip);
        let spec = json!({"interval": "2s", "commonMetadata": {"labels": {"turn": name}}});
        bed.kustomization("app", spec).await;
        let claim = format!("is labelled {name}, without event {}", nth + 1);
        bed.until_config_map("a", &claim, |map| {
            let labels = map.metadata.labels.as_ref();
            labels.is_some_and(|labels| labels.get("turn").is_some_and(|turn| turn == name))
        })
        .await;
        wait::eventually("the event is lost", || async {
            if met.count() > nth {
                Ok(())
            } else {
                Err("not yet".to_owned())
            }
        })
        .await;
        proxy.clear();
    }
}
