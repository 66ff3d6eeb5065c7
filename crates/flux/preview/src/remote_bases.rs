//! Fetches remote bases of kustomizations as the user who runs the command.
//!
//! SSH uses the plain key files of `~/.ssh`, for hosts in `known_hosts`. Agents, prompts and the
//! configuration of ssh or git are not used: a build must depend on files only.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sluice_dial::SshIdentity;
use sluice_kustomize::remote::Fetcher;
use sluice_system::fs;
use sluice_trees::{FetchSettings, RemoteFetcher};

/// Key files, in the order in which ssh tries them.
const KEYS: [&str; 3] = ["id_ed25519", "id_ecdsa", "id_rsa"];
/// Known hosts of the machine, read besides the user's file.
const KNOWN_HOSTS: &str = "/etc/ssh/ssh_known_hosts";
/// Maximum timeout that a URL may request.
const MAX_TIMEOUT: Duration = Duration::from_hours(1);

/// Creates the fetcher of one command. Its threads start with the first fetch.
pub fn fetcher() -> Arc<dyn Fetcher> {
    // The call fails if a provider is installed already, which is fine.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let settings = FetchSettings {
        user_agent: crate::charts::registry::USER_AGENT.to_owned(),
        ssh: Some(Arc::new(identity)),
        allow_local: true,
        max_timeout: MAX_TIMEOUT,
    };
    RemoteFetcher::new(settings).for_build()
}

fn identity() -> Result<SshIdentity, String> {
    let home = std::env::home_dir().ok_or("there is no home directory to look for SSH keys in")?;
    identity_in(&home.join(".ssh"))
}

fn identity_in(directory: &Path) -> Result<SshIdentity, String> {
    let key = KEYS
        .iter()
        .find_map(|name| fs::read_to_string(directory.join(name)).ok());
    let shown = directory.display();
    let key = key.ok_or_else(|| format!("{shown} has none of the keys {}", KEYS.join(", ")))?;
    let known = [directory.join("known_hosts"), KNOWN_HOSTS.into()];
    let known: Vec<_> = known
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    if known.is_empty() {
        return Err(format!(
            "neither {shown}/known_hosts nor {KNOWN_HOSTS} exists"
        ));
    }
    Ok(SshIdentity {
        private_key: key.into(),
        passphrase: None,
        known_hosts: known.join("\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_requires_known_hosts() {
        let home = tempfile::tempdir().unwrap();
        let error = identity_in(home.path()).unwrap_err();
        assert!(
            error.ends_with("has none of the keys id_ed25519, id_ecdsa, id_rsa"),
            "{error}"
        );
        fs::write(home.path().join("id_rsa"), "rsa").unwrap();
        if !Path::new(KNOWN_HOSTS).exists() {
            let error = identity_in(home.path()).unwrap_err();
            assert!(error.starts_with("neither "), "{error}");
        }
        fs::write(home.path().join("known_hosts"), "host key").unwrap();
        fs::write(home.path().join("id_ed25519"), "ed25519").unwrap();
        let identity = identity_in(home.path()).unwrap();
        assert_eq!(identity.private_key.expose(), "ed25519");
        assert!(identity.known_hosts.starts_with("host key"));
    }
}
