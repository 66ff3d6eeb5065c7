//! Commits and pushes: branches, refspecs, options and other writers.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use sluice_api::image::ImageUpdateAutomation;
use sluice_api::source::GitRepository;
use sluice_git::serve::Repository;

use super::{World, commit, content, git, head, last_push, manifest, ready};

/// Runs a script before each push.
pub(crate) fn hook(repository: &Repository, script: &str) {
    let path = repository.path().join("hooks/pre-receive");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_image_becomes_commit_on_same_branch() {
    let world = World::new("iua-same").await;
    let old = manifest(&world, "app", "1.0.0");
    let files = [
        ("clusters/app.yaml", old.as_str()),
        ("other/app.yaml", old.as_str()),
    ];
    let repository = world.repository("fleet", &files).await;
    world.policy("app", "1.0.0").await;
    let template = "Update {{ .Values.what }}\n\n{{ range .Changed.Changes }}{{ .OldValue }} -> {{ .NewValue }}{{ end }}";
    let message = json!({ "commit": {
        "messageTemplate": template, "messageTemplateValues": { "what": "images" },
    } });
    world.automation("auto", "fleet", message).await;
    world
        .patch::<ImageUpdateAutomation>(
            "auto",
            json!({ "spec": { "update": { "path": "./clusters" } } }),
        )
        .await;
    let first = world
        .sees("auto", "is ready", |object| ready(object).0 == "True")
        .await;
    assert_eq!(ready(&first).2, "repository up-to-date");
    assert_eq!(first.status.unwrap().last_push_commit, None);
    let before = head(&repository, "main").unwrap();

    world.policy("app", "1.1.0").await;
    let object = world.pushes("auto", None).await;
    let pushed = last_push(&object);
    assert_eq!(head(&repository, "main").as_deref(), Some(&*pushed));
    assert_eq!(git(&repository, &["rev-parse", "main^"]).await, before);
    let new = old.replace("1.0.0", "1.1.0");
    assert_eq!(content(&repository, "main", "clusters/app.yaml"), new);
    assert_eq!(content(&repository, "main", "other/app.yaml"), old);
    let log = git(
        &repository,
        &["log", "-1", "--format=%an|%ae|%cn|%B", "main"],
    )
    .await;
    let text = "Update images\n\nexample.com/app:1.0.0 -> example.com/app:1.1.0";
    assert_eq!(log, format!("Bot|bot@example.com|Bot|{text}"));
    git(&repository, &["fsck", "--strict", "--no-dangling"]).await;
    let status = object.status.unwrap();
    assert_eq!(status.observed_policies["app"].tag, "1.1.0");
    let revision = format!("main@sha1:{pushed}");
    assert_eq!(status.observed_source_revision.as_deref(), Some(&*revision));
    let summary = format!("pushed commit '{}' to branch 'main'\n{text}", &pushed[..7]);
    world
        .events
        .wait_for("the push is reported", |event| event.message == summary)
        .await;

    // Nothing changed, so the next run pushes nothing.
    let after = world.ask("auto").await;
    assert_eq!(last_push(&after), pushed);
    assert!(
        world
            .metrics()
            .contains("sluice_image_update_pushes_total 1")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn push_goes_to_other_branch_and_refspec_with_options() {
    let world = World::new("iua-branch").await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let recorded = repository.path().join("options");
    git(
        &repository,
        &["config", "receive.advertisePushOptions", "true"],
    )
    .await;
    hook(
        &repository,
        &format!("echo \"$GIT_PUSH_OPTION_0\" >> {}", recorded.display()),
    );
    world.policy("app", "1.1.0").await;
    let push = json!({ "push": {
        "branch": "auto", "refspec": "refs/heads/auto:refs/heads/copy",
        "options": { "merge_request.create": "" },
    } });
    world.automation("auto", "fleet", push).await;
    let object = world.pushes("auto", None).await;
    let first = last_push(&object);
    for branch in ["auto", "copy"] {
        assert_eq!(head(&repository, branch).as_deref(), Some(&*first));
    }
    assert_eq!(content(&repository, "main", "app.yaml"), old);
    let options = std::fs::read_to_string(&recorded).unwrap();
    assert_eq!(options, "merge_request.create=\nmerge_request.create=\n");
    // The revision is that of the checkout.
    let main = format!("main@sha1:{}", head(&repository, "main").unwrap());
    let status = object.status.unwrap();
    assert_eq!(status.observed_source_revision.as_deref(), Some(&*main));

    // The next update goes on top of the branch.
    world.policy("app", "1.2.0").await;
    let second = last_push(&world.pushes("auto", Some(&first)).await);
    assert_eq!(git(&repository, &["rev-parse", "auto^"]).await, first);

    // The branch was merged: the next update goes on from the branch of the checkout.
    git(&repository, &["update-ref", "refs/heads/main", &second]).await;
    let merged = commit(&repository, &[("new.yaml", "a: 1\n")]);
    world.policy("app", "1.3.0").await;
    let third = last_push(&world.pushes("auto", Some(&second)).await);
    assert_eq!(git(&repository, &["rev-parse", "auto^"]).await, merged);

    // The branch was deleted: it is created again.
    git(&repository, &["update-ref", "-d", "refs/heads/auto"]).await;
    world.policy("app", "1.4.0").await;
    // The copy would lose a commit, so nothing is pushed.
    let message = world.reports("auto", "GitOperationFailed").await;
    let said = format!("it is at {third}, and a refspec is not forced");
    assert!(message.contains(&said), "{message}");
    assert_eq!(head(&repository, "auto"), None);
    git(&repository, &["update-ref", "-d", "refs/heads/copy"]).await;
    let fourth = last_push(&world.pushes("auto", Some(&third)).await);
    assert_eq!(head(&repository, "auto").as_deref(), Some(&*fourth));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_push_leaves_nothing_behind() {
    let world = World::new("iua-refused").await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let before = head(&repository, "main");
    hook(&repository, "echo 'the branch is protected' >&2; exit 1");
    world.policy("app", "1.1.0").await;
    let push = json!({ "push": { "refspec": "refs/heads/main:refs/heads/copy" } });
    world.automation("auto", "fleet", push).await;
    let message = world.reports("auto", "GitOperationFailed").await;
    assert!(
        message.starts_with("failed to update source: "),
        "{message}"
    );
    assert!(message.contains("pre-receive hook declined"), "{message}");
    assert!(message.contains("the branch is protected"), "{message}");
    assert_eq!(head(&repository, "main"), before);
    assert_eq!(head(&repository, "copy"), None);
    let object = world.sees("auto", "exists", |_| true).await;
    let status = object.status.unwrap();
    assert_eq!(status.last_push_commit, None);
    assert!(status.observed_policies.is_empty());

    hook(&repository, "exit 0");
    let pushed = last_push(&world.pushes("auto", None).await);
    assert_eq!(head(&repository, "main").as_deref(), Some(&*pushed));
    assert_eq!(head(&repository, "copy").as_deref(), Some(&*pushed));
}

/// Number of automations that push to one branch at the same time.
const AUTOMATIONS: usize = 20;

/// Automations of two controllers and another writer push at the same time. Each update is one
/// commit, and no commit is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_of_one_branch_lose_no_commit() {
    let (world, rival) = (World::new("iua-race").await, World::new("iua-rival").await);
    let worlds = [&world, &rival];
    let names: Vec<_> = (0..AUTOMATIONS)
        .map(|number| (worlds[number % worlds.len()], format!("app{number}")))
        .collect();
    let files: Vec<_> = names
        .iter()
        .map(|(world, name)| (format!("{name}/app.yaml"), manifest(world, name, "1.0.0")))
        .collect();
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let repository = world.repository("fleet", &files).await;
    let url = world.git.url("fleet.git");
    let spec = json!({ "url": url, "interval": "1h", "ref": { "branch": "main" } });
    rival.create::<GitRepository>("fleet", spec).await;
    // Each push takes time, so that another writer can overtake it.
    hook(&repository, "sleep 0.1");
    for (world, name) in &names {
        world.policy(name, "2.0.0").await;
    }
    for (world, name) in &names {
        let spec = json!({
            "interval": "1h",
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
            "git": { "commit": { "author": { "name": "Bot", "email": "bot@example.com" } } },
            "update": { "strategy": "Setters", "path": name },
        });
        world.create::<ImageUpdateAutomation>(name, spec).await;
    }
    let mut others = Vec::new();
    for number in 0..AUTOMATIONS {
        let path = format!("other/{number}.yaml");
        let change = sluice_git::serve::Change::write(&*path, "a: 1\n");
        // A push that holds the branch at this moment makes the commit fail.
        if repository.commit("main", "Other", &[change]).is_ok() {
            others.push(path);
        }
        tokio::task::yield_now().await;
    }
    for (world, name) in &names {
        world.pushes(name, None).await;
    }
    for (_, name) in &names {
        let text = content(&repository, "main", &format!("{name}/app.yaml"));
        assert!(text.contains(":2.0.0 "), "{name}: {text}");
    }
    assert!(!others.is_empty(), "the other writer committed nothing");
    for path in others {
        content(&repository, "main", &path);
    }
    let count = async |more: &[&str]| {
        let arguments = [&["rev-list", "--count"], more, &["main"]].concat();
        git(&repository, &arguments).await
    };
    assert_eq!(count(&["--min-parents=2"]).await, "0");
    assert_eq!(count(&["--author=Bot"]).await, AUTOMATIONS.to_string());
    git(&repository, &["fsck", "--strict", "--no-dangling"]).await;
}

/// The push branch has a commit of its own. The outcomes are those of `SwitchBranch` and `Push` in
/// fluxcd/pkg: git/gogit/client.go.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gates_decide_about_commits_of_the_push_branch() {
    for (all, force) in [(true, true), (true, false), (false, true), (false, false)] {
        let gates =
            format!("--feature-gates=GitAllBranchReferences={all},GitForcePushBranch={force}");
        let world = World::with("iua-gates", &[&gates]).await;
        let old = manifest(&world, "app", "1.0.0");
        let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
        let first = head(&repository, "main").unwrap();
        git(&repository, &["update-ref", "refs/heads/auto", &first]).await;
        let change = sluice_git::serve::Change::write("own.yaml", "a: 1\n");
        let own = repository
            .commit("auto", "Own", &[change])
            .unwrap()
            .to_string();
        let main = commit(&repository, &[("later.yaml", "a: 1\n")]);
        world.policy("app", "1.1.0").await;
        let push = json!({ "push": { "branch": "auto" } });
        world.automation("auto", "fleet", push).await;
        if !all && !force {
            let message = world.reports("auto", "GitOperationFailed").await;
            assert!(message.contains(&own), "{message}");
            assert_eq!(head(&repository, "auto"), Some(own));
            // A branch that is behind loses nothing.
            git(&repository, &["update-ref", "refs/heads/auto", &first]).await;
            world.pushes("auto", None).await;
            assert_eq!(git(&repository, &["rev-parse", "auto^"]).await, main);
            continue;
        }
        let pushed = last_push(&world.pushes("auto", None).await);
        assert_eq!(head(&repository, "auto"), Some(pushed), "{gates}");
        let parent = git(&repository, &["rev-parse", "auto^"]).await;
        assert_eq!(parent, if all { own } else { main }, "{gates}");
    }
}

/// The files outside of the path are larger than all that is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sparse_gate_fetches_files_of_the_path() {
    let gate = "--feature-gates=GitSparseCheckout=true";
    let world = World::with("iua-sparse", &[gate]).await;
    let old = manifest(&world, "app", "1.0.0");
    let mut noise = fastrand::Rng::with_seed(1);
    let noise: String = (0..1 << 20).map(|_| noise.alphanumeric()).collect();
    let files = [
        ("apps/app.yaml", old.as_str()),
        ("other/app.yaml", old.as_str()),
        ("other/noise.yaml", noise.as_str()),
    ];
    let repository = world.repository("fleet", &files).await;
    git(&repository, &["config", "uploadpack.allowFilter", "true"]).await;
    world.policy("app", "1.1.0").await;
    let spec = json!({
        "interval": "1h",
        "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        "git": { "commit": { "author": { "email": "bot@example.com" } } },
        "update": { "strategy": "Setters", "path": "./apps" },
    });
    world.create::<ImageUpdateAutomation>("auto", spec).await;
    let pushed = last_push(&world.pushes("auto", None).await);
    let changed = git(&repository, &["diff", "--name-only", "HEAD^", &pushed]).await;
    assert_eq!(changed, "apps/app.yaml");
    assert_eq!(content(&repository, "main", "other/noise.yaml"), noise);
    git(&repository, &["fsck", "--strict", "--no-dangling"]).await;
    let stored = bytes(world.directory.path());
    assert!(stored < 1 << 19, "{stored} bytes are stored");
}

/// The bytes of all files below a directory.
fn bytes(directory: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    let bytes = entries.map(|entry| match entry.metadata().unwrap() {
        metadata if metadata.is_dir() => bytes(&entry.path()),
        metadata => metadata.len(),
    });
    bytes.sum()
}
