//! Talks to remotes: lists and resolves references, fetches and pushes packs.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sluice_dial::HttpClients;
use tokio::time::Instant;

use crate::address::AddressParts;
use crate::draft::PackedCommit;
use crate::error::{Error, ErrorKind, Result};
use crate::id::ObjectId;
use crate::protocol::Service;
use crate::protocol::advertisement::Advertisement;
use crate::protocol::command::Fetch;
use crate::push::{self, ExpectedTip, Push};
use crate::reference::{self, Reference, Refs, ResolvedReference};
use crate::remote::Remote;
use crate::session::{self, IncomingPack, Session, Transport};
use crate::transport::ssh::{self, SshAlgorithms};
use crate::transport::{Deadline, PacketStream, http};

/// How long the capabilities of a server are cached.
const ENDPOINT_TTL: Duration = Duration::from_mins(10);
/// Maximum number of cached servers.
const MAX_ENDPOINTS: usize = 4096;

/// A client for remotes. It caches the capabilities of HTTP servers, so that a poll is a single
/// request, and SSH connections. It is cheap to clone. Share one per process.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    http: Arc<HttpClients>,
    endpoints: Mutex<HashMap<String, CachedEndpoint>>,
    ssh: ssh::Connections,
}

/// A server with protocol version 2, as of its first response.
#[derive(Clone)]
struct CachedEndpoint {
    endpoint: http::Endpoint,
    advertisement: Advertisement,
    since: Instant,
}

/// Whether a session may use the cached capabilities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndpointCache {
    Use,
    Bypass,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// Creates a client. `http` provides the HTTP connections.
    pub fn new(http: Arc<HttpClients>) -> Self {
        Self {
            shared: Arc::new(Shared {
                http,
                endpoints: Mutex::default(),
                ssh: ssh::Connections::new(SshAlgorithms::default()),
            }),
        }
    }

    /// Sets the SSH algorithms. Call it before the first use.
    #[must_use]
    pub fn with_ssh_algorithms(self, algorithms: SshAlgorithms) -> Self {
        Self {
            shared: Arc::new(Shared {
                http: Arc::clone(&self.shared.http),
                endpoints: Mutex::default(),
                ssh: ssh::Connections::new(algorithms),
            }),
        }
    }

    /// Lists the references with one of the prefixes, or all without prefixes. A repository without
    /// commits has none.
    pub async fn ls_refs(&self, remote: &Remote, prefixes: &[String]) -> Result<Refs> {
        let deadline = deadline(remote);
        let (session, is_cached) = self.open(remote, &deadline, EndpointCache::Use).await?;
        match session.ls_refs(prefixes).await {
            // The server may have changed. Retry once without the cache.
            Err(error) if is_cached && may_have_changed(&error) => {
                let (session, _) = self.open(remote, &deadline, EndpointCache::Bypass).await?;
                session.ls_refs(prefixes).await
            }
            other => other,
        }
    }

    /// Resolves a reference to a commit.
    ///
    /// This lists one reference. A commit without a branch needs no request. For a commit with a
    /// branch, the server is asked whether the branch contains it.
    pub async fn resolve(
        &self,
        remote: &Remote,
        reference: &Reference,
    ) -> Result<ResolvedReference> {
        reference.validate()?;
        remote.check()?;
        if let Reference::Semver(range) = reference {
            let tags = [reference::TAGS.to_owned()];
            let refs = self.ls_refs(remote, &tags).await?;
            if refs.0.is_empty() {
                return Err(
                    match self.why_missing(remote, reference::TAGS.to_owned()).await {
                        Error::ReferenceNotFound { .. } => Error::NoVersion {
                            range: range.clone(),
                        },
                        other => other,
                    },
                );
            }
            return reference::highest(range, &refs);
        }
        let (Some(name), label) = (reference.full_name(), reference.label()) else {
            let Reference::Commit { id, .. } = reference else {
                unreachable!("only commits and ranges have no full name");
            };
            let label = reference.label().map(str::to_owned);
            return Ok(ResolvedReference {
                label,
                want: *id,
                commit: *id,
                ties: Vec::new(),
            });
        };
        let refs = self.ls_refs(remote, std::slice::from_ref(&name)).await?;
        let (Some(found), Some(resolved)) = (refs.find(&name), reference.select(&refs)) else {
            return Err(self.why_missing(remote, name).await);
        };
        if let Reference::Commit {
            id,
            branch: Some(branch),
            ..
        } = reference
        {
            let tip = found.commit();
            if tip != *id && !self.is_ancestor(remote, tip, *id).await? {
                return Err(Error::NotOnBranch {
                    commit: id.to_string(),
                    branch: label.unwrap_or(branch).to_owned(),
                    remote: remote.address.to_string(),
                });
            }
        }
        Ok(resolved)
    }

    /// Resolves a name like `git fetch` does: a full commit ID, or a reference by a full or short
    /// name.
    pub async fn resolve_short(&self, remote: &Remote, name: &str) -> Result<ResolvedReference> {
        if let Ok(id) = name.parse() {
            let commit = Reference::Commit {
                id,
                branch: None,
                name: None,
            };
            return self.resolve(remote, &commit).await;
        }
        Reference::Name(name.to_owned()).validate()?;
        let refs = self.ls_refs(remote, &reference::full_names(name)).await?;
        match refs.find_short(name) {
            Some(found) => Ok(ResolvedReference {
                label: Some(found.name.clone()),
                want: found.target,
                commit: found.commit(),
                ties: Vec::new(),
            }),
            None => Err(self.why_missing(remote, name.to_owned()).await),
        }
    }

    /// Distinguishes an empty repository from a missing reference.
    async fn why_missing(&self, remote: &Remote, reference: String) -> Error {
        let everything = ["HEAD", "refs/heads/", "refs/tags/"].map(str::to_owned);
        let remote_name = remote.address.to_string();
        match self.ls_refs(remote, &everything).await {
            Ok(refs) if refs.0.is_empty() => Error::EmptyRepository {
                remote: remote_name,
            },
            Ok(_) => Error::ReferenceNotFound {
                reference,
                remote: remote_name,
            },
            Err(error) => error,
        }
    }

    /// Whether `commit` is an ancestor of `tip`. Both are at the server.
    pub async fn is_ancestor(
        &self,
        remote: &Remote,
        tip: ObjectId,
        commit: ObjectId,
    ) -> Result<bool> {
        let deadline = deadline(remote);
        let (session, _) = self.open(remote, &deadline, EndpointCache::Use).await?;
        session.check_ancestor(tip, commit).await
    }

    /// Requests a pack.
    pub(crate) async fn fetch(&self, remote: &Remote, request: &Fetch) -> Result<IncomingPack> {
        remote.check()?;
        let (session, _) = self
            .open(remote, &deadline(remote), EndpointCache::Use)
            .await?;
        session.fetch(request).await
    }

    /// Pushes a commit to an existing branch.
    ///
    /// If the branch is not at the parent of the commit, nothing is sent and the result is
    /// [`Error::Moved`]. The caller then fetches again.
    pub async fn push(&self, remote: &Remote, branch: &str, commit: &PackedCommit) -> Result<()> {
        let push = Push {
            reference: format!("refs/heads/{branch}"),
            expected: ExpectedTip::At(commit.parent),
            options: Vec::new(),
        };
        self.push_reference(remote, &push, commit).await
    }

    /// Creates a branch at a commit. If the branch exists, it is not changed and the result is
    /// [`Error::Moved`].
    pub async fn push_new(
        &self,
        remote: &Remote,
        branch: &str,
        commit: &PackedCommit,
    ) -> Result<()> {
        let push = Push {
            reference: format!("refs/heads/{branch}"),
            expected: ExpectedTip::At(None),
            options: Vec::new(),
        };
        self.push_reference(remote, &push, commit).await
    }

    /// Pushes a commit to any reference. If the reference is not as expected, nothing is sent and
    /// the result is [`Error::Moved`].
    pub async fn push_reference(
        &self,
        remote: &Remote,
        push: &Push,
        commit: &PackedCommit,
    ) -> Result<()> {
        remote.check()?;
        let deadline = deadline(remote);
        let service = Service::ReceivePack;
        let (transport, advertisement) = self.connect(remote, service, &deadline).await?;
        let (command, report) = push::command(&advertisement, push, commit, &deadline)?;
        // An SSH channel must stay open until the report is read.
        let (answer, _channel) = match transport {
            Transport::Http(connection) => {
                let answer = connection.send_command(service, command, false, &deadline);
                (answer.await?, None)
            }
            Transport::Ssh(channel, packets) => {
                channel.send_command(command, &deadline).await?;
                (packets, Some(channel))
            }
        };
        push::read_report(answer, report, push::short(&push.reference), &deadline).await
    }

    fn http(&self, remote: &Remote) -> Result<sluice_dial::Client> {
        let client = self.shared.http.get(&remote.dial_without_redirects());
        client.map_err(|error| Error::InvalidCredentials {
            remote: remote.address.to_string(),
            reason: error.to_string(),
        })
    }

    /// Opens a session, and returns whether it uses the cache.
    async fn open(
        &self,
        remote: &Remote,
        deadline: &Deadline,
        cache: EndpointCache,
    ) -> Result<(Session, bool)> {
        remote.check()?;
        let key = remote.connection_key();
        if cache == EndpointCache::Use
            && matches!(remote.address.parts, AddressParts::Http { .. })
            && let Some(known) = self.cached_endpoint(&key)
        {
            let connection = http::Connection {
                client: self.http(remote)?,
                endpoint: known.endpoint,
            };
            let session = Session {
                transport: Transport::Http(connection),
                advertisement: known.advertisement,
                deadline: deadline.clone(),
            };
            return Ok((session, true));
        }
        let (transport, advertisement) =
            self.connect(remote, Service::UploadPack, deadline).await?;
        if let Transport::Http(connection) = &transport {
            self.cache_endpoint(key, &connection.endpoint, &advertisement);
        }
        let session = Session {
            transport,
            advertisement,
            deadline: deadline.clone(),
        };
        Ok((session, false))
    }

    /// Connects to a service of a remote, and reads its advertisement.
    async fn connect(
        &self,
        remote: &Remote,
        service: Service,
        deadline: &Deadline,
    ) -> Result<(Transport, Advertisement)> {
        match &remote.address.parts {
            AddressParts::Http { base, .. } => {
                let client = self.http(remote)?;
                let credentials = remote.http_credentials();
                let discovery =
                    http::Connection::discover(client, service, base, credentials, deadline);
                let (connection, mut packets) = Box::pin(discovery).await?;
                let advertisement = session::advertisement(service, &mut packets, deadline).await?;
                Ok((Transport::Http(connection), advertisement))
            }
            AddressParts::Ssh {
                user,
                host,
                port,
                path,
            } => {
                let target = ssh::Target {
                    user: user.as_deref(),
                    host,
                    port: *port,
                    path,
                };
                let (channel, mut packets) =
                    self.connect_ssh(remote, target, service, deadline).await?;
                let advertisement = session::advertisement(service, &mut packets, deadline).await?;
                Ok((Transport::Ssh(channel, packets), advertisement))
            }
        }
    }

    /// Connects over SSH.
    async fn connect_ssh(
        &self,
        remote: &Remote,
        target: ssh::Target<'_>,
        service: Service,
        deadline: &Deadline,
    ) -> Result<(ssh::CommandChannel, PacketStream)> {
        let Some(identity) = remote.access.ssh_access() else {
            unreachable!("Remote::check requires SSH access for an SSH address");
        };
        let route = ssh::Route {
            target,
            proxy: remote.dial.proxy.as_ref(),
            identity,
        };
        let (key, ssh) = (remote.connection_key(), &self.shared.ssh);
        // The future of a handshake is large.
        Box::pin(ssh.run_service(key, route, service, deadline)).await
    }

    fn cached_endpoint(&self, key: &str) -> Option<CachedEndpoint> {
        // Entries are inserted whole, so a poisoned lock is harmless.
        let endpoints = self
            .shared
            .endpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        endpoints
            .get(key)
            .filter(|known| known.since.elapsed() < ENDPOINT_TTL)
            .cloned()
    }

    fn cache_endpoint(
        &self,
        key: String,
        endpoint: &http::Endpoint,
        advertisement: &Advertisement,
    ) {
        let mut endpoints = self
            .shared
            .endpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Versions 0 and 1 advertise all references, so they cannot be cached.
        if matches!(advertisement, Advertisement::V0 { .. }) {
            endpoints.remove(&key);
            return;
        }
        if endpoints.len() >= MAX_ENDPOINTS {
            endpoints.retain(|_, known| known.since.elapsed() < ENDPOINT_TTL);
        }
        if endpoints.len() < MAX_ENDPOINTS {
            let known = CachedEndpoint {
                endpoint: endpoint.clone(),
                advertisement: advertisement.clone(),
                since: Instant::now(),
            };
            endpoints.insert(key, known);
        }
    }
}

fn deadline(remote: &Remote) -> Deadline {
    Deadline::new(remote.address.to_string(), remote.timeout)
}

/// Whether the server may have moved or changed its version.
fn may_have_changed(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Protocol | ErrorKind::NotFound | ErrorKind::Authentication
    )
}
