//! Tests of the decisions and reports of an `ImagePolicy`.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::image::{ImagePolicy, ImagePolicyStatus, ImageRef, ImageRepository};
use sluice_engine::ready::Fault;
use sluice_engine::{Audience, Decision, End, Outcome, Requeue, Severity, Times};
use sluice_images::image::ImageName;
use sluice_images::policy::SelectionError;

use super::conclude::conclude;
use super::model::{Facts, Repository, Selection, Step};
use super::perform::keep;
use super::plan::plan;
use super::spec::Spec;
use super::{last_scan, repository_key};

const REQUEUE: Duration = Duration::from_secs(30);

const TIMES: Times = Times {
    started: Timestamp::UNIX_EPOCH,
    now: Timestamp::UNIX_EPOCH,
};

fn policy(spec: &Value, status: &Value) -> ImagePolicy {
    let mut whole = json!({
        "apiVersion": "image.toolkit.fluxcd.io/v1", "kind": "ImagePolicy",
        "metadata": { "name": "app", "namespace": "apps", "generation": 1 },
        "spec": {
            "imageRepositoryRef": { "name": "app" },
            "policy": { "semver": { "range": "1.x" } },
        },
        "status": status,
    });
    for (key, value) in spec.as_object().unwrap() {
        whole["spec"][key] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

fn repository(tag_count: i32) -> Repository {
    let object: ImageRepository = serde_json::from_value(json!({
        "apiVersion": "image.toolkit.fluxcd.io/v1", "kind": "ImageRepository",
        "metadata": { "name": "app", "namespace": "apps" },
        "spec": { "image": "ghcr.io/app", "interval": "1m" },
        "status": { "lastScanResult": { "revision": "1", "tagCount": tag_count } },
    }))
    .unwrap();
    Repository {
        object: Arc::new(object),
        image: ImageName::parse("ghcr.io/app").unwrap(),
        timeout: Duration::from_mins(1),
    }
}

fn facts(policy: &ImagePolicy, selection: Option<Selection>) -> Facts {
    Facts {
        spec: Spec::parse(policy),
        repository: Ok(repository(3)),
        is_prompt: false,
        requeue_dependency: REQUEUE,
        attempts: 0,
        selection,
        fetched: None,
    }
}

fn latest(tag: &str) -> Selection {
    Selection::Latest(Ok(tag.to_owned()))
}

fn image(tag: &str, digest: Option<&str>) -> ImageRef {
    ImageRef {
        name: "ghcr.io/app".to_owned(),
        tag: tag.to_owned(),
        digest: digest.map(str::to_owned),
    }
}

fn end(policy: &ImagePolicy, end: End<Facts, Fault>) -> Outcome<ImagePolicyStatus> {
    conclude(policy, end, TIMES)
}

/// Runs a policy that stops by its plan.
fn stopped(policy: &ImagePolicy, facts: Facts) -> Outcome<ImagePolicyStatus> {
    let Decision::Stop(fault) = plan(policy, &facts) else {
        panic!("{facts:?}");
    };
    end(policy, End::Stopped(facts, fault))
}

fn ready(status: Option<&ImagePolicyStatus>) -> (String, String, String) {
    let ready = status.unwrap().conditions.find("Ready").unwrap();
    let status = ready.status.as_str().to_owned();
    (status, ready.reason.clone(), ready.message.clone())
}

#[test]
fn plan_selects_then_fetches_a_digest() {
    let plain = policy(&json!({}), &json!({}));
    let step = |policy, facts: &Facts| plan(policy, facts);
    assert_eq!(
        step(&plain, &facts(&plain, None)),
        Decision::Work(Step::Select)
    );
    assert_eq!(
        step(&plain, &facts(&plain, Some(latest("1.0.0")))),
        Decision::Settled
    );
    let always = json!({ "digestReflectionPolicy": "Always", "interval": "5m" });
    let always = policy(&always, &json!({}));
    let mut facts = facts(&always, Some(latest("1.0.0")));
    let image_of = image("1.0.0", None);
    assert_eq!(
        step(&always, &facts),
        Decision::Work(Step::FetchDigest { image: image_of })
    );
    facts.fetched = Some(image("1.0.0", Some("sha256:1")));
    assert_eq!(step(&always, &facts), Decision::Settled);
    let outcome = end(&always, End::Settled(facts));
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(5)));
    assert_eq!(
        ready(outcome.status.as_ref()).2,
        "Latest image tag for ghcr.io/app resolved to 1.0.0 with digest sha256:1"
    );
}

#[test]
fn new_tag_is_reported_with_previous_one() {
    let old = policy(&json!({}), &json!({}));
    let first = end(&old, End::Settled(facts(&old, Some(latest("1.0.0")))));
    assert_eq!(first.next, Requeue::Never);
    let message = "Latest image tag for ghcr.io/app resolved to 1.0.0";
    assert_eq!(ready(first.status.as_ref()).2, message);
    assert_eq!(first.status.as_ref().unwrap().observed_generation, Some(1));
    let old = ImagePolicy {
        status: first.status,
        ..old
    };
    // The same tag again changes nothing.
    let same = end(&old, End::Settled(facts(&old, Some(latest("1.0.0")))));
    assert_eq!(same.status, old.status);
    assert_eq!(same.notices[0].audience, Audience::Log);
    let new = end(&old, End::Settled(facts(&old, Some(latest("1.1.0")))));
    let message =
        "Latest image tag for ghcr.io/app resolved to 1.1.0 (previously ghcr.io/app:1.0.0)";
    assert_eq!(new.notices[0].message, message);
    let status = new.status.unwrap();
    assert_eq!(status.latest_ref, Some(image("1.1.0", None)));
    assert_eq!(status.observed_previous_ref, Some(image("1.0.0", None)));
}

/// The reasons and messages are those of the reference.
#[test]
fn later_tag_is_kept_by_annotation_only() {
    let status = json!({ "latestRef": { "name": "ghcr.io/app", "tag": "1.2.0" } });
    let plain = policy(&json!({}), &status);
    assert_eq!(facts(&plain, None).tag_to_keep(&plain), None);
    let mut keeping = plain.clone();
    let annotation = ("sluice.dev/prevent-downgrade".to_owned(), "true".to_owned());
    keeping.metadata.annotations = Some([annotation].into());
    let found = facts(&keeping, None).tag_to_keep(&keeping);
    assert_eq!(found.as_deref(), Some("1.2.0"));
    // A tag of another image is not compared.
    let mut moved = keeping.clone();
    let latest = moved.status.as_mut().unwrap().latest_ref.as_mut().unwrap();
    latest.name = "ghcr.io/other".to_owned();
    assert_eq!(facts(&moved, None).tag_to_keep(&moved), None);

    let kept = Selection::Kept {
        tag: "1.2.0".to_owned(),
        listed: "1.1.0".to_owned(),
    };
    let facts = facts(&keeping, Some(kept));
    assert_eq!(plan(&keeping, &facts), Decision::Settled);
    let outcome = end(&keeping, End::Settled(facts));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.latest_ref, Some(image("1.2.0", None)));
    let message = "Latest image tag for ghcr.io/app resolved to 1.2.0, which is kept: the latest \
                   listed tag is 1.1.0";
    assert_eq!(ready(Some(status)).2, message);
}

#[test]
fn excluded_tag_is_not_kept() {
    let selector = Spec::parse(&policy(&json!({}), &json!({})))
        .unwrap()
        .selector;
    let selector = selector.unwrap();
    let kept = |exclusion: &str| {
        let previous = Some("1.2.0".to_owned());
        keep(
            previous,
            latest("1.1.0"),
            &selector,
            &[exclusion.to_owned()],
        )
    };
    let stays = Selection::Kept {
        tag: "1.2.0".to_owned(),
        listed: "1.1.0".to_owned(),
    };
    assert_eq!(kept(r"^1\.2\."), latest("1.1.0"));
    assert_eq!(kept(r"\.sig$"), stays);
    // The scan fails with such a list, so it excludes nothing.
    assert_eq!(kept("("), stays);
}

#[test]
fn faults_have_reasons_and_messages_of_flux() {
    let plain = policy(&json!({}), &json!({}));
    for (policy, selection, reason, message, is_stalled) in [
        (
            policy(&json!({ "digestReflectionPolicy": "Always" }), &json!({})),
            None,
            "IntervalNotConfigured",
            "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'",
            true,
        ),
        (
            policy(&json!({ "policy": {} }), &json!({})),
            None,
            "InvalidPolicy",
            "invalid policy: given ImagePolicyChoice object is invalid",
            true,
        ),
        (
            policy(&json!({ "filterTags": { "pattern": "(" } }), &json!({})),
            None,
            "InvalidPolicy",
            "failed to filter tags: invalid regular expression pattern '(': error parsing regexp: \
             missing closing ): `(`",
            true,
        ),
        (
            plain.clone(),
            Some(Selection::Latest(Err(SelectionError::NoVersion))),
            "Failure",
            "unable to determine latest version from provided list",
            false,
        ),
    ] {
        let outcome = stopped(&policy, facts(&policy, selection));
        let (status, found, text) = ready(outcome.status.as_ref());
        assert_eq!(
            (status.as_str(), &*found, &*text),
            ("False", reason, message)
        );
        let status = outcome.status.unwrap();
        assert_eq!(status.conditions.is_true("Stalled"), is_stalled);
        assert_eq!(status.observed_generation.is_some(), is_stalled);
        assert_eq!(outcome.notices[0].severity, Severity::Error);
    }
}

#[test]
fn empty_store_is_read_four_times() {
    let plain = policy(&json!({}), &json!({}));
    let mut empty = facts(&plain, Some(Selection::NoTags));
    for millis in [1000, 1500, 2250] {
        let delay = Duration::from_millis(millis);
        assert_eq!(
            plan(&plain, &empty),
            Decision::Work(Step::AwaitTags { delay })
        );
        empty.attempts += 1;
    }
    let outcome = stopped(&plain, empty);
    assert_eq!(outcome.next, Requeue::After(REQUEUE));
    assert_eq!(
        ready(outcome.status.as_ref()),
        (
            "False".to_owned(),
            "DependencyNotReady".to_owned(),
            "retrying in 30s error: no tags in database".to_owned()
        )
    );
}

#[test]
fn ready_policy_stays_ready_while_store_is_refilled() {
    let plain = policy(&json!({}), &json!({}));
    let status = end(&plain, End::Settled(facts(&plain, Some(latest("1.0.0"))))).status;
    let ready = ImagePolicy { status, ..plain };
    let empty = |tag_count| Facts {
        repository: Ok(repository(tag_count)),
        attempts: 3,
        ..facts(&ready, Some(Selection::NoTags))
    };
    let outcome = stopped(&ready, empty(3));
    assert_eq!(outcome.status, ready.status);
    assert_eq!(outcome.next, Requeue::After(REQUEUE));
    assert_eq!(outcome.notices[0].audience, Audience::Log);
    // The registry has no tags, or the policy was edited.
    let outcome = stopped(&ready, empty(0));
    assert!(outcome.status.unwrap().conditions.is_false("Ready"));
    let mut edited = ready.clone();
    edited.metadata.generation = Some(2);
    let outcome = stopped(&edited, empty(3));
    assert!(outcome.status.unwrap().conditions.is_false("Ready"));
}

#[test]
fn reference_defaults_to_own_namespace() {
    let own = policy(&json!({}), &json!({}));
    assert_eq!(repository_key(&own).to_string(), "apps/app");
    let other = json!({ "imageRepositoryRef": { "name": "app", "namespace": "images" } });
    assert_eq!(
        repository_key(&policy(&other, &json!({}))).to_string(),
        "images/app"
    );
    assert_eq!(last_scan(&repository(1).object), Some(("1", &[][..])));
}
