//! Tests of every host through its fake.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use sluice_dial::{Dial, HttpClients, Retry, Tls};
use sluice_forge::reconcile::{self, Change};
use sluice_forge::{
    Connection, ErrorKind, Forge, Host, Kind, MergeMethod, NewDeployKey, NewProposal,
    NewRepository, Permission, Place, ProposalState, Repository, Visibility, connect,
};
use sluice_testkit::FakeForge;
use sluice_testkit::forges::{Flavour, Key, Proposal, Reply, Repo};

const KINDS: [(Kind, Flavour); 4] = [
    (Kind::GitHub, Flavour::GitHub),
    (Kind::GitLab, Flavour::GitLab),
    (Kind::Gitea, Flavour::Gitea),
    (Kind::BitbucketServer, Flavour::BitbucketServer),
];

/// Retries without a wait, which another test covers.
const EAGER: Retry = Retry {
    retries: 4,
    wait_min: std::time::Duration::ZERO,
    wait_max: std::time::Duration::from_secs(30),
};

fn dialled(kind: Kind, url: &str, token: &str, dial: Dial) -> Box<dyn Forge> {
    let connection = Connection {
        host: Host::parse(url).unwrap(),
        token: token.into(),
        http: &HttpClients::new("test"),
        dial,
        retry: EAGER,
    };
    connect(kind, &connection).unwrap()
}

fn client(kind: Kind, fake: &FakeForge) -> Box<dyn Forge> {
    dialled(kind, &fake.url(), FakeForge::TOKEN, Dial::default())
}

fn place(kind: Kind, owner: &str, name: &str) -> Place {
    Place::new(kind, owner, owner == FakeForge::LOGIN, name).unwrap()
}

fn wanted(visibility: Visibility) -> NewRepository {
    NewRepository {
        visibility,
        default_branch: "trunk".to_owned(),
    }
}

/// Returns the owner in the API of the host.
fn owner(kind: Kind, owner: &str) -> String {
    match kind {
        Kind::BitbucketServer if owner == FakeForge::LOGIN => format!("~{owner}"),
        Kind::BitbucketServer => owner.to_uppercase(),
        _ => owner.to_owned(),
    }
}

async fn fleet(kind: Kind, fake: &FakeForge) -> Repository {
    let owner = owner(kind, FakeForge::ORGANIZATION);
    fake.add(Repo::new(&owner, "fleet"));
    let found = client(kind, fake)
        .find(&place(kind, FakeForge::ORGANIZATION, "fleet"))
        .await;
    found.unwrap().expect("it was added")
}

#[tokio::test]
async fn repository_is_created_once_and_changed_on_request() {
    for (kind, flavour) in KINDS {
        for who in [FakeForge::ORGANIZATION, FakeForge::LOGIN] {
            let fake = FakeForge::start(flavour).await;
            let forge = client(kind, &fake);
            let at = place(kind, who, "fleet");
            let reconciled = async |visibility, changes| {
                let wanted = wanted(visibility);
                let found = reconcile::repository(&*forge, &at, &wanted, changes).await;
                found.unwrap_or_else(|error| panic!("{kind}: {error} {:?}", error.advice()))
            };
            let (made, change) = reconciled(Visibility::Private, false).await;
            assert_eq!(change, Change::Created);
            assert_eq!(made.owner, owner(kind, who));
            let there = fake.repo(&made.owner, "fleet");
            assert_eq!(there.visibility, "private");
            assert!(kind == Kind::GitHub || there.default_branch.as_deref() == Some("trunk"));

            fake.forget();
            assert_eq!(reconciled(Visibility::Private, true).await.1, Change::None);
            assert_eq!(reconciled(Visibility::Public, false).await.1, Change::None);
            assert_eq!(fake.writes(), Vec::<String>::new(), "{kind}");
            assert_eq!(
                reconciled(Visibility::Public, true).await.1,
                Change::Updated
            );
            assert_eq!(fake.writes().len(), 1, "{kind}");
            assert_eq!(fake.repo(&made.owner, "fleet").visibility, "public");
            fake.assert_no_complaints();
        }
    }
}

#[tokio::test]
async fn public_repository_of_private_gitea_org_is_public() {
    let fake = FakeForge::start(Flavour::Gitea).await;
    let mut repo = Repo::new(FakeForge::ORGANIZATION, "fleet");
    repo.visibility = "internal".to_owned();
    fake.add(repo);
    let (forge, at) = (
        client(Kind::Gitea, &fake),
        place(Kind::Gitea, FakeForge::ORGANIZATION, "fleet"),
    );
    let wanted = wanted(Visibility::Public);
    let found = reconcile::repository(&*forge, &at, &wanted, true).await;
    assert_eq!(found.unwrap().1, Change::None);
    assert_eq!(fake.writes(), Vec::<String>::new());
}

#[tokio::test]
async fn deploy_key_is_added_kept_and_replaced() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        // More than one page of other keys.
        fake.with(|state| {
            state.page = 2;
            let others = (900..905).map(|id| Key {
                id,
                title: format!("other {id}"),
                key: format!("ssh-ed25519 OTHER{id}"),
                can_push: false,
            });
            state.repositories[0].keys.extend(others);
        });
        let key = |path: &str, key: &str, is_read_only| NewDeployKey {
            title: format!("flux-system-main-flux-system-./clusters/{path}"),
            key: key.to_owned(),
            is_read_only,
        };
        for (wanted, change) in [
            (key("one", "ssh-ed25519 AAAA\n", true), Change::Created),
            (key("one", "ssh-ed25519 AAAA", true), Change::None),
            (key("one", "ssh-ed25519 BBBB", true), Change::Updated),
            (key("one", "ssh-ed25519 BBBB", false), Change::Updated),
            (key("one", "ssh-ed25519 BBBB", false), Change::None),
            // Hosts accept a key once, whatever its title.
            (key("two", "ssh-ed25519 BBBB", false), Change::None),
            // A key that pushes for another cluster keeps its permission.
            (key("two", "ssh-ed25519 BBBB", true), Change::None),
            (key("one", "ssh-ed25519 BBBB", true), Change::Updated),
            (key("two", "ssh-ed25519 BBBB", false), Change::Updated),
        ] {
            fake.forget();
            let done = reconcile::deploy_key(&*forge, &repository, &wanted).await;
            assert_eq!(done, Ok(change), "{kind} {wanted:?}");
            let writes = match change {
                Change::None => 0,
                Change::Created => 1,
                Change::Updated => 2,
            };
            assert_eq!(fake.writes().len(), writes, "{kind} {:?}", fake.writes());
        }
        let keys = fake.repo(&repository.owner, "fleet").keys;
        assert_eq!(keys.len(), 6, "{kind}: those of others stay");
        assert!(keys[5].can_push, "{kind}");
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn teams_get_missing_permissions() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let granted = async |team: &str, level, changes| {
            reconcile::team(&*forge, &repository, team, level, changes).await
        };
        let first = granted(FakeForge::TEAM, Permission::Push, false).await;
        assert_eq!(first, Ok(Change::Created), "{kind}");
        fake.forget();
        let second = granted(FakeForge::TEAM, Permission::Push, true).await;
        assert_eq!(second, Ok(Change::None), "{kind}");
        let let_alone = granted(FakeForge::TEAM, Permission::Admin, false).await;
        assert_eq!(let_alone, Ok(Change::None), "{kind}");
        assert_eq!(fake.writes(), Vec::<String>::new(), "{kind}");
        let raised = granted(FakeForge::TEAM, Permission::Admin, true).await;
        let levels = kind != Kind::Gitea;
        let change = if levels {
            Change::Updated
        } else {
            Change::None
        };
        assert_eq!(raised, Ok(change), "{kind}");
        let spelled = match kind {
            Kind::GitHub => "admin",
            Kind::GitLab => "50",
            Kind::Gitea => "write",
            Kind::BitbucketServer => "REPO_ADMIN",
        };
        let grants = fake.repo(&repository.owner, "fleet").grants;
        assert_eq!(grants[FakeForge::TEAM], spelled, "{kind}");
        assert!(granted("nobody", Permission::Push, false).await.is_err());
        fake.assert_no_complaints();
    }
    let fake = FakeForge::start(Flavour::BitbucketServer).await;
    let kind = Kind::BitbucketServer;
    let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
    let refused = forge.grant(&repository, FakeForge::TEAM, Permission::Triage);
    assert_eq!(
        refused.await.unwrap_err().to_string(),
        "give group platform access: this host has no permission triage"
    );
}

#[tokio::test]
async fn unknown_deploy_token_is_replaced() {
    let fake = FakeForge::start(Flavour::GitLab).await;
    let kind = Kind::GitLab;
    let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
    let token = async |known: Option<&str>| {
        let done = reconcile::deploy_token(&*forge, &repository, "flux", known).await;
        done.unwrap()
    };
    let first = token(None).await.expect("there was none");
    assert!(first.token.is_some());
    assert!(!format!("{first:?}").contains("canary"), "{first:?}");
    assert_eq!(token(Some(&first.username)).await, None);
    let second = token(None).await.expect("nobody knows the first one");
    let there = fake.repo(&repository.owner, "fleet").tokens;
    assert_eq!(there.len(), 1);
    assert_eq!(there[0].username, second.username);
    fake.with(|state| state.repositories[0].tokens[0].revoked = true);
    assert!(token(Some(&second.username)).await.is_some());
    fake.assert_no_complaints();

    for (kind, flavour) in KINDS.into_iter().filter(|(kind, _)| *kind != Kind::GitLab) {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let refused = forge.deploy_tokens(&repository).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused);
    }
}

#[tokio::test]
async fn pull_request_is_found_and_followed() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let wanted = NewProposal {
            from: "flux/bootstrap-1".to_owned(),
            into: "main".to_owned(),
            title: "Add Flux".to_owned(),
            text: "Below".to_owned(),
        };
        // A pull request from a fork with the same branch name is ignored.
        fake.with(|all| {
            all.page = 1;
            all.repositories[0].proposals.push(Proposal {
                number: 900,
                from: wanted.from.clone(),
                into: wanted.into.clone(),
                title: wanted.title.clone(),
                state: "open".to_owned(),
                fork: Some("somebody".to_owned()),
                ..Proposal::default()
            });
        });
        assert_eq!(
            forge.find_proposal(&repository, &wanted).await,
            Ok(None),
            "{kind}"
        );
        let made = forge.propose(&repository, &wanted).await.unwrap();
        assert_eq!(made.state, ProposalState::Open, "{kind}");
        let found = forge.find_proposal(&repository, &wanted).await;
        assert_eq!(found, Ok(Some(made.clone())), "{kind}");
        for (state, expected) in [
            ("merged", ProposalState::Merged),
            ("closed", ProposalState::Closed),
        ] {
            fake.with(|all| all.repositories[0].proposals[1].state = state.to_owned());
            let now = forge.proposal(&repository, made.number).await.unwrap();
            assert_eq!(now.state, expected, "{kind}");
            assert_eq!(forge.find_proposal(&repository, &wanted).await, Ok(None));
        }
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn pull_request_is_edited_labelled_and_closed() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let wanted = NewProposal {
            from: "images".to_owned(),
            into: "main".to_owned(),
            title: "Update".to_owned(),
            text: "Below".to_owned(),
        };
        let number = forge.propose(&repository, &wanted).await.unwrap().number;
        let edited = forge.edit_proposal(&repository, number, "New", "Text");
        assert_eq!(edited.await, Ok(()), "{kind}");
        let labels = ["images".to_owned(), "bot".to_owned()];
        let labelled = forge.label_proposal(&repository, number, &labels).await;
        let has_labels = kind != Kind::BitbucketServer;
        assert_eq!(labelled.is_ok(), has_labels, "{kind}: {labelled:?}");
        let now = forge.proposal(&repository, number).await.unwrap();
        assert_eq!((&*now.title, &*now.text), ("New", "Text"), "{kind}");
        assert_eq!(now.labels == labels, has_labels, "{kind}");
        // A foreign change between two of ours.
        fake.with(|all| all.repositories[0].proposals[0].version += 1);
        assert_eq!(forge.close_proposal(&repository, number).await, Ok(()));
        let now = forge.proposal(&repository, number).await.unwrap();
        assert_eq!(now.state, ProposalState::Closed, "{kind}");
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn auto_merge_waits_for_checks_if_there_are_any() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let wanted = |from: &str| NewProposal {
            from: from.to_owned(),
            into: "main".to_owned(),
            title: "Update".to_owned(),
            text: "Below".to_owned(),
        };
        let first = forge.propose(&repository, &wanted("a")).await.unwrap();
        let merged = forge.auto_merge_proposal(&repository, first.number, MergeMethod::Squash);
        if kind == Kind::BitbucketServer {
            assert_eq!(merged.await.unwrap_err().kind(), ErrorKind::Refused);
            continue;
        }
        assert_eq!(merged.await, Ok(()), "{kind}");
        // A second call changes nothing.
        let again = forge.auto_merge_proposal(&repository, first.number, MergeMethod::Squash);
        assert_eq!(again.await, Ok(()), "{kind}");
        let there = fake.repo(&repository.owner, "fleet").proposals;
        assert_eq!(there[0].auto_merge.as_deref(), Some("squash"), "{kind}");
        assert_eq!(there[0].state, "open", "{kind}");
        let now = forge.proposal(&repository, first.number).await.unwrap();
        assert_eq!(now.is_auto_merged, kind != Kind::Gitea, "{kind}");

        fake.with(|all| all.repositories[0].has_checks = false);
        let second = forge.propose(&repository, &wanted("b")).await.unwrap();
        let merged = forge.auto_merge_proposal(&repository, second.number, MergeMethod::Merge);
        assert_eq!(merged.await, Ok(()), "{kind}");
        let now = forge.proposal(&repository, second.number).await.unwrap();
        assert_eq!(now.state, ProposalState::Merged, "{kind}");
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn wrong_kind_of_owner_error_names_the_flag() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let forge = client(kind, &fake);
        let made = async |owner: &str, is_personal| {
            let at = Place::new(kind, owner, is_personal, "fleet").unwrap();
            let made = forge.create(&at, &wanted(Visibility::Private)).await;
            let error = made.unwrap_err();
            format!("{error}\n{}", error.advice().join("\n"))
        };
        let told = made("somebody", false).await;
        assert!(told.contains("--personal"), "{kind}: {told}");
        if kind == Kind::BitbucketServer {
            continue;
        }
        let told = made(FakeForge::ORGANIZATION, true).await;
        assert!(
            told.contains("the specified owner 'acme' doesn't match the identity associated with the given token"),
            "{kind}: {told}"
        );
        assert!(told.contains("leave --personal out"), "{kind}: {told}");
        assert!(told.contains("belongs to me"), "{kind}: {told}");
        let told = made("nobody", false).await;
        let is_missing = told.contains("there is no") || told.contains("cannot see a group");
        assert!(is_missing, "{kind}: {told}");
        assert_eq!(fake.with(|state| state.repositories.len()), 0);
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn hidden_repository_differs_from_a_missing_one() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        fleet(kind, &fake).await;
        let forge = client(kind, &fake);
        let hidden = place(kind, FakeForge::ORGANIZATION, "fleet");
        let made = forge.create(&hidden, &wanted(Visibility::Private)).await;
        let error = made.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict, "{kind}: {error:?}");
        assert!(
            error.advice()[0].contains("the token lacks the right to see it"),
            "{error:?}"
        );
        fake.assert_no_complaints();
    }
}

#[tokio::test]
async fn every_error_has_a_kind_and_no_secret() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let at = place(kind, FakeForge::ORGANIZATION, "fleet");
        let stranger = dialled(kind, &fake.url(), "another-canary", Dial::default());
        let error = stranger.find(&at).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unauthorized, "{kind}");

        let forge = client(kind, &fake);
        for (status, expected) in [
            (401, ErrorKind::Unauthorized),
            (403, ErrorKind::Forbidden),
            (409, ErrorKind::Conflict),
            (422, ErrorKind::Invalid),
            (501, ErrorKind::Server),
        ] {
            let told = format!("{{\"message\":\"no: {}\"}}", FakeForge::TOKEN);
            fake.spoil("GET ", Reply::text(status, &told));
            let error = forge.find(&at).await.unwrap_err();
            assert_eq!(error.kind(), expected, "{kind} {status}");
            let told = format!("{error} {error:?}");
            assert!(!told.contains("canary"), "{told}");
            assert!(told.contains("no: [redacted]"), "{told}");
        }
        fake.spoil("GET ", Reply::text(200, "<html>Sign in</html>"));
        let error = forge.find(&at).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unexpected, "{kind}");
        assert!(error.advice()[0].contains("--hostname"), "{error:?}");
    }
}

#[tokio::test]
async fn only_undone_writes_are_retried() {
    for (kind, flavour) in KINDS {
        let fake = FakeForge::start(flavour).await;
        let (forge, repository) = (client(kind, &fake), fleet(kind, &fake).await);
        let at = place(kind, FakeForge::ORGANIZATION, "fleet");
        fake.forget();
        for reply in [
            Reply::text(502, ""),
            Reply::text(429, "").header("retry-after", "0"),
            Reply::text(503, "").header("retry-after", "0"),
        ] {
            fake.spoil("GET ", reply);
        }
        assert_eq!(forge.find(&at).await, Ok(Some(repository.clone())));

        let key = NewDeployKey {
            title: "t".to_owned(),
            key: "ssh-ed25519 AAAA".to_owned(),
            is_read_only: true,
        };
        fake.forget();
        fake.spoil("POST ", Reply::text(502, ""));
        let failed = forge.add_deploy_key(&repository, &key).await;
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Server, "{kind}");
        assert_eq!(fake.writes().len(), 1, "{kind}: it may have been done");
        fake.spoil("POST ", Reply::text(503, "").header("retry-after", "0"));
        assert_eq!(forge.add_deploy_key(&repository, &key).await, Ok(()));
        assert_eq!(fake.writes().len(), 3, "{kind}");

        fake.forget();
        fake.spoil("GET ", Reply::text(429, "").header("retry-after", "3600"));
        let error = forge.find(&at).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::RateLimited);
        assert_eq!(error.advice(), ["try again in 3600 seconds"]);
        assert_eq!(fake.requests().len(), 1, "{kind}: nobody waits for an hour");

        // The rate limit ends at a reported time. A write was not done, so it is retried too.
        fake.forget();
        let spent = Reply::text(403, "{\"message\":\"limit exceeded\"}")
            .header("x-ratelimit-remaining", "0")
            .header("x-ratelimit-reset", "4102444800");
        fake.spoil("POST ", spent);
        let other = NewDeployKey {
            title: "u".to_owned(),
            key: "ssh-ed25519 BBBB".to_owned(),
            is_read_only: true,
        };
        let error = forge.add_deploy_key(&repository, &other).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::RateLimited);
        assert_eq!(
            error.advice(),
            ["the limit of requests is lifted at 2100-01-01T00:00:00Z"]
        );
        assert_eq!(fake.requests().len(), 1, "{kind}");
        fake.assert_no_complaints();
    }
}

/// The token goes only to the named host, whatever the response.
#[tokio::test]
async fn redirect_to_another_host_gets_no_token() {
    for (kind, flavour) in KINDS {
        let (fake, other) = (
            FakeForge::start(flavour).await,
            FakeForge::start(flavour).await,
        );
        let repository = fleet(kind, &fake).await;
        let forge = client(kind, &fake);
        let at = place(kind, FakeForge::ORGANIZATION, "fleet");
        for target in [
            format!("{}/x", other.url()),
            format!("//{}/x", other.url().trim_start_matches("http://")),
            "https://127.0.0.1/x".to_owned(),
        ] {
            for status in [301, 302, 307, 308] {
                let reply = Reply::text(status, "").header("location", &target);
                fake.spoil("GET ", reply);
                let error = forge.find(&at).await.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unexpected, "{kind} {target}");
                assert!(error.to_string().contains("another one"), "{error}");
            }
        }
        assert_eq!(other.requests(), Vec::<String>::new());

        // Reads follow redirects within the host. Writes follow only if the method stays the same.
        fake.forget();
        forge.deploy_keys(&repository).await.unwrap();
        let keys = fake.requests()[0].split_once(' ').unwrap().1.to_owned();
        let moved = |status| Reply::text(status, "").header("location", &keys);
        fake.spoil("GET ", moved(301));
        assert_eq!(forge.deploy_keys(&repository).await, Ok(Vec::new()));
        let key = NewDeployKey {
            title: "t".to_owned(),
            key: "ssh-ed25519 AAAA".to_owned(),
            is_read_only: true,
        };
        fake.spoil("POST ", moved(301));
        let error = forge.add_deploy_key(&repository, &key).await.unwrap_err();
        assert!(error.advice()[0].contains("renamed"), "{error:?}");
        fake.spoil("POST ", moved(308));
        assert_eq!(forge.add_deploy_key(&repository, &key).await, Ok(()));
    }
}

#[tokio::test]
async fn private_ca_is_trusted_only_with_its_file() {
    let fake = FakeForge::start_tls(Flavour::GitHub).await;
    let kind = Kind::GitHub;
    let at = place(kind, FakeForge::ORGANIZATION, "fleet");
    let error = client(kind, &fake).find(&at).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Certificate, "{error}");
    assert!(error.advice()[0].contains("--ca-file"), "{error:?}");

    let authority = fake.authority().unwrap().certificate();
    let dial = Dial {
        tls: Tls::with_ca(authority.as_bytes()).unwrap(),
        ..Dial::default()
    };
    let forge = dialled(kind, &fake.url(), FakeForge::TOKEN, dial);
    assert_eq!(forge.find(&at).await, Ok(None));
    fake.assert_no_complaints();
}

#[tokio::test]
async fn groups_of_gitlab_are_one_path_segment() {
    let fake = FakeForge::start(Flavour::GitLab).await;
    fake.add(Repo::new("acme/platform", "fleet"));
    let forge = client(Kind::GitLab, &fake);
    let at = Place::new(Kind::GitLab, "acme", false, "platform/fleet").unwrap();
    let found = forge.find(&at).await.unwrap().expect("it is there");
    let host = Host::parse("gitlab.example").unwrap();
    assert_eq!(
        found.https_url(Kind::GitLab, &host),
        "https://gitlab.example/acme/platform/fleet.git"
    );
    assert_eq!(
        found.ssh_url("gitlab.example"),
        "ssh://git@gitlab.example/acme/platform/fleet"
    );
    assert_eq!(
        fake.requests(),
        ["GET /api/v4/projects/acme%2Fplatform%2Ffleet"]
    );
}

#[tokio::test]
async fn unreachable_host_error_names_the_address() {
    for (kind, _) in KINDS {
        let forge = dialled(kind, "http://127.0.0.1:1", "canary", Dial::default());
        let at = place(kind, FakeForge::ORGANIZATION, "fleet");
        let error = forge.find(&at).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable);
        assert!(error.to_string().contains("127.0.0.1"), "{error}");
    }
}
