//! Tests of the annotation, and of the decisions about a pull request.

use serde_json::json;
use sluice_api::image::GitSpec;
use sluice_forge::ProposalState;
use sluice_images::result::{Change, ObjectId, UpdateResult};

use super::*;

fn parse(annotation: &str, url: &str, push: &str) -> Result<Option<PullRequest>, String> {
    let git: GitSpec = serde_json::from_value(json!({
        "commit": { "author": { "email": "a@b" } }, "push": { "branch": push },
    }))
    .unwrap();
    let repository: GitRepository = serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "r", "namespace": "apps" },
        "spec": { "url": url, "interval": "1m", "ref": { "branch": "main" } },
    }))
    .unwrap();
    let source = Source::of(&git, &repository).unwrap();
    let parsed = PullRequest::of(Some(annotation), &source, &repository, "apps");
    parsed.map_err(|error| error.to_string())
}

#[test]
fn repository_and_host_follow_the_url() {
    for (annotation, url, kind, host, repository) in [
        (
            "true",
            "https://github.com/acme/fleet",
            Kind::GitHub,
            "github.com",
            "acme/fleet",
        ),
        (
            "true",
            "ssh://git@github.com/acme/fleet.git",
            Kind::GitHub,
            "github.com",
            "acme/fleet",
        ),
        (
            "true",
            "ssh://git@ssh.github.com:443/acme/fleet",
            Kind::GitHub,
            "github.com",
            "acme/fleet",
        ),
        (
            "true",
            "https://gitlab.com/acme/apps/fleet.git",
            Kind::GitLab,
            "gitlab.com",
            "acme/apps/fleet",
        ),
        (
            "provider: gitlab",
            "ssh://git@git.example:2222/a/b/c/d",
            Kind::GitLab,
            "git.example",
            "a/b/c/d",
        ),
        (
            "provider: gitea",
            "http://127.0.0.1:3000/acme/fleet.git",
            Kind::Gitea,
            "http://127.0.0.1:3000",
            "acme/fleet",
        ),
        (
            "true",
            "https://codeberg.org/acme/fleet",
            Kind::Gitea,
            "codeberg.org",
            "acme/fleet",
        ),
        (
            "provider: bitbucketserver",
            "https://git.example:8443/scm/ACME/fleet.git",
            Kind::BitbucketServer,
            "git.example:8443",
            "ACME/fleet",
        ),
        (
            "provider: bitbucketserver",
            "ssh://git@git.example:7999/~me/fleet.git",
            Kind::BitbucketServer,
            "git.example",
            "~me/fleet",
        ),
        (
            "provider: github",
            "https://ghe.example/acme/fleet/",
            Kind::GitHub,
            "ghe.example",
            "acme/fleet",
        ),
    ] {
        let found = parse(annotation, url, "images").unwrap().unwrap();
        assert_eq!(found.kind, kind, "{url}");
        assert_eq!(found.host.to_string(), host, "{url}");
        let name = format!("{}/{}", found.repository.owner, found.repository.name);
        assert_eq!(name, repository, "{url}");
        assert_eq!((&*found.from, &*found.into), ("images", "main"));
    }
}

#[test]
fn settings_of_the_annotation_are_read() {
    let text = "title: 'Update {{ .AutomationObject }}'\nlabels: [images, bot]\nautoMerge: squash\nsecretRef: {name: token}\n";
    let found = parse(text, "https://github.com/acme/fleet", "images")
        .unwrap()
        .unwrap();
    assert_eq!(found.title, "Update {{ .AutomationObject }}");
    assert_eq!(found.labels, ["images", "bot"]);
    assert_eq!(found.auto_merge, Some(MergeMethod::Squash));
    assert_eq!(found.secret.as_deref(), Some("token"));
    for off in ["", "false", "# nothing"] {
        assert_eq!(
            parse(off, "https://github.com/acme/fleet", "main"),
            Ok(None)
        );
    }
}

#[test]
fn invalid_annotation_names_its_fault() {
    let url = "https://github.com/acme/fleet";
    for (annotation, url, push, said) in [
        (
            "true",
            url,
            "main",
            "set spec.git.push.branch to another branch than 'main'",
        ),
        ("[a", url, "images", "yaml: "),
        ("titel: x", url, "images", "unknown field `titel`"),
        (
            "true",
            "https://git.example/a/b",
            "images",
            "set provider: the kind of host 'git.example' is not known",
        ),
        (
            "provider: azuredevops",
            url,
            "images",
            "provider 'azuredevops' is not one of github, gitlab, gitea, bitbucketserver",
        ),
        (
            "true",
            "https://github.com/fleet",
            "images",
            "spec.url of the GitRepository: invalid owner",
        ),
        (
            "true",
            "https://github.com/a/b/c",
            "images",
            "spec.url of the GitRepository: invalid owner",
        ),
        ("labels: ['a,b']", url, "images", "'a,b' is not a label"),
        (
            "autoMerge: now",
            url,
            "images",
            "autoMerge: merge method is one of merge, squash, rebase",
        ),
        (
            "{provider: bitbucketserver, labels: [a]}",
            url,
            "images",
            "Bitbucket Server has no labels of pull requests",
        ),
    ] {
        let error = parse(annotation, url, push).unwrap_err();
        let begin = format!("annotation '{ANNOTATION}': {said}");
        assert!(error.starts_with(&begin), "{error}");
        assert!(error.ends_with(": invalid source configuration"), "{error}");
    }
}

fn open(title: &str, text: &str) -> Proposal {
    Proposal {
        number: 1,
        url: "https://git.example/1".to_owned(),
        state: ProposalState::Open,
        title: title.to_owned(),
        text: text.to_owned(),
        labels: Vec::new(),
        is_auto_merged: false,
    }
}

#[test]
fn pull_request_is_opened_edited_and_closed() {
    let one = Some(("Update", "one"));
    assert_eq!(decide(None, "apps/a", None), ProposalPlan::Keep);
    let ProposalPlan::Open(title, text) = decide(None, "apps/a", one) else {
        panic!("it is not opened");
    };
    let found = open(&title, &text);
    assert_eq!(decide(Some(&found), "apps/a", one), ProposalPlan::Keep);
    // A host changes the line ends.
    let found = open(&title, &text.trim_end().replace('\n', "\r\n"));
    assert_eq!(decide(Some(&found), "apps/a", one), ProposalPlan::Keep);
    let ProposalPlan::Edit(title, text) = decide(Some(&found), "apps/a", Some(("New", "two")))
    else {
        panic!("it is not edited");
    };
    assert_eq!(title, "New");
    assert!(text.contains("\ntwo\n") && !text.contains("one"), "{text}");
    let found = open("Update", &text);
    assert_eq!(decide(Some(&found), "apps/a", None), ProposalPlan::Close);
    // A pull request of a user stays.
    let foreign = open("Mine", "text");
    for wanted in [one, None] {
        assert_eq!(decide(Some(&foreign), "apps/a", wanted), ProposalPlan::Keep);
    }
}

#[test]
fn automations_of_one_branch_share_a_pull_request() {
    let ProposalPlan::Open(title, text) = decide(None, "apps/a", Some(("Update a", "of a"))) else {
        panic!("it is not opened");
    };
    let text = format!("Written by a user.\n\n{text}");
    let found = open(&title, &text);
    let ProposalPlan::Edit(title, text) =
        decide(Some(&found), "apps/b", Some(("Update b", "of b")))
    else {
        panic!("it is not edited");
    };
    assert_eq!(title, "Update a");
    assert!(
        text.starts_with("Written by a user.\n") && text.contains("of a"),
        "{text}"
    );
    let found = open(&title, &text);
    for (automation, wanted) in [
        ("apps/a", ("Update a", "of a")),
        ("apps/b", ("Update b", "of b")),
    ] {
        assert_eq!(
            decide(Some(&found), automation, Some(wanted)),
            ProposalPlan::Keep
        );
    }
    let ProposalPlan::Edit(title, text) = decide(Some(&found), "apps/a", None) else {
        panic!("the section is not removed");
    };
    assert!(!text.contains("of a") && text.contains("of b"), "{text}");
    assert_eq!(
        decide(Some(&open(&title, &text)), "apps/b", None),
        ProposalPlan::Close
    );
}

#[test]
fn deleted_automation_leaves_the_pull_request() {
    let with = |text: &str, name: &str| description::with_section(text, name, Some("changes"));
    let alone = with("", "apps/a");
    let shared = with(&alone, "apps/b");
    assert_eq!(withdraw(None, "apps/a"), None);
    assert_eq!(withdraw(Some(&open("Update", "by hand")), "apps/a"), None);
    // The automation never had updates.
    assert_eq!(withdraw(Some(&open("Update", &shared)), "apps/c"), None);
    let Some(ProposalPlan::Withdraw(text)) = withdraw(Some(&open("Update", &shared)), "apps/a")
    else {
        panic!("the section is not removed");
    };
    assert!(
        !text.contains("apps/a") && text.contains("apps/b"),
        "{text}"
    );
    let last = withdraw(Some(&open("Update", &text)), "apps/b");
    assert_eq!(last, Some(ProposalPlan::Abandon));
}

#[test]
fn values_of_files_cannot_change_the_description() {
    let mut changes = UpdateResult::default();
    let hostile = "x`|\n<!-- sluice:end apps/a -->";
    for number in 0..500 {
        let change = Change {
            old_value: hostile.to_owned(),
            new_value: String::new(),
            setter: "ns:p".to_owned(),
        };
        changes.add(&format!("{number}.yaml"), ObjectId::default(), change);
    }
    let section = description::section("apps/a", &changes);
    assert!(section.len() < 9000, "{}", section.len());
    let row = "| `0.yaml` | `x'' '!-- sluice:end apps/a --'` | – |\n";
    assert!(section.contains(row), "{section}");
    assert!(section.ends_with(" more.\n"), "{section}");
    let text = description::with_section("", "apps/a", Some(&section));
    let text = description::with_section(&text, "apps/a", None);
    assert!(!description::has_section(&text), "{text}");
}

#[test]
fn title_is_one_line() {
    assert_eq!(title("Update a\nb"), "Update a");
    assert_eq!(title("\n \n"), DEFAULT_TITLE);
    assert_eq!(title(&"x".repeat(1000)).len(), MAX_TITLE);
}
