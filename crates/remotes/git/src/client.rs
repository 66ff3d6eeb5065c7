//! Asking remotes: which references they have, what one of them means, and packs.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sluice_dial::HttpClients;
use tokio::time::Instant;

use crate::address::Place;
use crate::draft::Drafted;
use crate::error::{Error, ErrorKind, Result};
use crate::id::ObjectId;
use crate::protocol::Service;
use crate::protocol::advertisement::Advertisement;
use crate::protocol::command::Fetch;
use crate::push;
use crate::reference::{self, Reference, Refs, Resolved};
use crate::remote::Remote;
use crate::session::{self, Incoming, Session, Transport};
use crate::transport::ssh::{self, SshAlgorithms};
use crate::transport::{Deadline, Packets, http};

/// How long a server is believed to be what it said it is.
const ENDPOINT_LIFE: Duration = Duration::from_mins(10);
/// Servers remembered at most.
const MAX_ENDPOINTS: usize = 4096;

/// Speaks to remotes, and remembers what makes the next conversation cheaper:
/// over HTTP(S) what a server can do, so that a poll is a single request, and over
/// SSH the connection. Cheap
/// to clone; share one per process.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    http: Arc<HttpClients>,
    endpoints: Mutex<HashMap<String, Known>>,
    ssh: ssh::Connections,
}

/// A server that speaks version 2, as it was when it was first asked.
#[derive(Clone)]
struct Known {
    endpoint: http::Endpoint,
    advertisement: Advertisement,
    since: Instant,
}

/// May a conversation begin with what is remembered of the server?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Use,
    Ignore,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// A client whose HTTP connections come from `http`.
    pub fn new(http: Arc<HttpClients>) -> Self {
        Self {
            shared: Arc::new(Shared {
                http,
                endpoints: Mutex::default(),
                ssh: ssh::Connections::new(SshAlgorithms::default()),
            }),
        }
    }

    /// The same client with SSH algorithms of the user's choice, before its first use.
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

    /// Lists the references of a remote whose full names begin with one of the
    /// prefixes, or all of them when there is none. A repository without commits
    /// has none.
    pub async fn ls_refs(&self, remote: &Remote, prefixes: &[String]) -> Result<Refs> {
        let deadline = deadline(remote);
        let (session, remembered) = self.open(remote, &deadline, Memory::Use).await?;
        match session.ls_refs(prefixes).await {
            // The server is no longer what it was: ask it anew, once.
            Err(error) if remembered && may_have_changed(&error) => {
                let (session, _) = self.open(remote, &deadline, Memory::Ignore).await?;
                session.ls_refs(prefixes).await
            }
            other => other,
        }
    }

    /// Finds out which commit a reference means now.
    ///
    /// Costs one listing of one reference. A commit without a branch costs
    /// nothing; one with a branch also asks whether the branch holds it.
    pub async fn resolve(&self, remote: &Remote, reference: &Reference) -> Result<Resolved> {
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
                unreachable!("every reference but a commit and a range has a full name");
            };
            let label = reference.label().map(str::to_owned);
            return Ok(Resolved {
                label,
                want: *id,
                commit: *id,
                rivals: Vec::new(),
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

    /// Finds out which commit a name means to `git fetch`: a commit by all its
    /// digits, or a reference by a name that may be short.
    pub async fn resolve_short(&self, remote: &Remote, name: &str) -> Result<Resolved> {
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
            Some(found) => Ok(Resolved {
                label: Some(found.name.clone()),
                want: found.target,
                commit: found.commit(),
                rivals: Vec::new(),
            }),
            None => Err(self.why_missing(remote, name.to_owned()).await),
        }
    }

    /// Tells an empty repository from one without that reference.
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

    /// Is `commit` in the history of `tip`?
    async fn is_ancestor(&self, remote: &Remote, tip: ObjectId, commit: ObjectId) -> Result<bool> {
        let deadline = deadline(remote);
        let (session, _) = self.open(remote, &deadline, Memory::Use).await?;
        session.knows_ancestor(tip, commit).await
    }

    /// Asks for a pack.
    pub(crate) async fn fetch(&self, remote: &Remote, request: &Fetch) -> Result<Incoming> {
        remote.check()?;
        let (session, _) = self.open(remote, &deadline(remote), Memory::Use).await?;
        session.fetch(request).await
    }

    /// Moves a branch of a remote to a commit that it does not have yet.
    ///
    /// Nothing is sent unless the branch is where the commit builds on: one that has moved
    /// meanwhile is [`Error::Moved`], and whoever pushes looks again.
    pub async fn push(&self, remote: &Remote, branch: &str, drafted: &Drafted) -> Result<()> {
        self.push_at(remote, branch, drafted, drafted.parent).await
    }

    /// Makes a branch of a remote, at a commit that it does not have yet. A branch of that name
    /// which is there already stays as it is, and is [`Error::Moved`].
    pub async fn push_new(&self, remote: &Remote, branch: &str, drafted: &Drafted) -> Result<()> {
        self.push_at(remote, branch, drafted, None).await
    }

    async fn push_at(
        &self,
        remote: &Remote,
        branch: &str,
        drafted: &Drafted,
        expected: Option<ObjectId>,
    ) -> Result<()> {
        remote.check()?;
        let deadline = deadline(remote);
        let service = Service::ReceivePack;
        let (transport, said) = self.greet(remote, service, &deadline).await?;
        let (command, report) = push::command(&said, branch, drafted, expected, &deadline)?;
        // Over SSH the conversation has to last until the report is read.
        let (answer, _conversation) = match transport {
            Transport::Http(connection) => {
                let answer = connection.ask(service, command, false, &deadline);
                (answer.await?, None)
            }
            Transport::Ssh(conversation, packets) => {
                conversation.ask(command, &deadline).await?;
                (packets, Some(conversation))
            }
        };
        push::conclude(answer, report, branch, &deadline).await
    }

    fn http(&self, remote: &Remote) -> Result<reqwest::Client> {
        let client = self.shared.http.get(&remote.dial_without_redirects());
        client.map_err(|error| Error::InvalidCredentials {
            remote: remote.address.to_string(),
            reason: error.to_string(),
        })
    }

    /// Begins a conversation; says whether it rests on what was remembered.
    async fn open(
        &self,
        remote: &Remote,
        deadline: &Deadline,
        memory: Memory,
    ) -> Result<(Session, bool)> {
        remote.check()?;
        let key = remote.connection_key();
        if memory == Memory::Use
            && matches!(remote.address.place, Place::Http { .. })
            && let Some(known) = self.known(&key)
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
        let (transport, advertisement) = self.greet(remote, Service::UploadPack, deadline).await?;
        if let Transport::Http(connection) = &transport {
            self.remember(key, &connection.endpoint, &advertisement);
        }
        let session = Session {
            transport,
            advertisement,
            deadline: deadline.clone(),
        };
        Ok((session, false))
    }

    /// Connects to a service of a remote, and reads what it says of itself.
    async fn greet(
        &self,
        remote: &Remote,
        service: Service,
        deadline: &Deadline,
    ) -> Result<(Transport, Advertisement)> {
        match &remote.address.place {
            Place::Http { base, .. } => {
                let client = self.http(remote)?;
                let credentials = remote.http_credentials();
                let discovery =
                    http::Connection::discover(client, service, base, credentials, deadline);
                let (connection, mut packets) = Box::pin(discovery).await?;
                let said = session::advertisement(service, &mut packets, deadline).await?;
                Ok((Transport::Http(connection), said))
            }
            Place::Ssh {
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
                let (conversation, mut packets) =
                    self.converse(remote, target, service, deadline).await?;
                let said = session::advertisement(service, &mut packets, deadline).await?;
                Ok((Transport::Ssh(conversation, packets), said))
            }
        }
    }

    /// Begins a conversation over SSH.
    async fn converse(
        &self,
        remote: &Remote,
        target: ssh::Target<'_>,
        service: Service,
        deadline: &Deadline,
    ) -> Result<(ssh::Conversation, Packets)> {
        let Some(identity) = remote.access.over_ssh() else {
            unreachable!("checked before: an SSH address comes with an identity");
        };
        let (key, proxy) = (remote.connection_key(), remote.dial.proxy.as_ref());
        let ssh = &self.shared.ssh;
        // A handshake is large, and rare.
        Box::pin(ssh.converse(key, target, service, proxy, identity, deadline)).await
    }

    fn known(&self, key: &str) -> Option<Known> {
        // Nothing in the map is half-written at any point: a poisoned lock is as good.
        let endpoints = self
            .shared
            .endpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        endpoints
            .get(key)
            .filter(|known| known.since.elapsed() < ENDPOINT_LIFE)
            .cloned()
    }

    fn remember(&self, key: String, endpoint: &http::Endpoint, advertisement: &Advertisement) {
        let mut endpoints = self
            .shared
            .endpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // The old versions say their references there: those must be asked for anew.
        if matches!(advertisement, Advertisement::One { .. }) {
            endpoints.remove(&key);
            return;
        }
        if endpoints.len() >= MAX_ENDPOINTS {
            endpoints.retain(|_, known| known.since.elapsed() < ENDPOINT_LIFE);
        }
        if endpoints.len() < MAX_ENDPOINTS {
            let known = Known {
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

/// Could this failure come from a server that moved or changed its version?
fn may_have_changed(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Protocol | ErrorKind::NotFound | ErrorKind::Authentication
    )
}
