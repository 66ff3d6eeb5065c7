//! Tests `bootstrap gitea` at a real Gitea, until the commit is reconciled. It uses a personal
//! repository with a deploy key, and an organization's repository with a team and the token.
//!
//! Without a built Gitea, the test is skipped (`cargo xtask cluster tools --with gitea`).

use k8s_openapi::api::core::v1::Secret;
use serde_json::Value;
use sluice_git::serve::Repository;
use sluice_testkit::{Bed, Gitea};

use super::{BootstrapFixture, NAMESPACE, head, json};
use crate::world::{Kind, World};

const ORGANIZATION: &str = "acme";
const TEAM: &str = "platform";

/// Bootstraps twice. Returns the source that the cluster follows and the keys of its Secret.
async fn is_followed(
    gitea: &Gitea,
    bed: Bed,
    namespace: &str,
    owner: &str,
    flags: &str,
) -> (String, Vec<String>) {
    let stage = BootstrapFixture::of(World::system_in(bed, namespace).await);
    let _controllers = stage.controllers();
    let kubeconfig = stage.world.bed.kubeconfig();
    let line = format!(
        "gitea --timeout=1m --output=json --namespace={namespace} --hostname={} --ssh-hostname={} --owner={owner} --repository=fleet --path=clusters/one {flags}",
        gitea.url(),
        gitea.ssh()
    );
    let run = async || {
        let secret = Some(("GITEA_TOKEN", gitea.token()));
        let ended = stage.run(&kubeconfig, &line, secret).await.well();
        assert!(!format!("{ended:?}").contains(gitea.token()), "{ended:#?}");
        json(&ended)
    };
    let first = run().await;
    let repository = Repository::open(gitea.repository(owner, "fleet")).unwrap();
    let tip = head(&repository);
    assert_eq!(first["commits"].as_array().unwrap().len(), 2, "{first}");
    assert_eq!(first["commits"][1].as_str(), tip.as_deref());
    let source = stage.world.get(Kind::GitRepository, namespace).await;
    let source = source.unwrap().data;
    let revision = format!("main@sha1:{}", tip.unwrap());
    assert_eq!(source["status"]["artifact"]["revision"], revision);
    let follower = stage.world.get(Kind::Kustomization, namespace).await;
    let follower = follower.unwrap().data;
    assert_eq!(follower["status"]["lastAppliedRevision"], revision);

    let there = (head(&repository), stage.versions().await);
    let before = gitea.writes().await;
    let again = run().await;
    assert_eq!(again["commits"], Value::Array(Vec::new()));
    assert_eq!((head(&repository), stage.versions().await), there);
    // The other owner's test may run concurrently.
    let of_owner = |lines: Vec<String>| {
        let is_ours = |line: &String| line.contains(&format!("/{owner}/"));
        lines.into_iter().filter(is_ours).collect::<Vec<_>>()
    };
    assert_eq!(of_owner(gitea.writes().await), of_owner(before));
    let secret = stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let url = source["spec"]["url"].as_str().unwrap().to_owned();
    (url, secret.data.unwrap().into_keys().collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn real_gitea_is_bootstrapped_for_user_and_organization() {
    let Some(gitea) = Gitea::start().await else {
        return;
    };
    gitea.organization(ORGANIZATION, TEAM).await;
    let bed = Bed::own().await;
    let with_team = format!("--team={TEAM} --token-auth");
    let (personal, organization) = tokio::join!(
        is_followed(
            &gitea,
            bed.clone(),
            "flux-personal",
            Gitea::LOGIN,
            "--personal"
        ),
        is_followed(&gitea, bed, "flux-organization", ORGANIZATION, &with_team),
    );
    let keyed = ["identity", "identity.pub", "known_hosts"].map(str::to_owned);
    let url = format!("ssh://git@{}/me/fleet", gitea.ssh());
    assert_eq!(personal, (url, keyed.to_vec()));
    let tokened = ["password", "username"].map(str::to_owned);
    let url = format!("{}/acme/fleet.git", gitea.url());
    assert_eq!(organization, (url, tokened.to_vec()));

    let repository = |owner| format!("repos/{owner}/fleet");
    let keys = gitea.get(&format!("{}/keys", repository("me"))).await;
    let keys = keys.as_array().unwrap();
    assert_eq!((keys.len(), &keys[0]["read_only"]), (1, &Value::Bool(true)));
    let teams = gitea.get(&format!("{}/teams", repository("acme"))).await;
    let mut teams = teams.as_array().unwrap().iter();
    assert!(teams.any(|team| team["name"] == TEAM), "{teams:?}");
}
