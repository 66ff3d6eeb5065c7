//! Drops the unsafe fields of a kubeconfig from a Secret.
//!
//! The author of that Secret must not gain the rights of this process: a credential plugin would
//! run a program in it. A file reference would send its files to a server of the author
//! (CVE-2022-24817). The address, the verification, a proxy and inline credentials are kept.

use std::fmt;

use kube::Config;
use kube::config::{AuthInfo, Cluster, Kubeconfig, KubeconfigError};

use super::resolve::{self, Selection};
use super::{Flags, LoadError, files};

/// The unsafe fields that the operator allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AllowedFields {
    /// `--insecure-kubeconfig-exec`
    pub exec: bool,
    /// `--insecure-kubeconfig-tls`
    pub insecure_tls: bool,
}

/// A dropped field of a kubeconfig.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DroppedField {
    /// A credential plugin.
    Exec,
    /// An `auth-provider`, which Kubernetes removed.
    AuthProvider,
    /// A path in this field.
    File(&'static str),
    /// Disabled verification of the server.
    InsecureTls,
    /// Impersonation.
    Impersonation,
}

impl fmt::Display for DroppedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exec => f.write_str("exec (allowed only by --insecure-kubeconfig-exec)"),
            Self::AuthProvider => f.write_str("auth-provider"),
            Self::File(field) => write!(f, "{field} (a path; give the data instead)"),
            Self::InsecureTls => {
                f.write_str("insecure-skip-tls-verify (allowed only by --insecure-kubeconfig-tls)")
            }
            Self::Impersonation => f.write_str("as, as-uid, as-groups and as-user-extra"),
        }
    }
}

/// A sanitized kubeconfig. Only [`sanitize`] makes one.
#[derive(Debug, Clone)]
pub struct SanitizedKubeconfig {
    config: Config,
    dropped: Vec<DroppedField>,
}

impl SanitizedKubeconfig {
    /// Ready for [`crate::Cluster::connect`].
    pub fn into_config(self) -> Config {
        self.config
    }

    /// The dropped fields, for a message. Otherwise a dropped credential only shows as
    /// "unauthorized".
    pub fn dropped(&self) -> &[DroppedField] {
        &self.dropped
    }
}

/// Parses a kubeconfig and drops its unsafe fields.
pub fn sanitize(text: &str, allowed: AllowedFields) -> Result<SanitizedKubeconfig, LoadError> {
    let kubeconfig =
        Kubeconfig::from_yaml(text).map_err(|error| LoadError::Parse(parse_reason(&error)))?;
    let mut selection = resolve::select(&kubeconfig, &Flags::default())?;
    let dropped = strip(&mut selection, allowed);
    let mut config = selection.into_config()?;
    if config.proxy_url.is_none() {
        config.proxy_url = resolve::proxy_of_environment(&config.cluster_url);
    }
    Ok(SanitizedKubeconfig { config, dropped })
}

/// A parse error without the quoted text, which is part of a Secret.
fn parse_reason(error: &KubeconfigError) -> String {
    let text = files::parse_reason(error);
    text.split(['"', '`', '\''])
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_owned()
}

/// Rebuilds server and user from the safe fields, so that new fields of the format are dropped.
fn strip(selection: &mut Selection, allowed: AllowedFields) -> Vec<DroppedField> {
    let mut dropped = Vec::new();
    let cluster = std::mem::take(&mut selection.cluster);
    let user = std::mem::take(&mut selection.user);

    let insecure = cluster.insecure_skip_tls_verify == Some(true);
    if insecure && !allowed.insecure_tls {
        dropped.push(DroppedField::InsecureTls);
    }
    let exec = user.exec.is_some();
    if exec && !allowed.exec {
        dropped.push(DroppedField::Exec);
    }
    if user.auth_provider.is_some() {
        dropped.push(DroppedField::AuthProvider);
    }
    let files = [
        ("certificate-authority", &cluster.certificate_authority),
        ("client-certificate", &user.client_certificate),
        ("client-key", &user.client_key),
        ("tokenFile", &user.token_file),
    ];
    dropped.extend(
        files
            .into_iter()
            .filter(|(_, path)| path.is_some())
            .map(|(field, _)| DroppedField::File(field)),
    );
    if user.impersonate.is_some()
        || user.impersonate_uid.is_some()
        || user.impersonate_groups.is_some()
        || user.impersonate_user_extra.is_some()
    {
        dropped.push(DroppedField::Impersonation);
    }

    selection.cluster = Cluster {
        server: cluster.server,
        certificate_authority_data: cluster.certificate_authority_data,
        insecure_skip_tls_verify: (insecure && allowed.insecure_tls).then_some(true),
        proxy_url: cluster.proxy_url,
        tls_server_name: cluster.tls_server_name,
        disable_compression: cluster.disable_compression,
        ..Cluster::default()
    };
    selection.user = AuthInfo {
        username: user.username,
        password: user.password,
        token: user.token,
        client_certificate_data: user.client_certificate_data,
        client_key_data: user.client_key_data,
        exec: user.exec.filter(|_| allowed.exec),
        ..AuthInfo::default()
    };
    dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kubeconfig(cluster: &str, user: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
             contexts: [{{name: c, context: {{cluster: c, user: u, namespace: apps}}}}]\n\
             clusters: [{{name: c, cluster: {{server: 'https://remote:6443', {cluster}}}}}]\n\
             users: [{{name: u, user: {{{user}}}}}]\n"
        )
    }

    fn clean(cluster: &str, user: &str, allowed: AllowedFields) -> SanitizedKubeconfig {
        sanitize(&kubeconfig(cluster, user), allowed).unwrap()
    }

    #[test]
    fn unsafe_fields_are_dropped() {
        let cases = [
            (
                "",
                "exec: {command: /bin/sh, apiVersion: client.authentication.k8s.io/v1}",
                vec![DroppedField::Exec],
            ),
            (
                "",
                "auth-provider: {name: gcp, config: {cmd-path: /bin/sh}}",
                vec![DroppedField::AuthProvider],
            ),
            (
                "",
                "tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token",
                vec![DroppedField::File("tokenFile")],
            ),
            (
                "certificate-authority: /etc/ssl/ca",
                "client-certificate: /etc/c, client-key: /etc/k",
                vec![
                    DroppedField::File("certificate-authority"),
                    DroppedField::File("client-certificate"),
                    DroppedField::File("client-key"),
                ],
            ),
            (
                "insecure-skip-tls-verify: true",
                "",
                vec![DroppedField::InsecureTls],
            ),
            (
                "",
                "as: admin, as-groups: [system:masters]",
                vec![DroppedField::Impersonation],
            ),
        ];
        for (cluster, user, expected) in cases {
            let clean = clean(cluster, user, AllowedFields::default());
            assert_eq!(clean.dropped(), expected, "{cluster} {user}");
            let config = clean.into_config();
            let info = &config.auth_info;
            assert!(
                info.exec.is_none() && info.auth_provider.is_none() && info.token_file.is_none()
            );
            assert!(
                info.client_certificate.is_none()
                    && info.client_key.is_none()
                    && info.impersonate.is_none()
            );
            assert!(
                info.impersonate_groups.is_none()
                    && config.root_cert.is_none()
                    && !config.accept_invalid_certs
            );
        }
    }

    #[test]
    fn inline_fields_are_kept() {
        let config = clean(
            "proxy-url: 'http://proxy:3128', tls-server-name: api.example.com",
            "username: u, password: p, token: t",
            AllowedFields::default(),
        )
        .into_config();
        assert_eq!(config.cluster_url, "https://remote:6443");
        assert_eq!(config.default_namespace, "apps");
        assert_eq!(config.proxy_url.unwrap(), "http://proxy:3128");
        assert_eq!(config.tls_server_name.as_deref(), Some("api.example.com"));
        assert!(config.auth_info.token.is_some() && config.auth_info.password.is_some());
    }

    #[test]
    fn operator_may_allow_insecure_fields() {
        let allowed = AllowedFields {
            exec: true,
            insecure_tls: true,
        };
        let clean = clean(
            "insecure-skip-tls-verify: true",
            "exec: {command: aws}",
            allowed,
        );
        assert!(clean.dropped().is_empty());
        let config = clean.into_config();
        assert!(config.accept_invalid_certs && config.auth_info.exec.is_some());
    }

    #[test]
    fn invalid_kubeconfig_is_not_quoted() {
        for text in [
            "",
            "- a\n- list",
            "token: canary-secret\nclusters: {canary-secret: [",
            "users: canary-secret",
            "users: [{name: u, user: {exec: canary-secret}}]",
            "current-context: none",
        ] {
            let error = sanitize(text, AllowedFields::default()).unwrap_err();
            assert!(!error.to_string().contains("canary"), "{error}");
        }
    }

    #[test]
    fn yaml_that_grows_is_refused() {
        let levels = (1..12).map(|level| {
            let items = vec![format!("*a{}", level - 1); 9].join(", ");
            format!("a{level}: &a{level} [{items}]\n")
        });
        let aliases =
            "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned() + &levels.collect::<String>();
        let nested = format!("a: {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
        for text in [aliases, nested] {
            assert!(sanitize(&text, AllowedFields::default()).is_err());
        }
    }
}
