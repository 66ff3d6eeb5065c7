//! Fakes of GitHub, GitLab, Gitea and Bitbucket Server: the parts of their APIs that `bootstrap`
//! uses, and real repositories that Git serves over HTTP.
//!
//! A fake is strict. It records a complaint about a request with an unknown path, an extra field or
//! a missing header. [`FakeForge::assert_no_complaints`] fails on the first one. The answers
//! follow the published API descriptions, and for Gitea a real server
//! (`crates/remotes/forge/tests/gitea.rs`). Links to further pages lead nowhere, because clients
//! count pages instead.
//!
//! Start at [`FakeForge::start`]; each host's routes are in a file of its own. This file is long
//! because the hosts share the state and the checks.

mod bitbucket;
mod door;
mod gitea;
mod github;
mod gitlab;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use sluice_devcluster::authority::Authority;
use sluice_git::serve::Repository;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::git_backend::{self, ServedRepository};

pub use door::Door;

/// The host that a fake imitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// GitHub Enterprise.
    GitHub,
    /// GitLab.
    GitLab,
    /// Gitea or Forgejo.
    Gitea,
    /// Bitbucket Server.
    BitbucketServer,
}

/// The state of a host.
#[derive(Debug, Clone)]
pub struct State {
    /// Login of the token's owner.
    pub login: String,
    /// Other users.
    pub users: Vec<String>,
    /// Organizations, groups or projects.
    pub organizations: Vec<String>,
    /// Teams or groups that can receive rights.
    pub teams: Vec<String>,
    /// Its repositories.
    pub repositories: Vec<Repo>,
    /// The maximum page size.
    pub page: usize,
    next: u64,
}

/// A repository.
#[derive(Debug, Clone)]
pub struct Repo {
    /// Owner: a name, a path of groups, the key of a project or `~user`.
    pub owner: String,
    /// Name of the repository.
    pub name: String,
    /// `public`, `internal` or `private`.
    pub visibility: String,
    /// Whether it is archived, and so read-only.
    pub archived: bool,
    /// The branch of its `HEAD`, as requested.
    pub default_branch: Option<String>,
    /// Its deploy keys.
    pub keys: Vec<Key>,
    /// Its deploy tokens.
    pub tokens: Vec<Token>,
    /// Rights of teams, as the host spells them.
    pub grants: BTreeMap<String, String>,
    /// Its pull requests.
    pub proposals: Vec<Proposal>,
    /// Names of the labels that pull requests can have.
    pub labels: Vec<String>,
    /// Whether pull requests have checks that are not done.
    pub has_checks: bool,
}

impl Repo {
    /// Creates a private repository that existed before the test.
    pub fn new(owner: &str, name: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
            visibility: "private".to_owned(),
            archived: false,
            default_branch: None,
            keys: Vec::new(),
            tokens: Vec::new(),
            grants: BTreeMap::new(),
            proposals: Vec::new(),
            labels: Vec::new(),
            has_checks: true,
        }
    }

    /// Removes the key whose number the path contains.
    fn remove_key(&mut self, id: &str) -> Option<Key> {
        let mut keys = self.keys.iter();
        let at = keys.position(|key| key.id.to_string() == id)?;
        Some(self.keys.remove(at))
    }

    /// Returns the pull request whose number the path contains.
    fn proposal(&mut self, number: &str) -> Option<&mut Proposal> {
        let mut all = self.proposals.iter_mut();
        all.find(|one| one.number.to_string() == number)
    }
}

/// A deploy key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The identifier.
    pub id: u64,
    /// The title.
    pub title: String,
    /// The public key as the host stores it: most drop the comment.
    pub key: String,
    /// Whether it may push.
    pub can_push: bool,
}

/// A deploy token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The identifier.
    pub id: u64,
    /// The title.
    pub name: String,
    /// User name for Git.
    pub username: String,
    /// The secret. The API returns it only once.
    pub token: String,
    /// Whether it is revoked.
    pub revoked: bool,
}

/// A pull or merge request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Its number.
    pub number: u64,
    /// The branch with the change.
    pub from: String,
    /// The branch to change.
    pub into: String,
    /// The title.
    pub title: String,
    /// The description.
    pub text: String,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// The method of its automatic merge.
    pub auto_merge: Option<String>,
    /// Number of changes.
    pub version: u64,
    /// `open`, `merged` or `closed`.
    pub state: String,
    /// Owner of the fork that has the branch, if it is not the repository itself.
    pub fork: Option<String>,
}

impl State {
    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn repo(&mut self, owner: &str, name: &str) -> Option<&mut Repo> {
        let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let mut all = self.repositories.iter_mut();
        all.find(|repo| same(&repo.owner, owner) && same(&repo.name, name))
    }

    fn is_user(&self, name: &str) -> bool {
        self.login == name || self.users.iter().any(|user| user == name)
    }

    fn is_organization(&self, name: &str) -> bool {
        self.organizations.iter().any(|one| one == name)
    }

    fn is_team(&self, name: &str) -> bool {
        self.teams.iter().any(|team| team == name)
    }
}

/// A required field of a body, and its expected value.
type Field = (&'static str, fn(&Value) -> bool);

/// A request as the routes read it.
#[derive(Debug)]
struct ForgeRequest {
    method: String,
    /// The decoded parts of the path after the base of the API.
    path: Vec<String>,
    query: BTreeMap<String, String>,
    headers: HeaderMap,
    body: Value,
}

impl ForgeRequest {
    fn route(&self) -> (&str, Vec<&str>) {
        (
            self.method.as_str(),
            self.path.iter().map(String::as_str).collect(),
        )
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }

    /// Returns a text field of the body.
    fn text(&self, name: &str) -> String {
        self.body[name].as_str().unwrap_or_default().to_owned()
    }

    /// Reads a new pull request from a body in the form of GitHub or Gitea.
    fn pull(&self, number: u64) -> Result<Proposal, Reply> {
        self.has(&[
            ("title", Value::is_string),
            ("head", Value::is_string),
            ("base", Value::is_string),
            ("body", Value::is_string),
        ])?;
        Ok(Proposal {
            number,
            from: self.text("head"),
            into: self.text("base"),
            title: self.text("title"),
            text: self.text("body"),
            state: "open".to_owned(),
            ..Proposal::default()
        })
    }

    /// Changes a pull request by a body in the form of GitHub or Gitea.
    fn change_pull(&self, pull: &mut Proposal) -> Result<(), Reply> {
        pull.version += 1;
        if self.body.get("state").is_some() {
            self.has(&[("state", |value| *value == json!("closed"))])?;
            "closed".clone_into(&mut pull.state);
            return Ok(());
        }
        self.has(&[("title", Value::is_string), ("body", Value::is_string)])?;
        pull.title = self.text("title");
        pull.text = self.text("body");
        Ok(())
    }

    /// Rejects a body that does not have exactly these fields.
    fn has(&self, fields: &[Field]) -> Result<(), Reply> {
        let there = self.body.as_object().cloned().unwrap_or_default();
        let strange = |what: String| Err(Reply::complaint(what));
        for name in there.keys() {
            if !fields.iter().any(|(known, _)| known == name) {
                return strange(format!("field {name} in {}", self.body));
            }
        }
        for (name, is_right) in fields {
            if !there.get(*name).is_some_and(is_right) {
                return strange(format!("field {name} is wrong in {}", self.body));
            }
        }
        Ok(())
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    complaint: Option<String>,
}

impl Reply {
    /// An answer with a body of JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, &body.to_string())
    }

    /// An answer with any body.
    pub fn text(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.to_owned(),
            complaint: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn empty(status: u16) -> Self {
        Self::text(status, "")
    }

    fn complaint(what: impl Into<String>) -> Self {
        let mut reply = Self::empty(400);
        reply.complaint = Some(what.into());
        reply
    }
}

/// Returns a page of a list, with a header that links the next page.
fn page(all: &[Value], seen: &ForgeRequest, size: &str, most: usize) -> Reply {
    let number = |name: &str| seen.query.get(name).and_then(|text| text.parse().ok());
    let (Some(asked), Some(page)) = (number(size), number("page")) else {
        return Reply::complaint(format!("a list without {size} and page"));
    };
    let size: usize = most.min(asked);
    let from = (page - 1) * size;
    let here: Vec<&Value> = all.iter().skip(from).take(size).collect();
    let reply = Reply::json(200, &json!(here));
    if all.len() > from + size {
        let next = "<http://127.0.0.1:1/elsewhere?page=2>; rel=\"next\"";
        return reply.header("link", next);
    }
    reply
}

#[derive(Debug)]
struct Shared {
    flavour: Flavour,
    root: tempfile::TempDir,
    served: ServedRepository,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: State,
    log: Vec<String>,
    complaints: Vec<String>,
    spoiled: Vec<(String, Reply)>,
}

/// A running host; dropping it stops it and removes its repositories.
#[derive(Debug)]
pub struct FakeForge {
    shared: Arc<Shared>,
    address: SocketAddr,
    authority: Option<Authority>,
    task: JoinHandle<()>,
}

impl FakeForge {
    /// The token that every request must carry.
    pub const TOKEN: &str = "canary-of-the-token";
    /// Owner of the token.
    pub const LOGIN: &str = "me";
    /// An existing organization, group or project.
    pub const ORGANIZATION: &str = "acme";
    /// An existing team or group.
    pub const TEAM: &str = "platform";

    /// Starts an empty host over HTTP.
    pub async fn start(flavour: Flavour) -> Self {
        Self::start_with(flavour, false).await
    }

    /// Starts an empty host over HTTPS, with a certificate of [`FakeForge::authority`].
    pub async fn start_tls(flavour: Flavour) -> Self {
        Self::start_with(flavour, true).await
    }

    async fn start_with(flavour: Flavour, is_tls: bool) -> Self {
        rustls::crypto::aws_lc_rs::default_provider()
            .install_default()
            .ok();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let root = tempfile::tempdir().unwrap();
        let state = State {
            login: Self::LOGIN.to_owned(),
            users: vec!["somebody".to_owned()],
            organizations: vec![Self::ORGANIZATION.to_owned()],
            teams: vec![Self::TEAM.to_owned()],
            repositories: Vec::new(),
            page: 100,
            next: 0,
        };
        let shared = Arc::new(Shared {
            flavour,
            served: ServedRepository::open(root.path().to_owned()),
            root,
            inner: Mutex::new(Inner {
                state,
                log: Vec::new(),
                complaints: Vec::new(),
                spoiled: Vec::new(),
            }),
        });
        let authority = is_tls.then(|| Authority::new("git host").unwrap());
        let acceptor = authority
            .as_ref()
            .map(|authority| git_backend::acceptor(authority, &["localhost"], address, false));
        let for_task = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, shared) = (acceptor.clone(), Arc::clone(&for_task));
                tokio::spawn(async move {
                    match acceptor {
                        None => serve(stream, shared).await,
                        Some(acceptor) => {
                            if let Ok(stream) = acceptor.accept(stream).await {
                                serve(stream, shared).await;
                            }
                        }
                    }
                });
            }
        });
        Self {
            shared,
            address,
            authority,
            task,
        }
    }

    /// Its address, with scheme and port.
    pub fn url(&self) -> String {
        let scheme = if self.authority.is_some() {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}", self.address)
    }

    /// The authority of its certificate, over HTTPS.
    pub fn authority(&self) -> Option<&Authority> {
        self.authority.as_ref()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.shared.lock()
    }

    /// Reads or changes the state directly, without a request.
    pub fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.inner().state)
    }

    /// Returns the current state of a repository.
    pub fn repo(&self, owner: &str, name: &str) -> Repo {
        self.with(|state| state.repo(owner, name).cloned())
            .unwrap_or_else(|| panic!("repository {owner}/{name} does not exist"))
    }

    /// Adds a repository that existed before the test, with its Git side.
    pub fn add(&self, repo: Repo) -> Repository {
        let git = self.shared.init(&repo);
        self.inner().state.repositories.push(repo);
        git
    }

    /// Returns the Git side of a repository.
    pub fn git(&self, owner: &str, name: &str) -> Repository {
        let path = self.shared.root.path().join(self.shared.path(owner, name));
        Repository::open(&path).unwrap_or_else(|error| panic!("open {owner}/{name}: {error}"))
    }

    /// Merges the open pull requests of a repository, as another user.
    pub fn merge(&self, owner: &str, name: &str) {
        let git = self.git(owner, name);
        let mut inner = self.inner();
        let repo = inner.state.repo(owner, name).expect("it has a Git side");
        let open = repo.proposals.iter_mut().filter(|one| one.state == "open");
        for proposal in open {
            let head = git.head(&proposal.from).unwrap();
            let head = head.unwrap_or_else(|| panic!("branch {} does not exist", proposal.from));
            let reference = git.path().join("refs/heads").join(&proposal.into);
            sluice_system::fs::write(reference, format!("{head}\n")).unwrap();
            "merged".clone_into(&mut proposal.state);
        }
    }

    /// Answers the next request that begins like this (`GET /api/v3/user`) with the reply.
    pub fn spoil(&self, request: &str, reply: Reply) {
        self.inner().spoiled.push((request.to_owned(), reply));
    }

    /// Every request to the API so far: method, path and query.
    pub fn requests(&self) -> Vec<String> {
        self.inner().log.clone()
    }

    /// Requests that change something.
    pub fn writes(&self) -> Vec<String> {
        let mut log = self.requests();
        log.retain(|line| !line.starts_with("GET "));
        log
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        self.inner().log.clear();
    }

    /// Fails if the real host would not accept a request.
    pub fn assert_no_complaints(&self) {
        let complaints = self.inner().complaints.clone();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

impl Drop for FakeForge {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the path of a repository below the root and in URLs.
    fn path(&self, owner: &str, name: &str) -> String {
        match self.flavour {
            Flavour::BitbucketServer => format!("scm/{owner}/{name}.git"),
            _ => format!("{owner}/{name}.git"),
        }
    }

    fn init(&self, repo: &Repo) -> Repository {
        let path = self.path(&repo.owner, &repo.name);
        let parent = self.root.path().join(&path);
        if let Some(parent) = parent.parent() {
            sluice_system::fs::create_dir_all(parent).unwrap();
        }
        git_backend::create(self.root.path(), &path, "main")
    }

    fn base(&self) -> &'static str {
        match self.flavour {
            Flavour::GitHub => "/api/v3/",
            Flavour::GitLab => "/api/v4/",
            Flavour::Gitea => "/api/v1/",
            Flavour::BitbucketServer => "/rest/",
        }
    }

    fn scheme(&self) -> &'static str {
        match self.flavour {
            Flavour::Gitea => "token",
            _ => "Bearer",
        }
    }

    /// Whether Git may access the repository: with the user's token or a deploy token.
    fn admits(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION);
        let given = given.and_then(|value| value.to_str().ok()?.strip_prefix("Basic "));
        let given = given.and_then(|given| STANDARD.decode(given).ok());
        let Some(pair) = given.and_then(|pair| String::from_utf8(pair).ok()) else {
            return false;
        };
        let Some((user, password)) = pair.split_once(':') else {
            return false;
        };
        let inner = self.lock();
        let mut repos = inner.state.repositories.iter();
        password == FakeForge::TOKEN
            || repos.any(|repo| {
                let mut tokens = repo.tokens.iter();
                tokens.any(|one| one.username == user && one.token == password && !one.revoked)
            })
    }

    fn answer(&self, seen: &ForgeRequest) -> Reply {
        let mut inner = self.lock();
        let before = inner.state.repositories.len();
        let routes = match self.flavour {
            Flavour::GitHub => github::answer,
            Flavour::GitLab => gitlab::answer,
            Flavour::Gitea => gitea::answer,
            Flavour::BitbucketServer => bitbucket::answer,
        };
        let reply = routes(&mut inner.state, seen).unwrap_or_else(|reply| reply);
        for made in &inner.state.repositories[before..] {
            self.init(made);
        }
        if let Some(complaint) = &reply.complaint {
            let line = format!("{} {}: {complaint}", seen.method, seen.path.join("/"));
            inner.complaints.push(line);
        }
        reply
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, shared: Arc<Shared>) {
    let router = axum::Router::new().fallback(move |request: Request| {
        let shared = Arc::clone(&shared);
        async move { handle(request, &shared).await }
    });
    // Clients may disconnect at any time.
    auto::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .await
        .ok();
}

async fn handle(request: Request, shared: &Shared) -> Response<Body> {
    let path = request.uri().path();
    // GraphQL of GitHub Enterprise is beside the API.
    let is_graph = shared.flavour == Flavour::GitHub && path == "/api/graphql";
    let below = path.strip_prefix(if is_graph { "/api/" } else { shared.base() });
    let Some(path) = below else {
        if shared.admits(request.headers()) {
            return git_backend::answer(request, &shared.served).await;
        }
        let mut refused = Response::new(Body::from("authentication required\n"));
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        let realm = HeaderValue::from_static("Basic realm=\"git\"");
        refused
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, realm);
        return refused;
    };
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let path: Vec<String> = path.split('/').map(decode).collect();
    let pairs = request.uri().query().unwrap_or_default().split('&');
    let pairs = pairs.filter_map(|pair| pair.split_once('='));
    let query = pairs.map(|(name, value)| (decode(name), decode(&value.replace('+', " "))));
    let query = query.collect();
    let line = format!("{} {}", request.method(), request.uri());
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap_or_default();
    let seen = ForgeRequest {
        method: head.method.to_string(),
        path,
        query,
        headers: head.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    let spoiled = {
        let mut inner = shared.lock();
        inner.log.push(line.clone());
        let at = inner
            .spoiled
            .iter()
            .position(|(begin, _)| line.starts_with(begin));
        at.map(|at| inner.spoiled.remove(at).1)
    };
    let expected = format!("{} {}", shared.scheme(), FakeForge::TOKEN);
    let reply = match spoiled {
        Some(reply) => reply,
        None if seen.header("authorization") != expected => {
            let message = match shared.flavour {
                Flavour::Gitea => "invalid username, password or token",
                _ => "Bad credentials",
            };
            Reply::json(401, &json!({ "message": message }))
        }
        None => shared.answer(&seen),
    };
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap();
    for (name, value) in &reply.headers {
        let name: HeaderName = name.parse().unwrap();
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
