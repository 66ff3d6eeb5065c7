//! Profiles in the configuration files of Amazon's tools.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sluice_dial::Sensitive;
use sluice_system::fs;

use super::AwsCredentials;
use super::environment::{MAX_FILE, WebIdentity, incomplete_pair, web_identity};
use crate::environment::Environment;
use crate::error::IdentityError;

/// Maximum number of profiles that are sources of each other.
const MAX_SOURCES: usize = 5;

/// The credentials of a profile.
pub(super) enum ProfileCredentials {
    Keys(AwsCredentials),
    Web(WebIdentity),
}

/// A role that a profile assumes.
pub(super) struct ProfileRole {
    pub(super) arn: String,
    pub(super) session: Option<String>,
}

/// The credentials at the start of a chain of profiles, and the roles to assume with them.
pub(super) struct ProfileChain {
    pub(super) source: ProfileCredentials,
    pub(super) roles: Vec<ProfileRole>,
}

impl ProfileChain {
    /// Reads a profile and its sources. Returns `None` if the profile has only other settings.
    pub(super) fn read(
        environment: &Environment,
        named: Option<&str>,
    ) -> Result<Option<Self>, IdentityError> {
        let mut roles = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut profile = Profile::read(environment, named)?;
        loop {
            names.push(profile.name.clone());
            let Some((role, source)) = profile.role()? else {
                break;
            };
            roles.insert(0, role);
            // A profile may be its own source: the keys beside its role.
            if source == profile.name {
                break;
            }
            if names.contains(&source) || names.len() > MAX_SOURCES {
                names.push(source);
                return Err(IdentityError::Unusable(format!(
                    "the AWS profiles {} are a circle, or more than {MAX_SOURCES}",
                    names.join(" > ")
                )));
            }
            profile = Profile::read(environment, Some(&source))?;
        }
        let source = profile.credentials(!roles.is_empty())?;
        match source {
            Some(source) => Ok(Some(Self { source, roles })),
            None if roles.is_empty() => Ok(None),
            None => Err(IdentityError::Unusable(format!(
                "the AWS profile '{}' holds no credentials",
                profile.name
            ))),
        }
    }
}

/// The settings of a profile.
struct Profile {
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

    /// Returns the role of a profile with a source, and the name of the source.
    fn role(&self) -> Result<Option<(ProfileRole, String)>, IdentityError> {
        let Some(source) = self.get("source_profile") else {
            return Ok(None);
        };
        self.reject_settings(&["credential_source", "mfa_serial", "external_id"])?;
        let Some(role) = self.get("role_arn") else {
            return Err(incomplete_pair("source_profile", "role_arn"));
        };
        let role = ProfileRole {
            arn: role.to_owned(),
            session: self.get("role_session_name").map(str::to_owned),
        };
        Ok(Some((role, source.to_owned())))
    }

    /// Returns the credentials. Returns `None` if the profile has only other settings. `is_source`
    /// means that a role is assumed with them.
    fn credentials(&self, is_source: bool) -> Result<Option<ProfileCredentials>, IdentityError> {
        let role = self.get("role_arn");
        let file = self.get("web_identity_token_file");
        // With these settings, other keys in the profile are not its credentials.
        self.reject_settings(&["credential_source"])?;
        let is_own_source = is_source && self.get("source_profile") == Some(self.name.as_str());
        if role.is_some() && file.is_none() && !is_own_source {
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
