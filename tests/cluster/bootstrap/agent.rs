//! Tests `bootstrap git` with the keys of an SSH agent. This machine uses one of them. The cluster
//! gets a key pair of its own, which the agent never sees.
//!
//! The repository accepts signed commits only. Its content breaks worktrees, which bootstrap does
//! not create.

use k8s_openapi::api::core::v1::Secret;
use sluice_git::serve::{Change, Repository};
use sluice_system::fs;
use sluice_testkit::{SshAgent, SshServer, wait};

use super::{BootstrapFixture, NAMESPACE, head, hook, json};
use crate::binary::CommandResult;

/// Script that adds a missing submodule, a pointer of LFS, and names that differ only in case.
const ODD: &str = r#"set -e
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
blob() { git hash-object -w --stdin; }
line() { printf '%s %s %s\t%s\n' "$@"; }
text=$(echo a | blob)
attributes=$(echo '*.bin filter=lfs diff=lfs merge=lfs -text' | blob)
modules=$(printf '[submodule "gone"]\n\tpath = gone\n\turl = https://127.0.0.1:1/gone\n' | blob)
pointer=$(printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 1\n' 1 | blob)
tree=$({
    line 100644 blob "$attributes" .gitattributes
    line 100644 blob "$modules" .gitmodules
    line 100644 blob "$text" README.md
    line 100644 blob "$pointer" a.bin
    line 160000 commit 0123456789012345678901234567890123456789 gone
    line 100644 blob "$text" readme.md
} | git mktree --missing)
git update-ref refs/heads/main "$(git commit-tree -m odd -p main "$tree")""#;

/// Hook that accepts commits of some signers only, verified by Git.
const SIGNED_ONLY: &str = r#"while read old new name; do
  for commit in $(git rev-list "$old..$new"); do
    git -c gpg.ssh.allowedSignersFile=ALLOWED verify-commit "$commit" && continue
    echo "$commit is not signed" >&2
    exit 1
  done
done"#;

/// Runs Git commands in the repository, and returns their output.
fn git(repository: &Repository, script: &str) -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "Git itself writes and reads here"
    )]
    let output = std::process::Command::new("sh")
        .args(["-c", script])
        .current_dir(repository.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

async fn run(stage: &BootstrapFixture, socket: &str, line: &str) -> CommandResult {
    let kubeconfig = stage.world.bed.kubeconfig();
    let line = format!("git --timeout=2m {line}");
    let agent = Some(("SSH_AUTH_SOCK", socket));
    stage.run(&kubeconfig, &line, agent).await
}

#[tokio::test(flavor = "multi_thread")]
async fn agent_replaces_the_key_file() {
    let stage = BootstrapFixture::new().await;
    let (ssh, stranger) = (SshServer::start().await, SshServer::start().await);
    let repository = ssh.create("fleet.git", "main");
    let first = repository.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    first.unwrap();
    git(&repository, ODD);
    let first = head(&repository).unwrap();
    let agent = SshAgent::start().await;
    let socket = agent.socket().display().to_string();
    let line = format!(
        "--url={} --path=clusters/one --silent",
        ssh.url("fleet.git")
    );
    let hint = "  hint: add a key with ssh-add, or set --private-key-file";
    let refused = async |socket: &str, said: &str| {
        let refused = run(&stage, socket, &line).await;
        assert_eq!(refused.code, 1, "{refused:#?}");
        for said in ["✗ failed to clone repository: ", said, hint] {
            assert!(refused.stderr.contains(said), "{said}: {refused:#?}");
        }
        assert_eq!(head(&repository), Some(first.clone()), "nothing was pushed");
    };
    let gone = format!("{socket}-gone");
    refused(&gone, "-gone' cannot be reached: No such file").await;
    refused(&socket, "the SSH agent has no keys, or is locked").await;
    agent.add(&stranger.client_key()).await;
    refused(&socket, "the server accepts no key of the SSH agent").await;

    agent.add(&ssh.client_key()).await;
    let folder = tempfile::tempdir().unwrap();
    let (key, allowed) = (folder.path().join("key"), folder.path().join("allowed"));
    fs::write(&key, ssh.client_key()).unwrap();
    fs::write(&allowed, format!("* {}", ssh.client_public_key())).unwrap();
    let signed_only = SIGNED_ONLY.replace("ALLOWED", &allowed.display().to_string());
    hook(&repository, Some(&signed_only));
    let unsigned = run(&stage, &socket, &line).await;
    assert_eq!(unsigned.code, 1, "{unsigned:#?}");
    for said in ["✗ failed to push component manifests: ", "is not signed"] {
        assert!(unsigned.stderr.contains(said), "{said}: {unsigned:#?}");
    }
    assert_eq!(head(&repository), Some(first.clone()), "nothing was pushed");
    let line = format!("{line} --ssh-signing-key-file={}", key.display());

    let _controllers = stage.controllers();
    // Acts as the user who answers the prompt that `--silent` skips.
    let let_in = async {
        let secrets = stage.api::<Secret>();
        let public = wait::eventually("the cluster has a key", || async {
            let secret = secrets.get(NAMESPACE).await;
            let secret = secret.map_err(|error| error.to_string())?;
            let public = secret.data.and_then(|mut data| data.remove("identity.pub"));
            public.ok_or_else(|| "there is none".to_owned())
        })
        .await;
        ssh.authorize(&String::from_utf8(public.0).unwrap());
    };
    let flags = format!("{line} --output=json");
    let (done, ()) = tokio::join!(run(&stage, &socket, &flags), let_in);
    let result = json(&done.well());
    let commits = result["commits"].as_array().unwrap();
    assert_eq!(commits.len(), 2, "{result}");
    assert_eq!(head(&repository).as_deref(), commits[1].as_str());
    let own = result["publicKey"].as_str().unwrap();
    assert!(own.starts_with("ecdsa-sha2-nistp384 "), "{own}");
    assert!(!ssh.client_public_key().contains(own), "{own}");
    assert_eq!(
        git(&repository, "git ls-tree --name-only main"),
        ".gitattributes\n.gitmodules\nREADME.md\na.bin\nclusters\ngone\nreadme.md\n"
    );

    let before = stage.versions().await;
    let again = run(&stage, &socket, &flags).await.well();
    assert_eq!(json(&again)["commits"], json!([]));
    assert_eq!(stage.versions().await, before, "nothing is written anew");
}
