//! The Secret that the kubelet logs in to a private registry with.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sluice_dial::Sensitive;
use sluice_oci::keychain::{CONFIG_KEY, CONFIG_TYPE};

use crate::error::Error;
use crate::session::Session;

/// User and password for a registry, with the name of their Secret.
#[derive(Clone, Debug)]
pub struct PullSecret {
    /// The name of the Secret.
    pub name: String,
    registry: String,
    user: String,
    password: Sensitive<String>,
}

impl PullSecret {
    /// The Secret of `--image-pull-secret` with the credentials of `--registry-creds`. Without
    /// credentials nothing is written.
    pub fn parse(credentials: &str, name: &str, registry: &str) -> Result<Option<Self>, Error> {
        if credentials.is_empty() {
            return Ok(None);
        }
        if name.is_empty() {
            return Err(Error::user(
                "--registry-creds requires --image-pull-secret to be set",
            ));
        }
        match credentials.split_once(':') {
            Some((user, password)) if !password.contains(':') => Ok(Some(Self {
                name: name.to_owned(),
                registry: registry.to_owned(),
                user: user.to_owned(),
                password: password.into(),
            })),
            _ => Err(Error::user(
                "invalid --registry-creds format, expected 'user:password'",
            )),
        }
    }

    fn manifest(&self, namespace: &str) -> Value {
        let (user, password) = (&self.user, self.password.expose());
        let auth = BASE64_STANDARD.encode(format!("{user}:{password}"));
        let login = json!({ "username": user, "password": password, "auth": auth });
        let config = json!({ "auths": { &self.registry: login } }).to_string();
        json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": { "name": self.name, "namespace": namespace },
            "type": CONFIG_TYPE,
            "data": { CONFIG_KEY: BASE64_STANDARD.encode(config) },
        })
    }

    /// Creates the Secret, or replaces the credentials of an existing one.
    pub async fn write(&self, session: &Session<'_>) -> Result<(), Error> {
        let secret = self.manifest(&session.namespace);
        session
            .write_secret(&self.name, &secret, || secret.clone())
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(credentials: &str, name: &str) -> Result<Option<PullSecret>, Error> {
        PullSecret::parse(credentials, name, "registry.example.com/flux")
    }

    #[test]
    fn credentials_need_a_secret_a_user_and_a_password() {
        let invalid = "invalid --registry-creds format, expected 'user:password'";
        for (credentials, name, expected) in [
            ("", "", None),
            ("", "a", None),
            ("me:pass", "a", None),
            (
                "me:pass",
                "",
                Some("--registry-creds requires --image-pull-secret to be set"),
            ),
            ("me", "a", Some(invalid)),
            ("a:b:c", "a", Some(invalid)),
        ] {
            let refusal = parse(credentials, name).err();
            let refusal = refusal.as_ref().map(Error::message);
            assert_eq!(refusal, expected, "{credentials} {name}");
        }
    }

    #[test]
    fn manifest_is_readable_by_the_kubelet() {
        let secret = parse("me:pass", "regcred").unwrap().unwrap();
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
