//! `bootstrap github`, `gitlab`, `gitea` and `bitbucket-server`: their flags and the meaning of these.
//!
//! The four differ in facts (names, defaults, two or three flags), which are in [`Provider`]. All else
//! is shared. Invalid flags are refused here, before any request to a host.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use sluice_bootstrap::hosted::Hosted;
use sluice_bootstrap::layout::Layout;
use sluice_bootstrap::secret::{Token, Wanted};
use sluice_dial::{Dial, Sensitive, Tls};
use sluice_forge::{Connection, Host, Kind, NewRepository, Permission, Place, Visibility};
use sluice_golang::GoDuration;
use sluice_manifests::Sync;

use super::sequence::{self, Settings, Way};
use super::{Common, filled, parsed, safe_path, signing, token};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{BooleanFlag as _, Choice};
use crate::{CommandResult, flags, output};

/// A host with an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provider {
    GitHub,
    GitLab,
    Gitea,
    BitbucketServer,
}

/// The names and defaults of one host.
struct Facts {
    noun: &'static str,
    kind: Kind,
    /// In questions.
    title: &'static str,
    variable: &'static str,
    hostname: Option<&'static str>,
    level: Permission,
}

/// Flags of every host with an API.
#[derive(clap::Args, Clone, Debug)]
struct Args {
    /// Host of the repository, with a port if need be
    #[arg(long, value_name = "HOST")]
    hostname: Option<String>,
    /// How often the cluster looks at the repository
    #[arg(long, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    /// User, or organization, group or project, that the repository belongs to
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Folder of the cluster in the repository
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// The owner is a user
    #[arg(long, switch = false)]
    personal: bool,
    /// Make the repository such that only those who were let in may see it
    #[arg(long, switch = true)]
    private: bool,
    /// Propose the commit as a pull request if the branch is protected, and stop
    #[arg(long, switch = false, help_heading = flags::OURS)]
    pull_request: bool,
    /// Let the key of the cluster push too
    #[arg(long, switch = false)]
    read_write_key: bool,
    /// Change a repository that is there to be as the flags say
    #[arg(long, switch = false)]
    reconcile: bool,
    /// Name of the repository, which is made if it is not there
    #[arg(long, value_name = "NAME")]
    repository: Option<String>,
    /// Wait until what --pull-request proposed is merged, and go on
    #[arg(long, switch = false, help_heading = flags::OURS)]
    wait_merge: bool,
}

/// Additional access, on hosts with teams.
#[derive(clap::Args, Clone, Debug)]
struct Teams {
    /// Team to let in, and how: NAME or NAME:PERMISSION, of pull, triage, push, maintain and admin
    #[arg(long, value_parser = flags::csv, value_name = "NAME[:PERMISSION]")]
    team: Vec<Vec<String>>,
}

/// The same where they are groups.
#[derive(clap::Args, Clone, Debug)]
struct Groups {
    /// Group to let in, and how: NAME or NAME:PERMISSION, of pull, push and admin
    #[arg(long, value_parser = flags::csv, value_name = "NAME[:PERMISSION]")]
    group: Vec<Vec<String>>,
    /// User that the token belongs to
    #[arg(long, short, default_value = "git", value_name = "NAME")]
    username: String,
}

const VISIBILITIES: Choice = Choice {
    values: &["public", "internal", "private"],
    refusal: |value| format!("unsupported visibility '{value}'"),
};

/// Flags of GitLab alone.
#[derive(clap::Args, Clone, Debug)]
struct OfGitLab {
    /// Let the cluster use a deploy token of the project, over HTTPS, in the place of a key
    #[arg(long, switch = false)]
    deploy_token_auth: bool,
    /// Visibility of a new repository
    #[arg(long, default_value = "private", value_name = "VISIBILITY", value_parser = VISIBILITIES)]
    visibility: String,
}

/// The flags, in one form for all hosts.
struct Typed {
    args: Args,
    teams: Vec<String>,
    visibility: Visibility,
    deploy_token_auth: bool,
    /// The Git user, if it is not the owner.
    username: Option<String>,
}

impl Provider {
    pub(super) const ALL: [Self; 4] = [
        Self::GitHub,
        Self::GitLab,
        Self::Gitea,
        Self::BitbucketServer,
    ];

    const fn facts(self) -> Facts {
        match self {
            Self::GitHub => Facts {
                noun: "github",
                kind: Kind::GitHub,
                title: "GitHub",
                variable: "GITHUB_TOKEN",
                hostname: Some("github.com"),
                level: Permission::Maintain,
            },
            Self::GitLab => Facts {
                noun: "gitlab",
                kind: Kind::GitLab,
                title: "GitLab",
                variable: "GITLAB_TOKEN",
                hostname: Some("gitlab.com"),
                level: Permission::Maintain,
            },
            Self::Gitea => Facts {
                noun: "gitea",
                kind: Kind::Gitea,
                title: "Gitea",
                variable: "GITEA_TOKEN",
                hostname: Some("gitea.com"),
                level: Permission::Maintain,
            },
            Self::BitbucketServer => Facts {
                noun: "bitbucket-server",
                kind: Kind::BitbucketServer,
                title: "Bitbucket",
                variable: "BITBUCKET_TOKEN",
                hostname: None,
                level: Permission::Push,
            },
        }
    }

    /// The command with its flags.
    pub(super) fn command(self) -> Command {
        let facts = self.facts();
        let command = Command::new(facts.noun).about(format!(
            "Bootstrap from a repository on {}, made if it is not there",
            facts.kind
        ));
        let mut command = flags::add::<Args>(command).after_help(format!(
            "The token is read from {}, or asked for. Every other flag is read from the environment too:\n\
             FLUX_BOOTSTRAP_SECRET_NAME is --secret-name.",
            facts.variable
        ));
        if let Some(host) = facts.hostname {
            command = command.mut_arg("hostname", |arg: Arg| arg.default_value(host));
        }
        match self {
            Self::GitHub | Self::Gitea => flags::add::<Teams>(command),
            Self::GitLab => flags::add::<OfGitLab>(flags::add::<Teams>(command))
                .mut_arg("private", |arg| arg.hide(true)),
            Self::BitbucketServer => flags::add::<Groups>(command),
        }
    }

    fn typed(self, leaf: &ArgMatches) -> Result<Typed, CommandError> {
        let args: Args = parsed(leaf)?;
        let private = if args.private {
            Visibility::Private
        } else {
            Visibility::Public
        };
        let mut typed = Typed {
            args,
            teams: Vec::new(),
            visibility: private,
            deploy_token_auth: false,
            username: None,
        };
        if self == Self::BitbucketServer {
            let groups: Groups = parsed(leaf)?;
            typed.teams = groups.group.concat();
            typed.username = Some(groups.username);
            return Ok(typed);
        }
        typed.teams = parsed::<Teams>(leaf)?.team.concat();
        if self == Self::GitLab {
            let own: OfGitLab = parsed(leaf)?;
            typed.deploy_token_auth = own.deploy_token_auth;
            typed.visibility = match own.visibility.as_str() {
                _ if !typed.args.private => Visibility::Public,
                "public" => Visibility::Public,
                "internal" => Visibility::Internal,
                _ => Visibility::Private,
            };
        }
        Ok(typed)
    }
}

pub(super) fn run(
    noun: &str,
    leaf: &ArgMatches,
    common: &Common,
    context: &Context,
) -> CommandResult {
    let mut all = Provider::ALL.into_iter();
    let Some(provider) = all.find(|one| one.facts().noun == noun) else {
        return Err(CommandError::internal(format!(
            "bootstrap {noun} is declared nowhere"
        )));
    };
    let typed = provider.typed(leaf)?;
    let settings = settings(provider, &typed, common, context)?;
    sequence::run(settings, common, context)
}

/// Whether the cluster can have a key from a file.
const fn takes_a_key(provider: Provider) -> bool {
    matches!(provider, Provider::GitLab | Provider::BitbucketServer)
}

fn settings(
    provider: Provider,
    typed: &Typed,
    common: &Common,
    context: &Context,
) -> Result<Settings, CommandError> {
    let (facts, args) = (provider.facts(), &typed.args);
    let noun = facts.noun;
    if common.ssh_signing_reuse_private_key && !takes_a_key(provider) {
        return Err(CommandError::user(format!(
            "--ssh-signing-reuse-private-key is not supported by 'bootstrap {noun}': the key of the cluster is made here, and there is none to sign with"
        ))
        .hint("--ssh-signing-key-file names a key to sign with"));
    }
    let token = match token::given(None, facts.variable) {
        Some(token) => token,
        // Without a host no token is needed.
        None if common.export_dir.is_some() => Sensitive::from("none"),
        None => token::typed(&format!(
            "Please enter your {} personal access token (PAT): ",
            facts.title
        ))?,
    };
    check_words(provider, typed, common)?;
    common.validate()?;
    let invalid = |error: sluice_forge::InvalidPlace| CommandError::user(error.to_string());
    let required = |flag: &str, text: Option<&String>| {
        let text = filled(text).map(str::to_owned);
        text.ok_or_else(|| CommandError::user(format!("--{flag} is required")))
    };
    let owner = required("owner", args.owner.as_ref())?;
    let name = required("repository", args.repository.as_ref())?;
    let host = Host::parse(args.hostname.as_deref().unwrap_or_default()).map_err(invalid)?;
    let place = Place::new(facts.kind, &owner, args.personal, &name).map_err(invalid)?;
    let teams = teams(&typed.teams, facts.level)?;
    if args.personal && !teams.is_empty() {
        let flag = if provider == Provider::BitbucketServer {
            "--group"
        } else {
            "--team"
        };
        output::Progress::default().warning(format!(
            " {flag} is for repositories of organizations: nobody is let in"
        ));
    }
    let signer = signing::signer(common, None)?;
    let ca = common.authorities()?;
    let mut dial = Dial::default();
    if let Some(ca) = &ca {
        dial.tls =
            Tls::with_ca(ca.as_bytes()).map_err(|error| CommandError::user(error.to_string()))?;
    }
    let connection = Connection {
        host: host.clone(),
        token: token.clone(),
        http: &crate::registry::http_clients(),
        dial: dial.clone(),
        retry: Connection::PATIENCE,
    };
    let forge = sluice_forge::connect(facts.kind, &connection)?;
    let over_http = common.token_auth || typed.deploy_token_auth;
    let ssh_host = filled(common.ssh_hostname.as_ref()).unwrap_or_else(|| host.name());
    let ssh_host = (!over_http).then(|| ssh_host.to_owned());
    let namespace = context.namespace();
    let path = args.path.as_ref().map(|path| safe_path(path));
    let hosted = Hosted {
        forge,
        kind: facts.kind,
        wanted: NewRepository {
            visibility: typed.visibility,
            default_branch: common.branch.clone(),
        },
        reconcile: args.reconcile,
        teams: if args.personal { Vec::new() } else { teams },
        title: title(
            &namespace,
            &common.branch,
            &common.secret_name,
            path.as_deref(),
        ),
        is_read_only: !args.read_write_key,
        proposes: args.pull_request,
        waits_for_merge: args.wait_merge,
        ssh_host: ssh_host.clone(),
        user: match &typed.username {
            Some(user) if !args.personal => user.clone(),
            _ => owner.clone(),
        },
        token,
        dial,
        timeout: context.timeout(),
        host,
        place,
    };
    let wanted = wanted(provider, typed, common, &hosted, ca)?;
    let expected = hosted.expected();
    let manifests = common.components.manifests(&namespace)?;
    let sync = Sync {
        namespace,
        url: hosted.followed(&expected),
        branch: common.branch.clone(),
        secret: common.secret_name.clone(),
        interval: GoDuration::from_std(args.interval).to_string(),
        path: path.unwrap_or_default(),
        provider: None,
        recurse_submodules: common.recurse_submodules,
        sparse_checkout: common.sparse_checkout.concat(),
        service_account: common.components.reconciler(),
    };
    Ok(Settings {
        url: hosted.https_url(&expected),
        remote: hosted.remote(&expected)?,
        way: Way::Http,
        host: ssh_host.map(|host| place_of(&host)),
        wanted,
        layout: Layout::new(manifests.text.clone(), sync),
        manifests,
        signer,
        silent: true,
        hosted: Some(hosted),
    })
}

/// Refuses words that a host has rules for.
fn check_words(provider: Provider, typed: &Typed, common: &Common) -> Result<(), CommandError> {
    let progress = output::Progress::default();
    if !takes_a_key(provider) && common.key.private_key_file().is_some() {
        progress.warning(format!(
            " --private-key-file is not used by 'bootstrap {}': the cluster gets a key of its own",
            provider.facts().noun
        ));
    }
    if typed.args.wait_merge && !typed.args.pull_request {
        return Err(CommandError::user("--wait-merge requires --pull-request"));
    }
    match provider {
        Provider::GitHub | Provider::Gitea => Ok(()),
        Provider::BitbucketServer => match filled(typed.args.hostname.as_ref()) {
            Some(_) => Ok(()),
            None => Err(CommandError::user("invalid hostname \"\"").hint("--hostname is required")),
        },
        Provider::GitLab => {
            let name = typed.args.repository.as_deref().unwrap_or_default();
            let last = name.rsplit('/').next().unwrap_or_default();
            if !is_project_name(last) {
                return Err(CommandError::user(format!(
                    "{name} is an invalid project name for gitlab."
                ))
                .hint("It can contain only letters, digits, emojis, '_', '.' and dash, and starts with letter, digit, emoji or '_'."));
            }
            if common.token_auth && typed.deploy_token_auth {
                return Err(CommandError::user(
                    "--token-auth and --deploy-token-auth cannot be set both.",
                ));
            }
            if !typed.args.private {
                output::stderr(
                    "Flag --private has been deprecated, use --visibility instead\nUsing visibility public as --private=false\n",
                );
            }
            Ok(())
        }
    }
}

/// GitLab's rule, as Flux has it.
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

/// Teams with what they may do: `name`, or `name:permission`.
fn teams(typed: &[String], level: Permission) -> Result<Vec<(String, Permission)>, CommandError> {
    let team = |text: &String| match text.split_once(':') {
        Some((name, word)) => {
            let level = word
                .parse()
                .map_err(|error: sluice_forge::UnknownPermission| {
                    CommandError::user(format!("invalid permission \"{word}\" for team \"{name}\""))
                        .hint(error.to_string())
                })?;
            Ok((name.to_owned(), level))
        }
        None => Ok((text.clone(), level)),
    };
    let named = typed.iter().filter(|text| !text.is_empty());
    named.map(team).collect()
}

/// The name of a cluster's key or token, from the parts that tell clusters apart. A missing path is
/// not part of it.
fn title(namespace: &str, branch: &str, secret: &str, path: Option<&str>) -> String {
    let path = path.map(|path| format!("./{path}"));
    let parts = [Some(namespace), Some(branch), Some(secret), path.as_deref()];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// Name and port of a host that is reached over SSH.
fn place_of(text: &str) -> (String, u16) {
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

/// The cluster's wanted access.
fn wanted(
    provider: Provider,
    typed: &Typed,
    common: &Common,
    hosted: &Hosted,
    ca: Option<String>,
) -> Result<Wanted, CommandError> {
    if common.token_auth {
        let user = match provider {
            Provider::BitbucketServer => hosted.user.clone(),
            _ => "git".to_owned(),
        };
        return Ok(Wanted::Token {
            who: Token::Basic(user, hosted.token.clone()),
            ca,
        });
    }
    if typed.deploy_token_auth {
        return Ok(Wanted::DeployToken { ca });
    }
    if takes_a_key(provider)
        && let Some(pair) = common.key.given(None)?
    {
        return Ok(Wanted::Key {
            pair,
            passphrase: None,
        });
    }
    Ok(Wanted::NewKey(common.key.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read from the reference: the flags of `flux2` v2.9.4, `deployKeyName`.
    #[test]
    fn a_key_is_called_by_what_tells_clusters_apart() {
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
    fn a_team_gets_what_is_typed_behind_it_or_the_default() {
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
    fn a_project_of_gitlab_has_a_name_of_gitlab() {
        for good in ["fleet", "_f", "9", "a-b.c_d", "größe", "🚀"] {
            assert!(is_project_name(good), "{good}");
        }
        for bad in ["", "-a", ".a", "a b", "a/b", "a:b", "a\n"] {
            assert!(!is_project_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_host_over_ssh_may_have_a_port() {
        for (text, name, port) in [
            ("h", "h", 22),
            ("h:7999", "h", 7999),
            ("[::1]:7999", "::1", 7999),
            ("[::1]", "::1", 22),
            ("::1", "::1", 22),
        ] {
            assert_eq!(place_of(text), (name.to_owned(), port), "{text}");
        }
    }
}
