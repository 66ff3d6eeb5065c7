//! Interrupts `bootstrap` at each of its steps, in runs on the same cluster and repository. Each
//! run gets further than the one before, and the last run ends like an undisturbed one. At a step,
//! the host or the API server goes down, or Ctrl-C is pressed. [`hosts`] covers the specifics of
//! GitLab, Gitea and Bitbucket Server.

mod hosts;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use k8s_openapi::api::core::v1::Secret;
use sluice_git::serve::Repository;
use sluice_system::fs;
use sluice_testkit::faults::{Call, Fault, When};
use sluice_testkit::forges::Flavour;
use sluice_testkit::{FakeForge, FaultProxy, Sluice};
use tokio::sync::watch;

use super::gate::{Gate, Strike};
use super::{BootstrapFixture, CANARY, COMPONENTS, NAMESPACE, guarded, head, holds, json};
use crate::program;

/// The step at which a run is interrupted.
#[derive(Clone, Copy)]
enum At {
    /// A call to the API server: verb, resource and name.
    Cluster(&'static str, &'static str, &'static str),
    /// A request to the host, by its start.
    Host(&'static str),
}

/// A command to interrupt, with proxies to the cluster and the host.
struct Rig {
    stage: BootstrapFixture,
    proxy: FaultProxy,
    gate: Gate,
    line: String,
    variable: &'static str,
    token: &'static str,
}

impl Rig {
    async fn new(host: SocketAddr, variable: &'static str, token: &'static str) -> Self {
        Self::on(BootstrapFixture::new().await, host, variable, token).await
    }

    async fn on(
        stage: BootstrapFixture,
        host: SocketAddr,
        variable: &'static str,
        token: &'static str,
    ) -> Self {
        Self {
            proxy: FaultProxy::start(&stage.world.bed.kubeconfig()).await,
            gate: Gate::before(host).await,
            line: String::new(),
            stage,
            variable,
            token,
        }
    }

    /// Sets the interruption, and returns a signal for when it happens.
    fn trap(&self, at: At, strike: Strike) -> watch::Receiver<bool> {
        let (verb, resource, name) = match at {
            At::Host(request) => {
                self.gate.aim(request, strike);
                return self.gate.struck();
            }
            At::Cluster(verb, resource, name) => (verb, resource, name),
        };
        let (shut, told) = (AtomicBool::new(false), watch::Sender::new(false));
        let seen = told.subscribe();
        let told = Mutex::new(told);
        // From that call on, every call fails.
        let when = When::any().and(move |call: &Call| {
            let meant = call.verb == verb
                && call.resource == resource
                && (name.is_empty() || call.name == name)
                && !call.dry_run;
            if meant {
                shut.store(true, Ordering::SeqCst);
                told.lock().unwrap().send_replace(true);
            }
            shut.load(Ordering::SeqCst)
        });
        let fault = match strike {
            Strike::Down | Strike::Mute => Fault::Drop,
            Strike::Hold | Strike::Kill => Fault::Hang,
        };
        self.proxy.inject(when, fault);
        seen
    }

    /// Runs the command until it is interrupted at that step.
    async fn torn_off(&self, at: At, strike: Strike) -> String {
        let mut shut = self.trap(at, strike);
        let temporary = self.stage.temporary.path();
        let sluice = Sluice::at(program::flux())
            .variable("KUBECONFIG", self.proxy.kubeconfig().display().to_string())
            .variable("NO_COLOR", "1")
            .variable("TMPDIR", temporary.display().to_string())
            .variable(self.variable, self.token);
        // A held request ends with the interrupt, so a long timeout costs nothing.
        let timeout = match strike {
            Strike::Hold | Strike::Kill => "2m",
            Strike::Down | Strike::Mute => "40s",
        };
        let words = format!("bootstrap {} --timeout={timeout} {COMPONENTS}", self.line);
        let words: Vec<&str> = words.split_whitespace().collect();
        let running = sluice.start(&words);
        let came = tokio::select! {
            shut = shut.wait_for(|shut| *shut) => shut.is_ok(),
            _ = running.ended() => false,
        };
        assert!(
            came || *shut.borrow(),
            "it ended before: {}",
            running.output()
        );
        match strike {
            Strike::Hold => running.interrupt(),
            Strike::Kill => running.kill(),
            Strike::Down | Strike::Mute => {}
        }
        let code = running.ended().await;
        let output = running.output();
        assert!(!output.contains(self.token), "{output}");
        let left = fs::read_dir(temporary).unwrap();
        if strike == Strike::Kill {
            assert_eq!(code, None, "{output}");
            // A killed process removes nothing.
            assert!(!holds(temporary, self.token), "{left:?} after {output}");
            for entry in left {
                fs::remove_dir_all(&entry.path).unwrap();
            }
        } else {
            assert_eq!(code, Some(1), "{output}");
            assert!(left.is_empty(), "{left:?} after {output}");
        }
        self.proxy.clear();
        self.gate.open();
        output
    }

    /// Interrupts a run at each step, in sequence.
    async fn each(&self, steps: &[At], strike: Strike) {
        for at in steps {
            let output = self.torn_off(*at, strike).await;
            let told = match strike {
                Strike::Hold => "✗ interrupted\n  hint: run bootstrap again",
                Strike::Kill => "",
                Strike::Down | Strike::Mute => "✗ ",
            };
            assert!(output.contains(told), "{output}");
        }
    }

    /// Starts controllers, and interrupts runs that wait for them. A complete run follows, and
    /// another one that has no work.
    async fn completes(&self, repository: &Repository, strike: Strike) {
        let _controllers = self.stage.controllers();
        self.each(&AT_WORK, strike).await;
        let kubeconfig = self.stage.world.bed.kubeconfig();
        let line = format!("{} --timeout=1m --output=json", self.line);
        let secret = Some((self.variable, self.token));
        self.stage.run(&kubeconfig, &line, secret).await.well();
        assert_eq!(commits(repository), 2, "none was made twice");
        let before = (head(repository), self.stage.versions().await);
        let again = self.stage.run(&kubeconfig, &line, secret).await.well();
        assert_eq!(json(&again)["commits"], json!([]));
        assert_eq!((head(repository), self.stage.versions().await), before);
    }
}

/// Returns the number of commits on the branch.
fn commits(repository: &Repository) -> usize {
    #[expect(clippy::disallowed_methods, reason = "Git itself counts the commits")]
    let counted = std::process::Command::new("git")
        .arg("-C")
        .arg(repository.path())
        .args(["rev-list", "--count", "main"])
        .output()
        .unwrap();
    String::from_utf8(counted.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}

/// Steps of `bootstrap git`, each by its first request.
const GIT: [At; 12] = [
    At::Cluster("get", "customresourcedefinitions", ""),
    At::Cluster("create", "selfsubjectaccessreviews", ""),
    At::Cluster("get", "secrets", "flux-system"),
    At::Host("GET /fleet.git/info/refs"),
    At::Host("POST /fleet.git/git-receive-pack"),
    At::Cluster("apply", "namespaces", ""),
    At::Cluster("apply", "deployments", "kustomize-controller"),
    At::Cluster("create", "secrets", "regcred"),
    At::Cluster("create", "secrets", "flux-system"),
    At::Host("POST /fleet.git/git-receive-pack"),
    At::Cluster("apply", "kustomizations", ""),
    At::Cluster("watch", "gitrepositories", ""),
];

/// Steps that need running controllers.
const AT_WORK: [At; 2] = [
    At::Cluster("watch", "kustomizations", ""),
    At::Cluster("watch", "deployments", ""),
];

async fn git_is_torn_off(strike: Strike) {
    let git = guarded().await;
    let repository = git.create("fleet.git", "main");
    let url = git.url("fleet.git");
    let host = url.split('/').nth(2).unwrap().parse().unwrap();
    let mut rig = Rig::new(host, "GIT_PASSWORD", CANARY).await;
    rig.line = format!(
        "git --url=http://{}/fleet.git --allow-insecure-http --token-auth --username=me --path=clusters/one --image-pull-secret=regcred --registry-creds=me:pass",
        rig.gate.address()
    );
    rig.each(&GIT, strike).await;
    rig.completes(&repository, strike).await;
    assert!(!holds(&repository.path().join("objects"), CANARY));
}

#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_git_completes_after_outage_at_any_step() {
    git_is_torn_off(Strike::Down).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_git_is_completed_after_an_interruption_at_any_step() {
    git_is_torn_off(Strike::Hold).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_git_completes_after_kill_at_any_step() {
    git_is_torn_off(Strike::Kill).await;
}

/// Requests to GitHub in order: the repository, its team, the clone, both pushes, and the key of
/// the cluster between them.
const GITHUB: [At; 9] = [
    At::Host("GET /api/v3/repos/acme/fleet HTTP"),
    At::Host("POST /api/v3/orgs/acme/repos"),
    At::Host("PUT /api/v3/orgs/acme/teams/platform/repos/acme/fleet"),
    At::Host("GET /acme/fleet.git/info/refs"),
    At::Host("POST /acme/fleet.git/git-receive-pack"),
    At::Host("GET /api/v3/repos/acme/fleet/keys"),
    At::Host("POST /api/v3/repos/acme/fleet/keys"),
    At::Cluster("create", "secrets", "flux-system"),
    At::Host("POST /acme/fleet.git/git-receive-pack"),
];

async fn github_is_torn_off(strike: Strike) {
    let fake = FakeForge::start(Flavour::GitHub).await;
    let door = fake.open_ssh().await;
    let host = fake.url().trim_start_matches("http://").parse().unwrap();
    let mut rig = Rig::new(host, "GITHUB_TOKEN", FakeForge::TOKEN).await;
    rig.line = format!(
        "github --hostname=http://{} --ssh-hostname={} --owner=acme --repository=fleet --path=clusters/one --team=platform",
        rig.gate.address(),
        door.address()
    );
    rig.each(&GITHUB, strike).await;
    rig.completes(&fake.git("acme", "fleet"), strike).await;
    fake.assert_no_complaints();
    let keys = fake.repo("acme", "fleet").keys;
    assert_eq!(
        keys.len(),
        1,
        "no key is left of a run that was torn off: {keys:?}"
    );
    let secret = rig.stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let public = String::from_utf8(secret.data.unwrap()["identity.pub"].0.clone()).unwrap();
    assert!(
        public.starts_with(&keys[0].key),
        "the host has the cluster's key"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_github_completes_after_outage_at_any_step() {
    github_is_torn_off(Strike::Down).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bootstrap_github_completes_after_interrupt_at_any_step() {
    github_is_torn_off(Strike::Hold).await;
}
