//! Profiles in the configuration files of Amazon's tools.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sluice_dial::Sensitive;
use sluice_system::fs;

use super::AwsCredentials;
use super::environment::{Environment, MAX_FILE, WebIdentity, incomplete_pair, web_identity};
use crate::error::IdentityError;

/// The credentials of a profile.
pub(super) enum ProfileCredentials {
    Keys(AwsCredentials),
    Web(WebIdentity),
}

/// The settings of a profile.
pub(super) struct Profile {
    name: String,
    settings: BTreeMap<String, Sensitive<String>>,
}

impl Profile {
    /// Reads a profile, or the default one, from both configuration files.
    pub(super) fn read(
        environment: &Environment,
        named: Option<&str>,
    ) -> Result<Self, IdentityError> {
        let name = named.unwrap_or("default");
        let mut settings = BTreeMap::new();
        let mut is_there = false;
        for (variable, file, prefix) in [
            ("AWS_CONFIG_FILE", "config", "profile "),
            ("AWS_SHARED_CREDENTIALS_FILE", "credentials", ""),
        ] {
            let given = environment.get(variable).map(PathBuf::from);
            let usual = || {
                let home = environment.get("HOME")?;
                Some(PathBuf::from(home).join(".aws").join(file))
            };
            let is_meant = given.is_some() || named.is_some();
            let Some(path) = given.or_else(usual) else {
                continue;
            };
            match fs::read_limited(&path, MAX_FILE) {
                Ok(bytes) => {
                    let text = Sensitive::new(String::from_utf8_lossy(&bytes).into_owned());
                    is_there |= section(text.expose(), name, prefix, &mut settings);
                }
                Err(error) if is_meant && !error.is_not_found() => return Err(error.into()),
                // The default file need not exist.
                Err(_) => {}
            }
        }
        if named.is_some() && !is_there {
            return Err(IdentityError::Unusable(format!(
                "there is no AWS profile '{name}'"
            )));
        }
        Ok(Self {
            name: name.to_owned(),
            settings,
        })
    }

    fn get(&self, key: &str) -> Option<&str> {
        let value = self.settings.get(key)?;
        Some(value.expose().as_str())
    }

    /// Returns the credentials. Returns `None` if the profile has only other settings.
    pub(super) fn credentials(&self) -> Result<Option<ProfileCredentials>, IdentityError> {
        let role = self.get("role_arn");
        let file = self.get("web_identity_token_file");
        // With these settings, other keys in the profile are not its credentials.
        self.reject_settings(&["source_profile", "credential_source"])?;
        if role.is_some() && file.is_none() {
            self.reject_settings(&["role_arn"])?;
        }
        let keys = ["aws_access_key_id", "aws_secret_access_key"];
        match keys.map(|key| self.get(key)) {
            [Some(access), Some(secret)] => {
                return Ok(Some(ProfileCredentials::Keys(AwsCredentials {
                    access_key: access.to_owned(),
                    secret_key: secret.into(),
                    session_token: self.get("aws_session_token").map(Sensitive::from),
                    expires: None,
                })));
            }
            [Some(_), None] => return Err(incomplete_pair(keys[0], keys[1])),
            [None, Some(_)] => return Err(incomplete_pair(keys[1], keys[0])),
            [None, None] => {}
        }
        let named = format!("role_arn of the AWS profile '{}'", self.name);
        if let Some(web) = web_identity(file, role, &named)? {
            return Ok(Some(ProfileCredentials::Web(web)));
        }
        self.reject_settings(&[
            "sso_session",
            "sso_start_url",
            "login_session",
            "credential_process",
        ])?;
        Ok(None)
    }

    /// Rejects settings that only Amazon's tools support.
    fn reject_settings(&self, keys: &[&str]) -> Result<(), IdentityError> {
        let unsupported = keys.iter().find(|key| self.settings.contains_key(**key));
        let Some(key) = unsupported else {
            return Ok(());
        };
        let name = &self.name;
        Err(IdentityError::Unusable(format!(
            "the AWS profile '{name}' takes its credentials from {key}, which only Amazon's own tools read: \
             eval \"$(aws configure export-credentials --profile {name} --format env)\" puts them into the environment"
        )))
    }
}

/// Reads the settings of a profile from a file. Returns whether it exists.
fn section(
    text: &str,
    name: &str,
    prefix: &str,
    settings: &mut BTreeMap<String, Sensitive<String>>,
) -> bool {
    let (mut is_there, mut is_ours) = (false, false);
    for line in text.lines() {
        let line = line.trim_end();
        if line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(title) = line.strip_prefix('[') {
            let title = title.split(']').next().unwrap_or_default().trim();
            is_ours = title == name && (prefix.is_empty() || name == "default")
                || title.strip_prefix(prefix).map(str::trim) == Some(name);
            is_there |= is_ours;
        // An indented line belongs to the setting above it.
        } else if is_ours
            && !line.starts_with([' ', '\t'])
            && let Some((key, value)) = line.split_once('=')
        {
            let value = value.split(" #").next().unwrap_or_default().trim();
            settings.insert(key.trim().to_ascii_lowercase(), value.into());
        }
    }
    is_there
}
