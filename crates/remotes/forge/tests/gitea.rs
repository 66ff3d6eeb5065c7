//! Runs every call on a real Gitea and on its fake, and compares the results.
//!
//! The test is skipped without a Gitea (`cargo xtask cluster tools --with gitea`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::Method;
use serde_json::json;
use sluice_dial::{Dial, HttpClients};
use sluice_forge::{
    Connection, Error, Forge, Host, Kind, NewDeployKey, NewProposal, NewRepository, Permission,
    Place, Proposal, Repository, Visibility, connect,
};
use sluice_testkit::forges::{self, Flavour};
use sluice_testkit::{FakeForge, Gitea};

const ORGANIZATION: &str = FakeForge::ORGANIZATION;
const TEAM: &str = FakeForge::TEAM;
const LOGIN: &str = FakeForge::LOGIN;
/// A user that exists in the fake.
const OTHER: &str = "somebody";
const PROPOSED: &str = "flux/bootstrap-1";

/// The host under test, with administrator operations.
enum Side {
    Fake(FakeForge),
    Real(Gitea),
}

impl Side {
    fn forge(&self, token: Option<&str>) -> Box<dyn Forge> {
        let (url, own) = match self {
            Self::Fake(fake) => (fake.url(), FakeForge::TOKEN),
            Self::Real(gitea) => (gitea.url().to_owned(), gitea.token()),
        };
        let connection = Connection {
            host: Host::parse(&url).unwrap(),
            token: token.unwrap_or(own).into(),
            http: &HttpClients::new("test"),
            dial: Dial::default(),
            retry: Connection::DEFAULT_RETRY,
        };
        connect(Kind::Gitea, &connection).unwrap()
    }

    /// Creates two branches in a repository.
    async fn fill(&self, owner: &str, name: &str) {
        if let Self::Real(gitea) = self {
            for (path, branch) in [("README.md", "trunk"), ("flux.md", PROPOSED)] {
                let mut file = json!({
                    "content": "Zmxvdw==",
                    "message": "Add a file",
                    "branch": "trunk",
                });
                if branch != "trunk" {
                    file["new_branch"] = json!(branch);
                }
                let to = format!("repos/{owner}/{name}/contents/{path}");
                gitea.ask(Method::POST, &to, &file).await;
            }
        }
    }

    /// Opens a pull request from a branch of the same name in a fork.
    async fn propose_from_fork(&self, owner: &str, name: &str) {
        match self {
            Self::Fake(fake) => fake.with(|state| {
                let repositories = state.repositories.iter_mut();
                let mut here = repositories.filter(|repo| repo.owner == owner && repo.name == name);
                here.next().unwrap().proposals.push(forges::Proposal {
                    number: 1000,
                    from: PROPOSED.to_owned(),
                    into: "trunk".to_owned(),
                    title: "Add Flux".to_owned(),
                    state: "open".to_owned(),
                    fork: Some(OTHER.to_owned()),
                    ..forges::Proposal::default()
                });
            }),
            Self::Real(gitea) => {
                let forks = format!("repos/{owner}/{name}/forks?sudo={OTHER}");
                gitea.ask(Method::POST, &forks, &json!({})).await;
                let pulls = format!("repos/{owner}/{name}/pulls?sudo={OTHER}");
                let pull = json!({
                    "title": "Add Flux",
                    "head": format!("{OTHER}:{PROPOSED}"),
                    "base": "trunk",
                });
                gitea.ask(Method::POST, &pulls, &pull).await;
            }
        }
    }

    /// Merges or closes a pull request.
    async fn end(&self, owner: &str, name: &str, number: u64, state: &str) {
        match self {
            Self::Fake(fake) => fake.with(|all| {
                let proposals = all
                    .repositories
                    .iter_mut()
                    .flat_map(|repo| &mut repo.proposals);
                let mut here = proposals.filter(|proposal| proposal.number == number);
                state.clone_into(&mut here.next().unwrap().state);
            }),
            Self::Real(gitea) if state == "merged" => {
                let merge = format!("repos/{owner}/{name}/pulls/{number}/merge");
                gitea
                    .ask(Method::POST, &merge, &json!({ "Do": "merge" }))
                    .await;
            }
            Self::Real(gitea) => {
                let pull = format!("repos/{owner}/{name}/pulls/{number}");
                gitea
                    .ask(Method::PATCH, &pull, &json!({ "state": state }))
                    .await;
            }
        }
    }

    async fn archive(&self, owner: &str, name: &str) {
        match self {
            Self::Fake(fake) => fake.with(|state| {
                let mut repositories = state.repositories.iter_mut();
                let found = repositories.find(|repo| repo.owner == owner && repo.name == name);
                found.unwrap().archived = true;
            }),
            Self::Real(gitea) => {
                let repository = format!("repos/{owner}/{name}");
                let archived = json!({ "archived": true });
                gitea.ask(Method::PATCH, &repository, &archived).await;
            }
        }
    }
}

/// The results in order, without ids of the host.
#[derive(Default)]
struct Transcript(Vec<String>);

impl Transcript {
    fn add(&mut self, asked: &str, answer: &str) {
        self.0.push(format!("{asked}: {answer}"));
    }

    fn done<T>(&mut self, asked: &str, answer: Result<T, Error>) -> Option<T> {
        match answer {
            Ok(done) => {
                self.add(asked, "done");
                Some(done)
            }
            Err(error) => {
                self.refused(asked, &error);
                None
            }
        }
    }

    fn refused(&mut self, asked: &str, error: &Error) {
        let told = error.to_string();
        // The brackets contain ids of the host.
        let told = told.split(" [id: ").next().unwrap_or_default();
        let told = format!("{:?}: {told} {:?}", error.kind(), error.advice());
        self.add(asked, &told);
    }

    fn repository(&mut self, asked: &str, answer: Result<Option<Repository>, Error>) {
        if let Some(found) = self.done(asked, answer) {
            self.add(asked, &format!("{found:?}"));
        }
    }
}

fn place(owner: &str, name: &str) -> Place {
    Place::new(Kind::Gitea, owner, owner == LOGIN, name).unwrap()
}

fn wanted(visibility: Visibility) -> NewRepository {
    NewRepository {
        visibility,
        default_branch: "trunk".to_owned(),
    }
}

/// Returns a public key in OpenSSH format, unique by number.
fn public(number: usize) -> String {
    format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{number:042}")
}

fn key(title: &str, number: usize, is_read_only: bool) -> NewDeployKey {
    NewDeployKey {
        title: title.to_owned(),
        key: public(number),
        is_read_only,
    }
}

async fn repositories(side: &Side, said: &mut Transcript) {
    let forge = side.forge(None);
    let stranger = side.forge(Some("0123456789012345678901234567890123456789"));
    for owner in [ORGANIZATION, LOGIN] {
        let at = place(owner, "fleet");
        said.repository("a stranger looks", stranger.find(&at).await);
        said.repository("nothing is there", forge.find(&at).await);
        let made = forge.create(&at, &wanted(Visibility::Private)).await;
        said.repository("one is made", made.map(Some));
        let twice = forge.create(&at, &wanted(Visibility::Private)).await;
        said.repository("one is made twice", twice.map(Some));
        said.repository("it is there", forge.find(&at).await);
        let found = forge.find(&at).await.unwrap().unwrap();
        for visibility in [Visibility::Public, Visibility::Public, Visibility::Private] {
            let shown = forge.show_to(&found, visibility).await;
            said.done("it is shown", shown);
            said.repository("it was shown", forge.find(&at).await);
        }
        let open = place(owner, "open");
        let made = forge.create(&open, &wanted(Visibility::Public)).await;
        said.repository("a public one", made.map(Some));
    }
    for (owner, is_personal) in [
        (OTHER, false),
        (OTHER, true),
        ("nobody", false),
        ("nobody", true),
        (ORGANIZATION, true),
        (LOGIN, false),
    ] {
        let at = Place::new(Kind::Gitea, owner, is_personal, "other").unwrap();
        let made = forge.create(&at, &wanted(Visibility::Private)).await;
        said.repository(&format!("for {owner}, {is_personal}"), made.map(Some));
        said.repository("nothing was made", forge.find(&at).await);
    }
}

async fn teams(side: &Side, said: &mut Transcript) {
    let forge = side.forge(None);
    let fleet = forge.find(&place(ORGANIZATION, "fleet")).await;
    let fleet = fleet.unwrap().unwrap();
    for team in [TEAM, "absent"] {
        for _ in 0..2 {
            match forge.access(&fleet, team).await {
                Ok(access) => said.add("access", &format!("{access:?}")),
                Err(error) => said.refused("access", &error),
            }
            let granted = forge.grant(&fleet, team, Permission::Push).await;
            said.done(&format!("{team} is let in"), granted);
        }
    }
    let personal = forge.find(&place(LOGIN, "fleet")).await;
    let personal = personal.unwrap().unwrap();
    let granted = forge.grant(&personal, TEAM, Permission::Push).await;
    said.done("a team of nobody", granted);
}

async fn keys(side: &Side, said: &mut Transcript) {
    let forge = side.forge(None);
    let find = forge.find(&place(LOGIN, "fleet")).await;
    let fleet = find.unwrap().unwrap();
    let list = async |said: &mut Transcript| {
        let mut keys = forge.deploy_keys(&fleet).await.unwrap();
        keys.sort_by_key(|key| key.id);
        let named = keys
            .iter()
            .filter(|key| key.title.parse::<usize>().is_err());
        let told: Vec<_> = named
            .map(|key| (&key.title, &key.key, key.is_read_only))
            .collect();
        said.add("keys", &format!("{} with {told:?}", keys.len()));
        keys
    };
    list(said).await;
    let commented = NewDeployKey {
        key: format!("{} flux\n", public(1)),
        ..key("one", 1, true)
    };
    said.done("a key", forge.add_deploy_key(&fleet, &commented).await);
    for (asked, wanted) in [
        ("the same again", key("one", 1, true)),
        ("another of the title", key("one", 2, true)),
        ("the key of another title", key("two", 1, true)),
        ("one that may write", key("three", 3, false)),
    ] {
        said.done(asked, forge.add_deploy_key(&fleet, &wanted).await);
    }
    // More than one page of a real Gitea.
    for number in 10..70 {
        let wanted = key(&number.to_string(), number, true);
        forge.add_deploy_key(&fleet, &wanted).await.unwrap();
    }
    let there = list(said).await;
    let first = there.first().unwrap().id;
    said.done("a key goes", forge.remove_deploy_key(&fleet, first).await);
    said.done("it is gone", forge.remove_deploy_key(&fleet, first).await);
    let again = forge.add_deploy_key(&fleet, &key("one", 1, false)).await;
    said.done("it comes back to write", again);
    list(said).await;
    // A key of one repository may be used for another.
    let other = forge.find(&place(LOGIN, "open")).await.unwrap().unwrap();
    let shared = forge.add_deploy_key(&other, &key("one", 1, true)).await;
    said.done("it opens another one", shared);
}

async fn proposals(side: &Side, said: &mut Transcript) {
    let forge = side.forge(None);
    let open = forge.find(&place(LOGIN, "open")).await.unwrap().unwrap();
    side.fill(LOGIN, "open").await;
    let wanted = NewProposal {
        from: PROPOSED.to_owned(),
        into: "trunk".to_owned(),
        title: "Add Flux".to_owned(),
        text: "Below".to_owned(),
    };
    let find = async |said: &mut Transcript| {
        let found = forge.find_proposal(&open, &wanted).await;
        let state = found.map(|found| found.map(|proposal| proposal.state));
        said.add("proposal", &format!("{state:?}"));
    };
    find(said).await;
    side.propose_from_fork(LOGIN, "open").await;
    find(said).await;
    for state in ["closed", "merged"] {
        let made: Proposal = forge.propose(&open, &wanted).await.unwrap();
        said.add("proposed", &format!("{:?}", made.state));
        find(said).await;
        let twice = forge.propose(&open, &wanted).await;
        said.done("proposed twice", twice.map(drop));
        let shown = forge.proposal(&open, made.number).await.unwrap();
        assert_eq!(shown, made);
        assert!(made.url.ends_with(&made.number.to_string()), "{}", made.url);
        let edited = forge.edit_proposal(&open, made.number, "New", "Text");
        said.done("edited", edited.await);
        let labels = ["images".to_owned()];
        let labelled = forge.label_proposal(&open, made.number, &labels);
        said.done("labelled", labelled.await);
        let shown = forge.proposal(&open, made.number).await.unwrap();
        let (title, text, labels) = (shown.title, shown.text, shown.labels);
        said.add("edited", &format!("{title} {text} {labels:?}"));
        side.end(LOGIN, "open", made.number, state).await;
        let ended = forge.proposal(&open, made.number).await.unwrap();
        said.add("ended", &format!("{:?}", ended.state));
        find(said).await;
    }
    said.done("no such", forge.proposal(&open, 4000).await.map(drop));
    side.archive(LOGIN, "open").await;
    said.repository("archived", forge.find(&place(LOGIN, "open")).await);
    let late = forge.add_deploy_key(&open, &key("late", 80, true)).await;
    said.done("a key for an archived one", late);
}

async fn played(side: &Side) -> Vec<String> {
    let mut said = Transcript::default();
    repositories(side, &mut said).await;
    teams(side, &mut said).await;
    keys(side, &mut said).await;
    proposals(side, &mut said).await;
    said.0
}

#[tokio::test(flavor = "multi_thread")]
async fn real_gitea_agrees_with_its_fake() {
    let Some(gitea) = Gitea::start().await else {
        return;
    };
    gitea.organization(ORGANIZATION, TEAM).await;
    gitea.user(OTHER).await;
    let fake = FakeForge::start(Flavour::Gitea).await;
    let (real, fake) = (Side::Real(gitea), Side::Fake(fake));
    let (real, faked) = (played(&real).await, played(&fake).await);
    let differs: Vec<_> = real.iter().zip(&faked).filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "real and fake: {differs:#?}");
    assert_eq!(real.len(), faked.len());
}
