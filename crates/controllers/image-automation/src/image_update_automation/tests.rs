//! Tests of the decisions and reports of an `ImageUpdateAutomation`.

mod lockdown;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::image::{ImagePolicy, ImageUpdateAutomation, ImageUpdateAutomationStatus};
use sluice_api::source::GitRepository;
use sluice_dial::RemotePermits;
use sluice_engine::ready::Fault;
use sluice_engine::{Audience, Decision, End, Outcome, Requeue, Severity, Times};
use sluice_git::{ObjectId, Remote, ResolvedReference};
use sluice_images::setter::Setters;
use sluice_images::update::Update;

use super::conclude::conclude;
use super::model::{
    Connection, Facts, FoundProposal, Images, ProposalRecord, PushRecord, SourceObject, Step,
};
use super::plan::plan;
use super::spec::Spec;
use crate::pull_request::PullRequest;
use crate::repository::unproposed;
use crate::source::Source;

const HEAD: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
const NEW: &str = "1a1b2c3d4e5f60718293a4b5c6d7e8f901234567";

fn merge(whole: &mut Value, changes: &Value) {
    for (key, value) in changes.as_object().unwrap() {
        whole[key] = value.clone();
    }
}

fn automation(spec: &Value, status: &Value) -> ImageUpdateAutomation {
    let mut whole = json!({
        "apiVersion": "image.toolkit.fluxcd.io/v1", "kind": "ImageUpdateAutomation",
        "metadata": { "name": "auto", "namespace": "apps", "generation": 1 },
        "spec": {
            "interval": "10m",
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
            "git": { "commit": { "author": { "email": "bot@example.com" } } },
            "update": { "strategy": "Setters", "path": "clusters" },
        },
        "status": status,
    });
    merge(&mut whole["spec"], spec);
    serde_json::from_value(whole).unwrap()
}

fn policy(tag: &str) -> ImagePolicy {
    serde_json::from_value(json!({
        "apiVersion": "image.toolkit.fluxcd.io/v1", "kind": "ImagePolicy",
        "metadata": { "name": "app", "namespace": "apps" },
        "spec": { "imageRepositoryRef": { "name": "app" }, "policy": {} },
        "status": { "latestRef": { "name": "ghcr.io/app", "tag": tag } },
    }))
    .unwrap()
}

fn facts(automation: &ImageUpdateAutomation, tag: &str) -> Facts {
    let spec = Spec::parse(automation);
    let repository: GitRepository = serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "fleet", "namespace": "apps" },
        "spec": { "url": "https://git.example/r", "interval": "1m", "ref": { "branch": "main" } },
    }))
    .unwrap();
    let source = spec.clone().and_then(|spec| {
        Ok(SourceObject {
            source: Source::of(&spec.git, &repository)?,
            pull_request: None,
            repository: Arc::new(repository),
        })
    });
    let policy = policy(tag);
    let latest = policy.status.as_ref().unwrap().latest_ref.clone().unwrap();
    Facts {
        spec,
        images: Ok(Images {
            setters: Arc::new(Setters::of([&policy]).unwrap()),
            observed: [("app".to_owned(), latest)].into(),
        }),
        source,
        is_prompt: false,
        known_findings: None,
        overtaken: 0,
        connection: None,
        resolved: None,
        found: None,
        base: None,
        update: None,
        findings: None,
        pushed: None,
        proposed: None,
        is_overtaken: false,
        withdrawn: None,
    }
}

async fn connected(facts: &mut Facts) {
    facts.connection = Some(Connection {
        remote: Remote::new("https://git.example/r").unwrap(),
        signer: None,
        forge: None,
        _permit: RemotePermits::new(1).acquire("r").await,
    });
    let commit: ObjectId = HEAD.parse().unwrap();
    facts.resolved = Some(ResolvedReference {
        label: Some("main".to_owned()),
        want: commit,
        commit,
        ties: Vec::new(),
    });
}

fn end(
    automation: &ImageUpdateAutomation,
    end: End<Facts, Fault>,
) -> Outcome<ImageUpdateAutomationStatus> {
    let times = Times {
        started: Timestamp::from_second(1000).unwrap(),
        now: Timestamp::from_second(1001).unwrap(),
    };
    conclude(automation, end, times)
}

fn stopped(automation: &ImageUpdateAutomation) -> Outcome<ImageUpdateAutomationStatus> {
    let facts = facts(automation, "1.0.0");
    let Decision::Stop(fault) = plan(automation, &facts) else {
        panic!("{facts:?}");
    };
    end(automation, End::Stopped(facts, fault))
}

#[tokio::test]
async fn unchanged_remote_costs_one_listing() {
    let status = json!({
        "observedGeneration": 1,
        "observedPolicies": { "app": { "name": "ghcr.io/app", "tag": "1.0.0" } },
        "observedSourceRevision": format!("main@sha1:{HEAD}"),
        "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded",
            "message": "repository up-to-date",
            "lastTransitionTime": "1970-01-01T00:00:00Z", "observedGeneration": 1,
        }],
    });
    let object = automation(&json!({}), &status);
    let mut same = facts(&object, "1.0.0");
    assert_eq!(plan(&object, &same), Decision::Work(Step::Connect));
    connected(&mut same).await;
    assert_eq!(plan(&object, &same), Decision::Settled);
    let outcome = end(&object, End::Settled(same));
    let message = "no change since last reconciliation";
    assert_eq!(outcome.notices[0].message, message);
    assert_eq!(outcome.notices[0].severity, Severity::Info);
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(10)));
    let after = outcome.status.unwrap();
    assert_eq!(
        after.last_automation_run_time.unwrap().as_str(),
        "1970-01-01T00:16:40Z"
    );
    assert_eq!(
        after.conditions.find("Ready").unwrap().message,
        "repository up-to-date"
    );

    // A new image, another branch and a refspec need a full run.
    let branch = json!({ "git": {
        "commit": { "author": { "email": "a@b" } }, "push": { "branch": "auto" },
    } });
    let refspec = json!({ "git": {
        "commit": { "author": { "email": "a@b" } },
        "push": { "refspec": "refs/heads/main:refs/heads/auto" },
    } });
    for (spec, tag) in [(json!({}), "1.1.0"), (branch, "1.0.0"), (refspec, "1.0.0")] {
        let object = automation(&spec, &status);
        let mut facts = facts(&object, tag);
        connected(&mut facts).await;
        assert_eq!(plan(&object, &facts), Decision::Work(Step::Fetch), "{spec}");
    }
}

/// The facts of an automation with a pull request.
fn proposing(automation: &ImageUpdateAutomation) -> Facts {
    let mut facts = facts(automation, "1.0.0");
    let source = facts.source.as_mut().unwrap();
    let repository = Arc::make_mut(&mut source.repository);
    "https://github.com/acme/fleet".clone_into(&mut repository.spec.url);
    let pull_request = PullRequest::of(Some("true"), &source.source, repository, "apps");
    source.pull_request = Some(pull_request.unwrap().unwrap());
    facts
}

/// An automation that pushes to another branch.
fn switched() -> ImageUpdateAutomation {
    let git = json!({
        "commit": { "author": { "email": "a@b" } }, "push": { "branch": "auto" },
    });
    automation(&json!({ "git": git }), &json!({}))
}

#[tokio::test]
async fn overtaken_push_starts_again() {
    let object = switched();
    let mut facts = proposing(&object);
    connected(&mut facts).await;
    facts.found = Some(FoundProposal { open: None });
    facts.update = Some(Update::default());
    facts.is_overtaken = true;
    assert_eq!(plan(&object, &facts), Decision::Work(Step::StartAgain));
    // The other writer may have merged the pull request, so it is looked for again.
    let resolved = facts.resolved.clone();
    facts.forget_remote();
    assert_eq!(plan(&object, &facts), Decision::Work(Step::Resolve));
    facts.resolved = resolved;
    assert_eq!(plan(&object, &facts), Decision::Work(Step::FindProposal));
}

#[test]
fn deletion_leaves_the_pull_request_once() {
    let mut object = switched();
    object.metadata.deletion_timestamp = serde_json::from_value(json!("2026-01-01T00:00:00Z")).ok();
    assert_eq!(plan(&object, &facts(&object, "1.0.0")), Decision::Settled);
    for (result, reason) in [
        (Ok(ProposalRecord { change: None }), None),
        (
            Ok(ProposalRecord {
                change: Some("closed".to_owned()),
            }),
            Some("PullRequestUpdated"),
        ),
        // The object goes although its pull request stays.
        (Err(unproposed("no answer")), Some("PullRequestFailed")),
    ] {
        let mut facts = proposing(&object);
        assert_eq!(plan(&object, &facts), Decision::Work(Step::Withdraw));
        facts.withdrawn = Some(result);
        assert_eq!(plan(&object, &facts), Decision::Settled);
        let outcome = end(&object, End::Settled(facts));
        assert_eq!((outcome.status, outcome.next), (None, Requeue::Never));
        let reasons = outcome.notices.iter().map(|notice| &*notice.reason);
        assert_eq!(reasons.collect::<Vec<_>>(), Vec::from_iter(reason));
    }
}

#[tokio::test]
async fn push_is_recorded_and_reported() {
    let object = automation(&json!({}), &json!({}));
    let mut facts = facts(&object, "1.1.0");
    connected(&mut facts).await;
    facts.update = Some(Update::default());
    facts.pushed = Some(PushRecord {
        commit: NEW.to_owned(),
        revision: format!("main@sha1:{NEW}"),
        message: "Update app".to_owned(),
    });
    let outcome = end(&object, End::Settled(facts));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.last_push_commit.as_deref(), Some(NEW));
    assert!(status.last_push_time.is_some());
    let revision = format!("main@sha1:{NEW}");
    assert_eq!(status.observed_source_revision.as_deref(), Some(&*revision));
    assert_eq!(status.observed_policies["app"].tag, "1.1.0");
    let [notice] = outcome.notices.as_slice() else {
        panic!("{:?}", outcome.notices);
    };
    assert_eq!(
        notice.message,
        "pushed commit '1a1b2c3' to branch 'main'\nUpdate app"
    );
    assert_eq!(
        (notice.audience, &*notice.reason),
        (Audience::Everyone, "Succeeded")
    );
}

#[tokio::test]
async fn findings_are_reported_once() {
    let object = automation(&json!({}), &json!({}));
    for (known, count) in [(None, 2), (Some("a.yaml: x"), 1)] {
        let mut facts = facts(&object, "1.0.0");
        connected(&mut facts).await;
        facts.update = Some(Update::default());
        facts.findings = Some("a.yaml: x".to_owned());
        facts.known_findings = known.map(str::to_owned);
        let outcome = end(&object, End::Settled(facts));
        assert_eq!(outcome.notices.len(), count, "{:?}", outcome.notices);
    }
}

/// The reasons and messages are those of the reference.
#[test]
fn invalid_specs_stall_with_reasons_of_flux() {
    let author = json!({ "commit": { "author": { "email": "a@b\n" } } });
    let selector = |operator: &str| {
        let expression = json!({ "key": "app", "operator": operator });
        json!({ "policySelector": { "matchExpressions": [expression] } })
    };
    for (spec, reason, message) in [
        (
            json!({ "git": null }),
            "InvalidSourceConfiguration",
            "source kind 'GitRepository' necessitates field .spec.git: invalid source configuration",
        ),
        (
            json!({ "sourceRef": { "kind": "Bucket", "name": "b" } }),
            "InvalidSourceConfiguration",
            "source kind 'Bucket' not supported: invalid source configuration",
        ),
        (
            json!({ "update": null }),
            "InvalidUpdateStrategy",
            "no update strategy",
        ),
        (
            json!({ "update": { "strategy": "Magic" } }),
            "InvalidUpdateStrategy",
            "unsupported update strategy: Magic",
        ),
        (
            selector("Near"),
            "InvalidPolicySelector",
            "failed to parse policy selector: \"Near\" is not a valid label selector operator",
        ),
        (
            json!({ "git": author }),
            "InvalidSourceConfiguration",
            "email of the commit author must not contain '<', '>' or control characters",
        ),
    ] {
        let object = automation(&spec, &json!({}));
        let outcome = stopped(&object);
        let status = outcome.status.unwrap();
        let stalled = status.conditions.find("Stalled").unwrap();
        assert_eq!((&*stalled.reason, &*stalled.message), (reason, message));
        assert_eq!(status.conditions.find("Ready").unwrap().reason, reason);
        assert_eq!(status.observed_generation, Some(1));
        assert!(matches!(outcome.next, Requeue::Stalled(_)));
    }
}

#[test]
fn selector_selects_policies_by_labels() {
    let spec = json!({ "policySelector": {
        "matchLabels": { "team": "a" },
        "matchExpressions": [
            { "key": "tier", "operator": "In", "values": ["web", "api"] },
            { "key": "legacy", "operator": "DoesNotExist" },
        ],
    } });
    let spec = Spec::parse(&automation(&spec, &json!({}))).unwrap();
    for (labels, is_selected) in [
        (vec![("team", "a"), ("tier", "web")], true),
        (vec![("team", "a"), ("tier", "db")], false),
        (vec![("team", "a"), ("tier", "api"), ("legacy", "")], false),
        (vec![("tier", "web")], false),
    ] {
        let find = |wanted: &str| labels.iter().find(|(key, _)| *key == wanted);
        let matches = spec
            .selector
            .matches(|key| find(key).map(|(_, value)| *value));
        assert_eq!(matches, is_selected, "{labels:?}");
    }
}

#[test]
fn suspended_object_stays_as_it_is() {
    let object = automation(&json!({}), &json!({ "lastPushCommit": HEAD }));
    let outcome = end(&object, End::Suspended);
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Never);
}
