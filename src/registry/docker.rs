//! Reads the credentials of Docker and Podman from files and helper programs.
//!
//! Parity: go-containerregistry: pkg/authn/keychain.go; docker/cli: cli/config.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;
use sluice_dial::{Basic, Sensitive};
use sluice_oci::{Keychain, Login, Repository};
use sluice_system::fs;

use crate::error::CommandError;

/// Docker's own name of its registry.
const HUB: &str = "index.docker.io";
const HUB_KEY: &str = "https://index.docker.io/v1/";
/// User name in a helper's answer that marks an identity token.
const TOKEN_USER: &str = "<token>";
/// Output of a helper for an unknown registry.
const UNKNOWN: &str = "credentials not found in native keychain";

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct CredentialHelpers {
    cred_helpers: BTreeMap<String, String>,
    creds_store: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct HelperOutput {
    username: String,
    secret: String,
}

/// Returns the credentials of a repository, else of its registry.
pub(super) fn login(repository: &Repository) -> Result<Login, CommandError> {
    let Some(path) = configuration() else {
        return Ok(Login::Anonymous);
    };
    let json = fs::read(&path).map_err(|error| CommandError::user(error.to_string()))?;
    let named = |why: &dyn std::fmt::Display| {
        CommandError::user(format!("credentials in {}: {why}", path.display()))
    };
    let helpers: CredentialHelpers =
        serde_json::from_slice(&json).map_err(|error| named(&error))?;
    let registry = match repository.registry() {
        HUB => HUB_KEY,
        registry => registry,
    };
    for key in [&*repository.to_string(), registry] {
        let helper = helpers
            .cred_helpers
            .get(key)
            .unwrap_or(&helpers.creds_store);
        if helper.is_empty() {
            continue;
        }
        if let Some(login) = ask(helper, key)? {
            return Ok(login);
        }
    }
    let mut keychain = Keychain::default();
    keychain.add_config(&json).map_err(|error| named(&error))?;
    Ok(keychain.resolve_exactly(repository))
}

/// Returns the first existing configuration file.
#[expect(
    clippy::disallowed_methods,
    reason = "the variables belong to Docker and Podman, and flags do not replace them"
)]
fn configuration() -> Option<PathBuf> {
    let directory = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let docker = directory("DOCKER_CONFIG")
        .or_else(|| directory("HOME").map(|home| home.join(".docker")))
        .map(|docker| docker.join("config.json"));
    let podman = directory("XDG_RUNTIME_DIR").map(|run| run.join("containers/auth.json"));
    [docker, directory("REGISTRY_AUTH_FILE"), podman]
        .into_iter()
        .flatten()
        .find(|path| fs::exists(path).unwrap_or(false))
}

/// Runs a helper. Returns `None` if it has no credentials.
#[expect(
    clippy::disallowed_methods,
    reason = "credential helpers are among the programs that the command line may start"
)]
fn ask(helper: &str, registry: &str) -> Result<Option<Login>, CommandError> {
    let program = format!("docker-credential-{helper}");
    let failed = |why: &dyn std::fmt::Display| {
        CommandError::user(format!(
            "credential helper {program} for {registry} failed: {why}"
        ))
    };
    let mut child = Command::new(&program)
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&error))?;
    if let Some(mut input) = child.stdin.take() {
        // A helper may exit without reading its input.
        drop(input.write_all(registry.as_bytes()));
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        return if said.trim() == UNKNOWN {
            Ok(None)
        } else {
            // The output may contain a password, so it is not shown.
            Err(failed(&output.status))
        };
    }
    let answer: HelperOutput = serde_json::from_slice(&output.stdout)
        .map_err(|_| failed(&"its answer is not what the protocol says"))?;
    Ok(match (&*answer.username, &*answer.secret) {
        ("", "") => None,
        (TOKEN_USER, _) => Some(Login::Identity(Sensitive::new(answer.secret))),
        _ => Some(Login::Basic(Basic::new(answer.username, answer.secret))),
    })
}
