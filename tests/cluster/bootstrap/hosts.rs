//! Tests `bootstrap github`, `gitlab`, `gitea` and `bitbucket-server` until the commit is
//! reconciled. The host creates the repository. The cluster's access is the token itself, a deploy
//! token or a deploy key. The commit is pushed, or proposed if the host denies the push.

use k8s_openapi::api::core::v1::Secret;
use serde_json::Value;
use sluice_git::serve::Change;
use sluice_system::fs;
use sluice_testkit::forges::{Flavour, Reply, Repo};
use sluice_testkit::{FakeForge, wait};

use super::{BootstrapFixture, NAMESPACE, hook, json, lines};
use crate::binary::CommandResult;
use crate::world::Kind;

/// A host and its command.
struct Host {
    stage: BootstrapFixture,
    fake: FakeForge,
    line: String,
    variable: &'static str,
}

impl Host {
    async fn run(&self, flags: &str) -> CommandResult {
        let kubeconfig = self.stage.world.bed.kubeconfig();
        let line = format!("{} {flags}", self.line);
        let secret = Some((self.variable, FakeForge::TOKEN));
        let ended = self.stage.run(&kubeconfig, &line, secret).await;
        self.fake.assert_no_complaints();
        ended
    }

    /// Asserts that another run writes neither a commit, nor to the cluster, nor to the host.
    async fn is_idempotent(&self, flags: &str) {
        let before = self.stage.versions().await;
        self.fake.forget();
        let again = self.run(&format!("{flags} --output=json")).await.well();
        assert_eq!(json(&again)["commits"], json!([]));
        assert_eq!(self.fake.writes(), Vec::<String>::new());
        assert_eq!(self.stage.versions().await, before);
        let planned = self.run(&format!("{flags} --plan")).await.well();
        assert!(planned.stdout.ends_with("nothing to do\n"), "{planned:#?}");
        assert_eq!(self.fake.writes(), Vec::<String>::new());
    }

    /// Runs the command until it waits for its proposal, which is merged at the request `asked`.
    async fn merged_meanwhile(&self, asked: &str, owner: &str) -> CommandResult {
        self.fake.forget();
        let merge = async {
            wait::eventually("the merge is waited for", || {
                let mut requests = self.fake.requests().into_iter();
                let is_asked = requests.any(|line| line.starts_with(asked));
                async move {
                    is_asked
                        .then_some(())
                        .ok_or_else(|| "nobody asked".to_owned())
                }
            })
            .await;
            self.fake.merge(owner, "fleet");
        };
        let flags = "--pull-request --wait-merge --output=json";
        let (done, ()) = tokio::join!(self.run(flags), merge);
        done.well()
    }

    async fn url(&self) -> Value {
        let source = self.stage.world.get(Kind::GitRepository, NAMESPACE).await;
        source.unwrap().data["spec"]["url"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn github_repository_is_created_and_token_stored_by_flag() {
    let fake = FakeForge::start_tls(Flavour::GitHub).await;
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    fs::write(&ca, fake.authority().unwrap().certificate()).unwrap();
    let place = fake.url().trim_start_matches("https://").to_owned();
    let host = Host {
        stage: BootstrapFixture::new().await,
        line: format!(
            "github --timeout=1m --hostname={place} --owner=acme --repository=fleet --token-auth --path=clusters/one --team=platform,absent:pull --ca-file={}",
            ca.display()
        ),
        fake,
        variable: "GITHUB_TOKEN",
    };
    let web = format!("https://{place}/acme/fleet");

    let planned = host.run("--plan").await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    let said = format!(
        "repository {web}.git\nbranch main (new)\ncreate repository {web}\ngrant maintain to platform\ngrant pull to absent\ncommit and push"
    );
    assert!(planned.stdout.starts_with(&said), "{planned:#?}");
    assert_eq!(host.fake.writes(), Vec::<String>::new());

    github_refusals_are_explained(&host).await;
    assert_eq!(host.fake.with(|state| state.repositories.len()), 0);

    let _controllers = host.stage.controllers();
    let done = host.run("--output=json").await.well();
    let result = json(&done);
    let commits: Vec<&str> = result["commits"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let said = lines(&done, &commits, &web);
    assert_eq!(
        said[..9],
        [
            format!("► connecting to {place}"),
            "✔ repository \"URL\" created".to_owned(),
            "► reconciling repository permissions".to_owned(),
            "✔ granted \"maintain\" permissions to \"platform\"".to_owned(),
            "⚠️  failed to grant \"pull\" permissions to \"absent\": give team absent access: Not Found (404)".to_owned(),
            "✔ reconciled repository permissions".to_owned(),
            "► cloning branch \"main\" from Git repository \"URL.git\"".to_owned(),
            "✔ cloned repository".to_owned(),
            "► generating component manifests".to_owned(),
        ]
    );
    assert_eq!(said.last().unwrap(), "✔ all components are healthy");
    assert_eq!(
        host.fake
            .git("acme", "fleet")
            .head("main")
            .unwrap()
            .unwrap()
            .to_string(),
        commits[1]
    );
    assert_eq!(host.fake.repo("acme", "fleet").visibility, "private");
    assert_eq!(host.url().await, format!("{web}.git"));
    let secret = host.stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let entries: Vec<String> = secret.data.unwrap().into_keys().collect();
    assert_eq!(entries, ["ca.crt", "password", "username"]);

    existing_repository_is_changed_by_request_only(&host, &web).await;
}

/// Tests the answers of GitHub before the repository exists.
async fn github_refusals_are_explained(host: &Host) {
    host.fake.with(|state| {
        state.organizations.clear();
        state.users.push("acme".to_owned());
    });
    let user = host.run("").await;
    assert_eq!(user.code, 1);
    assert!(
        user.stderr.contains(
            "create the repository: acme is a user, not an organization\n  hint: --personal makes"
        ),
        "{user:#?}"
    );
    host.fake.with(|state| {
        state.users.clear();
        state.organizations.push("acme".to_owned());
    });
    let told = "{\"message\":\"Resource protected by organization SAML enforcement.\"}";
    host.fake.spoil(
        "GET /api/v3/repos/acme/fleet",
        Reply::text(403, told).header("x-github-sso", "required; url=https://sso.example/acme"),
    );
    let refused = host.run("").await;
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("authorize the token for it at https://sso.example/acme"),
        "{refused:#?}"
    );
    for (reply, told) in [
        (
            Reply::text(403, "{\"message\":\"API rate limit exceeded\"}")
                .header("x-ratelimit-remaining", "0")
                .header("x-ratelimit-reset", "4102444800"),
            "API rate limit exceeded (403)\n  hint: the limit of requests is lifted at 2100-01-01T00:00:00Z\n",
        ),
        (
            Reply::text(429, "{\"message\":\"secondary rate limit\"}")
                .header("retry-after", "3600"),
            "secondary rate limit (429)\n  hint: try again in 3600 seconds\n",
        ),
    ] {
        host.fake.forget();
        host.fake.spoil("GET /api/v3/repos/acme/fleet", reply);
        let limited = host.run("").await;
        assert_eq!(limited.code, 1, "{limited:#?}");
        let told = format!("\": get the repository: {told}");
        assert!(limited.stderr.ends_with(&told), "{told}: {limited:#?}");
        assert_eq!(host.fake.requests().len(), 1, "nobody insists");
    }
}

/// Tests later runs: unchanged, with another visibility, and of an archived repository.
async fn existing_repository_is_changed_by_request_only(host: &Host, web: &str) {
    host.fake
        .with(|state| state.teams.push("absent".to_owned()));
    host.run("").await.well();
    host.is_idempotent("").await;
    host.fake.forget();
    let shown = host.run("--private=false --reconcile").await.well();
    assert!(
        shown
            .stderr
            .contains(&format!("✔ repository \"{web}\" reconciled\n")),
        "{shown:#?}"
    );
    assert_eq!(host.fake.writes(), ["PATCH /api/v3/repos/acme/fleet"]);

    host.fake
        .with(|state| state.repositories[0].archived = true);
    let archived = host.run("").await;
    assert_eq!(archived.code, 1);
    assert!(
        archived
            .stderr
            .contains("is archived: nothing can be pushed to it"),
        "{archived:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn gitlab_deploy_token_is_created_by_flag() {
    let fake = FakeForge::start(Flavour::GitLab).await;
    fake.add(Repo::new("acme/platform", "fleet"));
    let url = fake.url();
    let host = Host {
        stage: BootstrapFixture::new().await,
        line: format!(
            "gitlab --timeout=1m --hostname={url} --owner=acme/platform --repository=fleet --deploy-token-auth"
        ),
        fake,
        variable: "GITLAB_TOKEN",
    };
    let planned = host.run("--plan").await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    for said in [
        "\ncreate deploy token flux-system-main-flux-system\n",
        "\ncreate Secret/flux-system/flux-system (username, password)\n",
    ] {
        assert!(planned.stdout.contains(said), "{planned:#?}");
    }
    assert!(
        !planned.stdout.contains("create repository"),
        "{planned:#?}"
    );

    let _controllers = host.stage.controllers();
    let done = host.run("").await.well();
    let web = format!("{url}/acme/platform/fleet");
    for said in [
        "⚠️  the token goes to the host in the clear\n".to_owned(),
        "► checking to reconcile deploy token for source secret\n".to_owned(),
        format!("✔ configured deploy token \"flux-system-main-flux-system\" for \"{web}\"\n"),
        "► applying source secret \"flux-system/flux-system\"\n".to_owned(),
    ] {
        assert!(done.stderr.contains(&said), "{said}: {done:#?}");
    }
    assert!(!done.stderr.contains("the token itself"), "{done:#?}");
    assert_eq!(host.url().await, format!("{web}.git"));
    host.is_idempotent("").await;

    let first = host.fake.repo("acme/platform", "fleet").tokens;
    host.fake
        .with(|state| state.repositories[0].tokens[0].revoked = true);
    host.run("").await.well();
    let tokens = host.fake.repo("acme/platform", "fleet").tokens;
    let live: Vec<_> = tokens.iter().filter(|token| !token.revoked).collect();
    assert_eq!(live.len(), 1);
    let secret = host.stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let user = String::from_utf8(secret.data.unwrap()["username"].0.clone()).unwrap();
    assert_eq!(user, live[0].username);
    assert_ne!(user, first[0].username);
}

#[tokio::test(flavor = "multi_thread")]
async fn cluster_key_is_created_and_kept_by_the_host() {
    let fake = FakeForge::start(Flavour::Gitea).await;
    let (url, door) = (fake.url(), fake.open_ssh().await);
    let host = Host {
        stage: BootstrapFixture::new().await,
        line: format!(
            "gitea --timeout=1m --hostname={url} --ssh-hostname={} --owner=me --personal --repository=fleet --path=clusters/one",
            door.address()
        ),
        fake,
        variable: "GITEA_TOKEN",
    };
    let title = "flux-system-main-flux-system-./clusters/one";
    let configured = format!("✔ configured deploy key \"{title}\" for \"{url}/me/fleet\"\n");
    let planned = host.run("--plan").await;
    let said = format!("\ncreate deploy key {title}\n");
    assert!(planned.stdout.contains(&said), "{planned:#?}");

    let _controllers = host.stage.controllers();
    let done = host.run("--output=json").await.well();
    assert!(done.stderr.contains(&configured), "{done:#?}");
    let public = json(&done)["publicKey"].as_str().unwrap().to_owned();
    assert!(public.starts_with("ecdsa-sha2-nistp384 "), "{public}");
    assert_eq!(
        host.url().await,
        format!("ssh://git@{}/me/fleet", door.address())
    );
    let key = || host.fake.repo("me", "fleet").keys;
    assert_eq!((key()[0].key.clone(), key()[0].can_push), (public, false));
    let made = key()[0].clone();
    let secret = host.stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let entries: Vec<String> = secret.data.unwrap().into_keys().collect();
    assert_eq!(entries, ["identity", "identity.pub", "known_hosts"]);
    host.is_idempotent("").await;

    // If the host loses the key, bootstrap adds the same key again.
    host.fake.with(|state| state.repositories[0].keys.clear());
    let again = host.run("").await.well();
    assert!(again.stderr.contains(&configured), "{again:#?}");
    assert_eq!((key().len(), &key()[0].key), (1, &made.key));
    host.run("--read-write-key").await.well();
    assert_eq!((key().len(), key()[0].can_push), (1, true));

    // A token without access to keys suffices if the cluster has its key.
    let told = "{\"message\":\"token does not have at least one of required scope(s)\"}";
    let keys = "GET /api/v1/repos/me/fleet/keys";
    host.fake.spoil(keys, Reply::text(403, told));
    let poor = host.run("").await.well();
    assert!(
        poor.stderr.contains(&format!(
            "⚠️  the deploy key \"{title}\" was not looked at: list deploy keys: token does not"
        )),
        "{poor:#?}"
    );
}

/// Hook of a branch that accepts merges only.
const PROTECTED: &str = "while read old new name; do
  [ $name = refs/heads/main ] && { echo 'GH006: protected branch' >&2; exit 1; }
done; exit 0";

#[tokio::test(flavor = "multi_thread")]
async fn denied_push_becomes_a_proposal_and_waits_for_its_merge() {
    let fake = FakeForge::start(Flavour::GitHub).await;
    let git = fake.add(Repo::new("acme", "fleet"));
    let first = git.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    let first = first.unwrap();
    hook(&git, Some(PROTECTED));
    let host = Host {
        stage: BootstrapFixture::new().await,
        line: format!(
            "github --timeout=2m --hostname={} --owner=acme --repository=fleet --token-auth --path=clusters/one",
            fake.url()
        ),
        fake,
        variable: "GITHUB_TOKEN",
    };
    let refused = host.run("").await;
    assert_eq!(refused.code, 1, "{refused:#?}");
    assert!(
        refused.stderr.contains("GH006: protected branch"),
        "{refused:#?}"
    );
    assert!(
        refused
            .stderr
            .contains("allow this user to push, or use --pull-request"),
        "{refused:#?}"
    );

    let planned = host.run("--pull-request --plan").await;
    assert!(
        planned
            .stdout
            .contains("\ncreate pull request of flux/bootstrap-"),
        "{planned:#?}"
    );
    assert_eq!(
        planned.stdout.matches("\ncommit and push").count(),
        1,
        "{planned:#?}"
    );

    let opened = host.run("--pull-request --output=json").await.well();
    let proposals = || host.fake.repo("acme", "fleet").proposals;
    let made = proposals();
    assert_eq!((made.len(), made[0].into.as_str()), (1, "main"));
    let url = format!("https://github.example/pull/{}", made[0].number);
    assert_eq!(json(&opened)["pullRequest"], url);
    assert!(
        opened
            .stderr
            .contains(&format!("✔ opened pull request {url}\n")),
        "{opened:#?}"
    );
    assert_eq!(git.head("main").unwrap(), Some(first));

    host.fake.forget();
    let again = host.run("--pull-request").await.well();
    assert!(
        again
            .stderr
            .contains(&format!("◎ waiting for {url} to be merged\n")),
        "{again:#?}"
    );
    assert_eq!(host.fake.writes(), Vec::<String>::new());

    let _controllers = host.stage.controllers();
    let asked = format!("GET /api/v3/repos/acme/fleet/pulls/{}", made[0].number);
    let done = host.merged_meanwhile(&asked, "acme").await;
    let head = git.head("main").unwrap().unwrap();
    assert_eq!(json(&done)["revision"], format!("main@sha1:{head}"));
    assert!(done.stderr.contains("✔ pull request merged\n"), "{done:#?}");
    assert!(
        done.stderr
            .contains("✔ component manifests are up to date\n"),
        "{done:#?}"
    );
    host.is_idempotent("--pull-request").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bitbucket_server_gets_pull_request_and_key() {
    let fake = FakeForge::start(Flavour::BitbucketServer).await;
    let (url, door) = (fake.url(), fake.open_ssh().await);
    let host = Host {
        stage: BootstrapFixture::new().await,
        line: format!(
            "bitbucket-server --timeout=2m --hostname={url} --ssh-hostname={} --owner=acme --repository=fleet --username=me --group=platform,absent:admin --path=clusters/one",
            door.address()
        ),
        fake,
        variable: "BITBUCKET_TOKEN",
    };
    let (web, title) = (
        format!("{url}/acme/fleet"),
        "flux-system-main-flux-system-./clusters/one",
    );
    let planned = host.run("--pull-request --plan").await;
    assert_eq!(planned.code, 1, "{planned:#?}");
    for said in [
        format!("\ncreate repository {web}\ngrant push to platform\ngrant admin to absent\n"),
        format!("\ncreate deploy key {title}\n"),
    ] {
        assert!(planned.stdout.contains(&said), "{said}: {planned:#?}");
    }
    assert_eq!(host.fake.writes(), Vec::<String>::new());

    let empty = host.run("--pull-request").await;
    assert_eq!(empty.code, 1, "{empty:#?}");
    for said in [
        format!("✔ repository \"{web}\" created\n"),
        "✔ granted \"push\" permissions to \"platform\"\n".to_owned(),
        "⚠️  failed to grant \"admin\" permissions to \"absent\": ".to_owned(),
        "✗ the repository has no commit yet: ".to_owned(),
    ] {
        assert!(empty.stderr.contains(&said), "{said}: {empty:#?}");
    }
    host.fake
        .with(|state| state.teams.push("absent".to_owned()));
    let git = host.fake.git("ACME", "fleet");
    let first = git.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    first.unwrap();
    hook(&git, Some(PROTECTED));

    let _controllers = host.stage.controllers();
    let pulls = "/rest/api/1.0/projects/ACME/repos/fleet/pull-requests";
    let asked = format!("GET {pulls}/");
    let done = host.merged_meanwhile(&asked, "ACME").await;
    let made = host.fake.repo("ACME", "fleet").proposals;
    let shown = format!("https://bitbucket.example/pull-requests/{}", made[0].number);
    for said in [
        format!("✔ opened pull request {shown}\n"),
        format!("◎ waiting for {shown} to be merged\n"),
        "✔ pull request merged\n".to_owned(),
        "✔ component manifests are up to date\n".to_owned(),
        format!("✔ configured deploy key \"{title}\" for \"{web}\"\n"),
        "✔ all components are healthy\n".to_owned(),
    ] {
        assert!(done.stderr.contains(&said), "{said}: {done:#?}");
    }
    let head = git.head("main").unwrap().unwrap();
    assert_eq!(json(&done)["revision"], format!("main@sha1:{head}"));
    let followed = format!("ssh://git@{}/ACME/fleet", door.address());
    assert_eq!(host.url().await, followed);
    let keys = host.fake.repo("ACME", "fleet").keys;
    assert_eq!((keys.len(), keys[0].can_push), (1, false));
    assert_eq!(keys[0].title, title);
    host.is_idempotent("--pull-request").await;
}
