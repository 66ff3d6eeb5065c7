//! Pull requests: opened, updated in place, closed, and opened again.

use serde_json::json;
use sluice_api::image::ImageUpdateAutomation;
use sluice_api::source::GitRepository;
use sluice_testkit::forges::{Flavour, Proposal, Reply, Repo};
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::{FakeForge, wait};

use super::{World, commit, git, head, manifest};

/// Waits until the pull requests of the repository are as claimed.
async fn proposals(
    fake: &FakeForge,
    owner: &str,
    claim: &str,
    holds: impl Fn(&[Proposal]) -> bool,
) -> Vec<Proposal> {
    wait::eventually(claim, || async {
        let there = fake.repo(owner, "fleet").proposals;
        if holds(&there) {
            Ok(there)
        } else {
            Err(format!("{there:?}"))
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pull_request_follows_the_updates() {
    let world = World::new("iua-pull").await;
    for (flavour, name) in [
        (Flavour::GitHub, "github"),
        (Flavour::GitLab, "gitlab"),
        (Flavour::Gitea, "gitea"),
        (Flavour::BitbucketServer, "bitbucketserver"),
    ] {
        let is_bitbucket = flavour == Flavour::BitbucketServer;
        let fake = FakeForge::start(flavour).await;
        let (owner, path) = if is_bitbucket {
            ("ACME", "scm/ACME/fleet.git")
        } else {
            ("acme", "acme/fleet.git")
        };
        let repository = fake.add(Repo::new(owner, "fleet"));
        commit(
            &repository,
            &[("app.yaml", &manifest(&world, name, "1.0.0"))],
        );
        let token = [
            ("username", b"me".as_slice()),
            ("password", FakeForge::TOKEN.as_bytes()),
        ];
        world.bed.secret(&world.namespace, name, None, &token).await;
        let spec = json!({
            "url": format!("{}/{path}", fake.url()), "interval": "1h",
            "ref": { "branch": "main" }, "secretRef": { "name": name },
        });
        world.create::<GitRepository>(name, spec).await;
        let push = json!({ "push": { "branch": "images" } });
        world.automation(name, name, push).await;
        let more = if is_bitbucket {
            ""
        } else {
            "labels: [images]\nautoMerge: squash\n"
        };
        let annotation = format!("provider: {name}\ntitle: 'Update {name}'\n{more}");
        let annotations = json!({ "sluice.dev/pull-request": annotation });
        let metadata = json!({ "metadata": { "annotations": annotations } });
        world.patch::<ImageUpdateAutomation>(name, metadata).await;

        // The host refuses the first pull request. The commit is not pushed twice.
        let reply = Reply::text(403, "{\"message\":\"no rights\"}");
        fake.spoil("POST ", reply);
        world.policy(name, "1.1.0").await;
        let opened = proposals(&fake, owner, "it is opened", |all| {
            all.len() == 1 && (is_bitbucket || all[0].auto_merge.is_some())
        })
        .await;
        let new = format!("`example.com/{name}:1.1.0`");
        assert!(opened[0].text.contains(&new), "{name}: {}", opened[0].text);
        assert_eq!(opened[0].title, format!("Update {name}"));
        assert_eq!((&*opened[0].from, &*opened[0].into), ("images", "main"));
        assert_eq!(opened[0].labels.is_empty(), is_bitbucket);
        let failed = world.events.wait_for("the failure is reported", |event| {
            event.message.contains("failed to update pull request: ")
                && event.involved_object.name == name
        });
        failed.await;
        let count = git(&repository, &["rev-list", "--count", "main..images"]).await;
        assert_eq!(count, "1", "{name}");

        world.policy(name, "1.2.0").await;
        let new = format!("`example.com/{name}:1.2.0`");
        let edited = proposals(&fake, owner, "it is updated", |all| {
            all[0].text.contains(&new)
        });
        assert_eq!(edited.await.len(), 1, "{name}");

        // The update is made on the branch of the checkout, so the pull request is obsolete.
        commit(
            &repository,
            &[("app.yaml", &manifest(&world, name, "1.2.0"))],
        );
        world.ask(name).await;
        let closed = proposals(&fake, owner, "it is closed", |all| all[0].state == "closed");
        closed.await;
        // The next one starts from there.
        world.policy(name, "1.3.0").await;
        let opened = proposals(&fake, owner, "another is opened", |all| all.len() == 2);
        opened.await;
        let parent = git(&repository, &["rev-parse", "images^"]).await;
        assert_eq!(head(&repository, "main"), Some(parent), "{name}");
        fake.assert_no_complaints();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_automations_leave_the_pull_request() {
    let world = World::new("iua-withdraw").await;
    let fake = FakeForge::start(Flavour::GitHub).await;
    let repository = fake.add(Repo::new("acme", "fleet"));
    let names = ["one", "two"];
    for name in names {
        let file = (format!("{name}/app.yaml"), manifest(&world, name, "1.0.0"));
        commit(&repository, &[(&file.0, &file.1)]);
    }
    let token = [
        ("username", b"me".as_slice()),
        ("password", FakeForge::TOKEN.as_bytes()),
    ];
    let namespace = &world.namespace;
    world.bed.secret(namespace, "token", None, &token).await;
    let spec = json!({
        "url": format!("{}/acme/fleet.git", fake.url()), "interval": "1h",
        "ref": { "branch": "main" }, "secretRef": { "name": "token" },
    });
    world.create::<GitRepository>("fleet", spec).await;
    for name in names {
        let push = json!({ "push": { "branch": "images" } });
        world.automation(name, "fleet", push).await;
        let annotations = json!({ "sluice.dev/pull-request": "provider: github" });
        let change = json!({
            "metadata": { "annotations": annotations }, "spec": { "update": { "path": name } },
        });
        world.patch::<ImageUpdateAutomation>(name, change).await;
    }
    for name in names {
        world.policy(name, "1.1.0").await;
    }
    let section = |name: &str| format!("### {namespace}/{name}\n");
    let shared = proposals(&fake, "acme", "both share it", |all| {
        all.len() == 1
            && names
                .iter()
                .all(|name| all[0].text.contains(&section(name)))
    });
    assert_eq!(shared.await[0].state, "open");

    let api = world.api::<ImageUpdateAutomation>().await;
    let parameters = DeleteParams::default();
    api.delete("one", &parameters).await.unwrap();
    let left = proposals(&fake, "acme", "one leaves it", |all| {
        !all[0].text.contains(&section("one"))
    });
    let left = left.await;
    assert_eq!(left[0].state, "open");
    assert!(left[0].text.contains(&section("two")), "{}", left[0].text);
    api.delete("two", &parameters).await.unwrap();
    let closed = proposals(&fake, "acme", "it is closed", |all| {
        all[0].state == "closed"
    });
    closed.await;
    let event = world.events.wait_for("the end is reported", |event| {
        event.message.ends_with(": its last automation is deleted")
    });
    assert_eq!(event.await.involved_object.name, "two");
    for name in names {
        wait::until(&api, name, "is gone", |object| object.is_none()).await;
    }
    fake.assert_no_complaints();
}
