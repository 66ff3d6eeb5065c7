//! A repository on GitHub, GitLab, Gitea or Bitbucket Server, created if it does not exist.

use sluice_dial::{Dial, Sensitive, Tls};
use sluice_forge::{Connection, Host, Kind, NewRepository, Permission, Place, Visibility};
use sluice_golang::non_empty;
use sluice_lifecycle::{Error, Reporter};

use crate::hosted::HostedRepository;
use crate::layout::Layout;
use crate::options::Options;
use crate::secret::{ClusterCredentials, Token};
use crate::settings::{Login, Settings};
use crate::signing::signer;

/// The flags of a repository on a host with an API.
pub struct Input {
    /// Whether the cluster uses a deploy token.
    pub deploy_token_auth: bool,
    /// The host.
    pub hostname: Option<String>,
    /// Whether the owner is a user.
    pub is_personal: bool,
    /// The kind of host.
    pub kind: Kind,
    /// The owner.
    pub owner: Option<String>,
    /// Whether changes are proposed as a pull request.
    pub proposes: bool,
    /// Whether the key of the cluster may push.
    pub read_write_key: bool,
    /// Whether an existing repository is updated.
    pub reconcile: bool,
    /// The name of the repository.
    pub repository: Option<String>,
    /// Teams with access: `name` or `name:permission`.
    pub teams: Vec<String>,
    /// The token of the user.
    pub token: Sensitive<String>,
    /// The user of Git, if it is not the owner.
    pub username: Option<String>,
    /// The visibility of a new repository.
    pub visibility: Visibility,
    /// Whether the bootstrap waits for the merge.
    pub waits_for_merge: bool,
}

impl Input {
    /// The repository and its access.
    pub fn settings(self, options: &Options, progress: Reporter<'_>) -> Result<Settings, Error> {
        let invalid = |error: sluice_forge::InvalidPlace| Error::user(error.to_string());
        let required = |flag: &str, text: Option<&String>| {
            let text = non_empty(text).map(str::to_owned);
            text.ok_or_else(|| Error::user(format!("--{flag} is required")))
        };
        let owner = required("owner", self.owner.as_ref())?;
        let name = required("repository", self.repository.as_ref())?;
        let host = Host::parse(self.hostname.as_deref().unwrap_or_default()).map_err(invalid)?;
        let place = Place::new(self.kind, &owner, self.is_personal, &name).map_err(invalid)?;
        let mut teams = teams(&self.teams, default_permission(self.kind))?;
        if self.is_personal && !teams.is_empty() {
            let flag = match self.kind {
                Kind::BitbucketServer => "--group",
                _ => "--team",
            };
            progress.warning(format!(
                " {flag} is for repositories of organizations: nobody is let in"
            ));
            teams.clear();
        }
        let signer = signer(&options.signing, &options.key, None)?;
        let ca = options.authorities()?;
        let mut dial = Dial::default();
        if let Some(ca) = &ca {
            dial.tls =
                Tls::with_ca(ca.as_bytes()).map_err(|error| Error::user(error.to_string()))?;
        }
        let connection = Connection {
            host: host.clone(),
            token: self.token.clone(),
            http: &options.http,
            dial: dial.clone(),
            retry: Connection::DEFAULT_RETRY,
        };
        let forge = sluice_forge::connect(self.kind, &connection)
            .map_err(|error| crate::hosted::refusal(&error))?;
        let over_http = options.token_auth || self.deploy_token_auth;
        let ssh_host = non_empty(options.ssh_hostname.as_ref()).unwrap_or_else(|| host.name());
        let ssh_host = (!over_http).then(|| ssh_host.to_owned());
        let hosted = HostedRepository {
            forge,
            kind: self.kind,
            wanted: NewRepository {
                visibility: self.visibility,
                default_branch: options.branch.clone(),
            },
            reconcile: self.reconcile,
            teams,
            title: title(
                &options.components.namespace,
                &options.branch,
                &options.secret_name,
                options.path.as_deref(),
            ),
            is_read_only: !self.read_write_key,
            proposes: self.proposes,
            waits_for_merge: self.waits_for_merge,
            ssh_host: ssh_host.clone(),
            user: match &self.username {
                Some(user) if !self.is_personal => user.clone(),
                _ => owner,
            },
            token: self.token.clone(),
            dial,
            timeout: options.timeout,
            host,
            place,
        };
        let wanted = self.cluster_credentials(options, &hosted, ca)?;
        let expected = hosted.expected();
        let package = options.package()?;
        let sync = options.sync(hosted.followed(&expected));
        Ok(Settings {
            url: hosted.https_url(&expected),
            remote: hosted.remote(&expected)?,
            login: Login::Http,
            ssh_host: ssh_host.map(|host| host_and_port(&host)),
            wanted,
            layout: Layout::new(package.text.clone(), sync),
            package,
            signer,
            hosted: Some(hosted),
        })
    }

    /// The access of the cluster.
    fn cluster_credentials(
        &self,
        options: &Options,
        hosted: &HostedRepository,
        ca: Option<String>,
    ) -> Result<ClusterCredentials, Error> {
        if options.token_auth {
            let user = match self.kind {
                Kind::BitbucketServer => hosted.user.clone(),
                _ => "git".to_owned(),
            };
            return Ok(ClusterCredentials::Token {
                token: Token::Basic(user, hosted.token.clone()),
                ca,
            });
        }
        if self.deploy_token_auth {
            return Ok(ClusterCredentials::DeployToken { ca });
        }
        if accepts_key_file(self.kind)
            && let Some(pair) = options.key.read_key_pair(None)?
        {
            return Ok(ClusterCredentials::Key {
                pair,
                passphrase: None,
            });
        }
        Ok(ClusterCredentials::NewKey(options.key.kind))
    }
}

/// Whether the key of the cluster can come from a file.
pub const fn accepts_key_file(kind: Kind) -> bool {
    matches!(kind, Kind::GitLab | Kind::BitbucketServer)
}

/// The permission of a team without one.
const fn default_permission(kind: Kind) -> Permission {
    match kind {
        Kind::BitbucketServer => Permission::Push,
        _ => Permission::Maintain,
    }
}

/// Checks the name of a repository by the rules of GitLab, as Flux does.
pub fn check_project_name(repository: &str) -> Result<(), Error> {
    let name = repository.rsplit('/').next().unwrap_or_default();
    if is_project_name(name) {
        return Ok(());
    }
    Err(Error::user(format!(
        "{repository} is an invalid project name for gitlab."
    ))
    .hint("It can contain only letters, digits, emojis, '_', '.' and dash, and starts with letter, digit, emoji or '_'."))
}

fn is_project_name(name: &str) -> bool {
    let is_first = |character: char| {
        character.is_ascii_alphanumeric()
            || character == '_'
            || ('\u{a9}'..='\u{1f9ff}').contains(&character)
    };
    let mut rest = name.chars();
    rest.next().is_some_and(is_first)
        && rest.all(|character| is_first(character) || matches!(character, '-' | '.'))
}

/// Parses teams with their permissions: `name`, or `name:permission`.
fn teams(typed: &[String], level: Permission) -> Result<Vec<(String, Permission)>, Error> {
    let team = |text: &String| match text.split_once(':') {
        Some((name, word)) => {
            let level = word
                .parse()
                .map_err(|error: sluice_forge::UnknownPermission| {
                    Error::user(format!("invalid permission \"{word}\" for team \"{name}\""))
                        .hint(error.to_string())
                })?;
            Ok((name.to_owned(), level))
        }
        None => Ok((text.clone(), level)),
    };
    let named = typed.iter().filter(|text| !text.is_empty());
    named.map(team).collect()
}

/// The name of a cluster's key or token, from the parts that differ between clusters. A missing
/// path is not part of it.
fn title(namespace: &str, branch: &str, secret: &str, path: Option<&str>) -> String {
    let path = path.map(|path| format!("./{path}"));
    let parts = [Some(namespace), Some(branch), Some(secret), path.as_deref()];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// Name and port of an SSH host.
fn host_and_port(text: &str) -> (String, u16) {
    let split = text.rsplit_once(':');
    match split.and_then(|(name, port)| Some((name, port.parse().ok()?))) {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (
            name.trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned(),
            port,
        ),
        _ => (
            text.trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned(),
            22,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read from the reference: the flags of `flux2` v2.9.4, `deployKeyName`.
    #[test]
    fn key_title_has_the_parts_that_differ() {
        for (path, expected) in [
            (
                Some("clusters/main"),
                "flux-system-main-flux-system-./clusters/main",
            ),
            (Some(""), "flux-system-main-flux-system-./"),
            (None, "flux-system-main-flux-system"),
        ] {
            assert_eq!(title("flux-system", "main", "flux-system", path), expected);
        }
    }

    #[test]
    fn team_has_its_permission_or_the_default() {
        let typed = ["a", "b:admin", ""].map(str::to_owned);
        assert_eq!(
            teams(&typed, Permission::Maintain).unwrap(),
            [
                ("a".to_owned(), Permission::Maintain),
                ("b".to_owned(), Permission::Admin),
            ]
        );
        let refused = teams(&["b:write".to_owned()], Permission::Push).unwrap_err();
        assert_eq!(
            refused.message(),
            "invalid permission \"write\" for team \"b\""
        );
    }

    #[test]
    fn project_name_follows_the_rules_of_gitlab() {
        for good in ["fleet", "_f", "9", "a-b.c_d", "größe", "🚀"] {
            assert!(is_project_name(good), "{good}");
        }
        for bad in ["", "-a", ".a", "a b", "a/b", "a:b", "a\n"] {
            assert!(!is_project_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn ssh_host_may_have_a_port() {
        for (text, name, port) in [
            ("h", "h", 22),
            ("h:7999", "h", 7999),
            ("[::1]:7999", "::1", 7999),
            ("[::1]", "::1", 22),
            ("::1", "::1", 22),
        ] {
            assert_eq!(host_and_port(text), (name.to_owned(), port), "{text}");
        }
    }
}
