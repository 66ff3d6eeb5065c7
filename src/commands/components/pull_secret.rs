//! The Secret that the kubelet logs in to a private registry with.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_oci::keychain::{CONFIG_KEY, CONFIG_TYPE};

use super::ComponentArgs;
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;

/// User and password for a registry, with the name of the Secret that they are written into.
pub(in crate::commands) struct PullSecret<'a> {
    pub(in crate::commands) name: &'a str,
    registry: &'a str,
    user: &'a str,
    password: &'a str,
}

impl<'a> PullSecret<'a> {
    /// The one that the flags ask for, if they do.
    pub(in crate::commands) fn of(args: &'a ComponentArgs) -> Result<Option<Self>, CommandError> {
        let typed = args.registry_creds.as_deref().unwrap_or_default();
        if typed.is_empty() {
            return Ok(None);
        }
        let name = args.image_pull_secret.as_deref().unwrap_or_default();
        if name.is_empty() {
            return Err(CommandError::user(
                "--registry-creds requires --image-pull-secret to be set",
            ));
        }
        match typed.split_once(':') {
            Some((user, password)) if !password.contains(':') => Ok(Some(Self {
                name,
                registry: args.registry(),
                user,
                password,
            })),
            _ => Err(CommandError::user(
                "invalid --registry-creds format, expected 'user:password'",
            )),
        }
    }

    fn manifest(&self, namespace: &str) -> Value {
        let Self {
            name,
            registry,
            user,
            password,
        } = self;
        let auth = BASE64_STANDARD.encode(format!("{user}:{password}"));
        let login = json!({ "username": user, "password": password, "auth": auth });
        let config = json!({ "auths": { *registry: login } }).to_string();
        json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": { "name": name, "namespace": namespace },
            "type": CONFIG_TYPE,
            "data": { CONFIG_KEY: BASE64_STANDARD.encode(config) },
        })
    }

    /// Creates the Secret, or replaces the credentials in the one that is there.
    pub(in crate::commands) async fn write(&self, context: &Context) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let namespace = context.namespace();
        let secret = self.manifest(&namespace);
        let cluster = context.cluster()?;
        let created = cluster.create(&gvk, Some(&namespace), &secret, options);
        let written = match created.await {
            Err(error) if error.is_already_exists() => {
                cluster
                    .merge(&gvk, Some(&namespace), self.name, &secret, options)
                    .await
            }
            created => created,
        };
        written.map(drop).map_err(|error| refusal(&error))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn args(line: &str) -> ComponentArgs {
        let command = ComponentArgs::augment_args(Command::new("install").no_binary_name(true));
        let matches = command
            .try_get_matches_from(line.split_whitespace())
            .unwrap();
        ComponentArgs::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn credentials_need_a_secret_and_are_a_user_and_a_password() {
        for (line, refused) in [
            ("", None),
            ("--image-pull-secret=a", None),
            ("--image-pull-secret=a --registry-creds=me:pass", None),
            (
                "--registry-creds=me:pass",
                Some("--registry-creds requires --image-pull-secret to be set"),
            ),
            (
                "--image-pull-secret=a --registry-creds=me",
                Some("invalid --registry-creds format, expected 'user:password'"),
            ),
            (
                "--image-pull-secret=a --registry-creds=a:b:c",
                Some("invalid --registry-creds format, expected 'user:password'"),
            ),
        ] {
            let args = args(line);
            let refusal = PullSecret::of(&args).err();
            let refusal = refusal.as_ref().map(CommandError::message);
            assert_eq!(refusal, refused, "{line}");
        }
    }

    #[test]
    fn the_pull_secret_is_what_the_kubelet_reads() {
        let registry = "--registry=registry.example.com/flux/";
        let args = args(&format!(
            "--image-pull-secret=regcred --registry-creds=me:pass {registry}"
        ));
        let secret = PullSecret::of(&args).unwrap().unwrap();
        let secret = secret.manifest("flux-system");
        assert_eq!(secret["metadata"]["name"], "regcred");
        assert_eq!(secret["type"], "kubernetes.io/dockerconfigjson");
        let data = secret["data"][".dockerconfigjson"].as_str().unwrap();
        let config: Value = serde_json::from_slice(&BASE64_STANDARD.decode(data).unwrap()).unwrap();
        assert_eq!(
            config,
            json!({"auths": {"registry.example.com/flux": {
                "username": "me", "password": "pass", "auth": "bWU6cGFzcw=="}}})
        );
    }
}
