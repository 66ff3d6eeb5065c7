//! Interrupts the steps that are specific to GitLab, Gitea and Bitbucket Server: the repository, a
//! team or group, the cluster's key or token, and a proposal. Each step is interrupted by Ctrl-C
//! during its request, and by the host going down before and after it acts.
//!
//! The tests of `git` and `github` cover the shared steps. The three hosts share a control plane,
//! with a namespace each. They run concurrently, because they mostly wait for a host that is down.

use k8s_openapi::api::core::v1::Secret;
use serde_json::Value;
use sluice_testkit::forges::Flavour;
use sluice_testkit::{Bed, FakeForge};

use super::super::gate::Strike;
use super::super::{BootstrapFixture, NAMESPACE, head, json};
use super::{At, Rig, commits};
use crate::world::World;

/// The steps of one host, in order.
struct Walk {
    flavour: Flavour,
    /// Namespace of the cluster for this host.
    namespace: &'static str,
    variable: &'static str,
    command: &'static str,
    /// Project in the API's paths, and in Git's.
    owner: &'static str,
    /// Flags for the cluster's first access. Later it uses a key.
    access: &'static str,
    /// Steps from an empty host to a synced cluster.
    making: &'static [(At, Strike)],
    /// Steps of a proposed change, including the wait for its merge.
    proposing: &'static [(At, Strike)],
    /// Steps after the merge.
    merged: &'static [(At, Strike)],
}

const GITLAB: Walk = Walk {
    flavour: Flavour::GitLab,
    namespace: "flux-gitlab",
    variable: "GITLAB_TOKEN",
    command: "gitlab --team=platform",
    owner: "acme",
    access: "--deploy-token-auth",
    making: &[
        (At::Host("POST /api/v4/projects HTTP"), Strike::Down),
        (At::Host("POST /api/v4/projects HTTP"), Strike::Mute),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/share"),
            Strike::Down,
        ),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/share"),
            Strike::Mute,
        ),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/deploy_tokens"),
            Strike::Down,
        ),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/deploy_tokens"),
            Strike::Mute,
        ),
        // The old key is deleted only after the new one exists.
        (
            At::Host("DELETE /api/v4/projects/acme%2Ffleet/deploy_tokens/"),
            Strike::Down,
        ),
        (
            At::Cluster("create", "secrets", "flux-system"),
            Strike::Down,
        ),
    ],
    proposing: &[
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/merge_requests"),
            Strike::Down,
        ),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/merge_requests"),
            Strike::Mute,
        ),
        (
            At::Host("GET /api/v4/projects/acme%2Ffleet/merge_requests/"),
            Strike::Down,
        ),
    ],
    merged: &[
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/deploy_keys"),
            Strike::Down,
        ),
        (
            At::Host("POST /api/v4/projects/acme%2Ffleet/deploy_keys"),
            Strike::Mute,
        ),
    ],
};

const GITEA: Walk = Walk {
    flavour: Flavour::Gitea,
    namespace: "flux-gitea",
    variable: "GITEA_TOKEN",
    command: "gitea --team=platform",
    owner: "acme",
    access: "",
    making: &[
        (At::Host("POST /api/v1/orgs/acme/repos"), Strike::Down),
        (At::Host("POST /api/v1/orgs/acme/repos"), Strike::Mute),
        (
            At::Host("PUT /api/v1/repos/acme/fleet/teams/platform"),
            Strike::Down,
        ),
        (At::Host("POST /api/v1/repos/acme/fleet/keys"), Strike::Down),
        (At::Host("POST /api/v1/repos/acme/fleet/keys"), Strike::Mute),
    ],
    proposing: &[
        (
            At::Host("POST /api/v1/repos/acme/fleet/pulls"),
            Strike::Down,
        ),
        (
            At::Host("POST /api/v1/repos/acme/fleet/pulls"),
            Strike::Mute,
        ),
        (
            At::Host("GET /api/v1/repos/acme/fleet/pulls/"),
            Strike::Down,
        ),
    ],
    merged: &[],
};

const BITBUCKET: Walk = Walk {
    flavour: Flavour::BitbucketServer,
    namespace: "flux-bitbucket",
    variable: "BITBUCKET_TOKEN",
    command: "bitbucket-server --group=platform --username=me",
    owner: "ACME",
    access: "",
    making: &[
        (
            At::Host("POST /rest/api/1.0/projects/ACME/repos"),
            Strike::Down,
        ),
        (
            At::Host("POST /rest/api/1.0/projects/ACME/repos"),
            Strike::Mute,
        ),
        (
            At::Host("PUT /rest/api/1.0/projects/ACME/repos/fleet/permissions/groups"),
            Strike::Down,
        ),
        (
            At::Host("POST /rest/keys/1.0/projects/ACME/repos/fleet/ssh"),
            Strike::Down,
        ),
        (
            At::Host("POST /rest/keys/1.0/projects/ACME/repos/fleet/ssh"),
            Strike::Mute,
        ),
    ],
    proposing: &[
        (
            At::Host("POST /rest/api/1.0/projects/ACME/repos/fleet/pull-requests"),
            Strike::Down,
        ),
        (
            At::Host("POST /rest/api/1.0/projects/ACME/repos/fleet/pull-requests"),
            Strike::Mute,
        ),
        (
            At::Host("GET /rest/api/1.0/projects/ACME/repos/fleet/pull-requests/"),
            Strike::Down,
        ),
    ],
    merged: &[],
};

impl Rig {
    /// Interrupts a run at each step. Steps where the host goes down follow those with Ctrl-C.
    async fn walk(&self, steps: &[(At, Strike)]) {
        for (at, strike) in steps {
            if *strike == Strike::Down {
                self.each(&[*at], Strike::Hold).await;
            }
            self.each(&[*at], *strike).await;
        }
    }

    /// Runs the command undisturbed.
    async fn run(&self) -> Value {
        let kubeconfig = self.stage.world.bed.kubeconfig();
        let line = format!("{} --timeout=1m --output=json", self.line);
        let secret = Some((self.variable, self.token));
        json(&self.stage.run(&kubeconfig, &line, secret).await.well())
    }

    /// Returns an entry of the cluster's Secret.
    async fn entry(&self, name: &str) -> String {
        let secret = self.stage.api::<Secret>().get(NAMESPACE).await.unwrap();
        String::from_utf8(secret.data.unwrap()[name].0.clone()).unwrap()
    }
}

async fn is_walked(walk: &Walk, bed: Bed) {
    let stage = BootstrapFixture::of(World::system_in(bed, walk.namespace).await);
    let fake = FakeForge::start(walk.flavour).await;
    let door = fake.open_ssh().await;
    let host = fake.url().trim_start_matches("http://").parse().unwrap();
    let mut rig = Rig::on(stage, host, walk.variable, FakeForge::TOKEN).await;
    let line = format!(
        "{} --namespace={} --hostname=http://{} --ssh-hostname={} --owner=acme --repository=fleet --path=clusters/one",
        walk.command,
        walk.namespace,
        rig.gate.address(),
        door.address()
    );
    rig.line = format!("{line} {}", walk.access);
    rig.walk(walk.making).await;
    let _controllers = rig.stage.controllers();
    let first = rig.run().await;
    assert_eq!(first["commits"].as_array().unwrap().len(), 1, "{first}");
    let repository = fake.git(walk.owner, "fleet");
    assert_eq!(commits(&repository), 2, "none was made twice");
    let known = || fake.repo(walk.owner, "fleet");
    assert_eq!(known().grants.len(), 1, "{:?}", known().grants);
    if walk.flavour == Flavour::GitLab {
        let tokens = known().tokens;
        assert_eq!(tokens.len(), 1, "no token is left of a run: {tokens:?}");
        assert_eq!(rig.entry("username").await, tokens[0].username);
    }

    let merged = format!("{line} --log-level=debug");
    rig.line = format!("{merged} --pull-request --wait-merge");
    rig.walk(walk.proposing).await;
    rig.line = format!("{merged} --pull-request");
    fake.forget();
    let proposed = rig.run().await;
    let proposals = known().proposals;
    assert_eq!(proposals.len(), 1, "{proposals:?}");
    let number = proposals[0].number.to_string();
    let url = proposed["pullRequest"].as_str().unwrap();
    assert!(url.ends_with(&format!("/{number}")), "{url}");
    assert_eq!(fake.writes(), Vec::<String>::new());
    fake.merge(walk.owner, "fleet");
    rig.walk(walk.merged).await;
    rig.run().await;
    assert_eq!(commits(&repository), 3, "what was merged is all");

    fake.forget();
    let before = (head(&repository), rig.stage.versions().await);
    let again = rig.run().await;
    assert_eq!(again["commits"], Value::Array(Vec::new()));
    assert_eq!((head(&repository), rig.stage.versions().await), before);
    assert_eq!(fake.writes(), Vec::<String>::new());
    fake.assert_no_complaints();
    assert_eq!(fake.with(|state| state.repositories.len()), 1);
    let keys = known().keys;
    assert_eq!(keys.len(), 1, "no key is left of a run: {keys:?}");
    let public = rig.entry("identity.pub").await;
    assert!(
        keys[0].key.starts_with(public.trim()),
        "the host has the cluster's key"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn host_specific_steps_complete_after_interruption() {
    let bed = Bed::own().await;
    tokio::join!(
        is_walked(&GITLAB, bed.clone()),
        is_walked(&GITEA, bed.clone()),
        is_walked(&BITBUCKET, bed),
    );
}
