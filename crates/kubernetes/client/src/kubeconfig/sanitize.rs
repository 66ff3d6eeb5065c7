//! A kubeconfig out of a Secret, reduced to what may be believed.
//!
//! Whoever may write that Secret must not gain our process: a credential plugin
//! would run a program in it, a file reference would send our files to a server
//! of their choosing (CVE-2022-24817). What survives is where the server is, how
//! to verify it, a proxy, and credentials that are spelled out.

use std::fmt;

use kube::Config;
use kube::config::{AuthInfo, Cluster, Kubeconfig, KubeconfigError};

use super::resolve::{self, Chosen};
use super::{Flags, LoadError, files};

/// What the operator of the controller allows, by flags that say "insecure".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Permit {
    /// `--insecure-kubeconfig-exec`
    pub exec: bool,
    /// `--insecure-kubeconfig-tls`
    pub insecure_tls: bool,
}

/// Something that a kubeconfig asked for and did not get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// A credential plugin.
    Exec,
    /// A removed kind of credential helper.
    AuthProvider,
    /// A path, by the name of its field.
    File(&'static str),
    /// Not to verify the server.
    InsecureTls,
    /// To act as someone else.
    Impersonation,
}

impl fmt::Display for Dropped {
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

/// What is left of a kubeconfig. Only [`sanitize`] makes one, so whatever takes
/// it cannot be handed a kubeconfig that was not looked at.
#[derive(Debug, Clone)]
pub struct Sanitized {
    config: Config,
    dropped: Vec<Dropped>,
}

impl Sanitized {
    /// Ready for [`crate::Cluster::connect`].
    pub fn into_config(self) -> Config {
        self.config
    }

    /// What was dropped, for a message: a missing credential reads as
    /// "unauthorized" otherwise.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }
}

/// Reads a kubeconfig and keeps what may be believed.
pub fn sanitize(text: &str, permit: Permit) -> Result<Sanitized, LoadError> {
    let kubeconfig =
        Kubeconfig::from_yaml(text).map_err(|error| LoadError::Parse(parse_reason(&error)))?;
    let mut chosen = resolve::choose(&kubeconfig, &Flags::default())?;
    let dropped = strip(&mut chosen, permit);
    let mut config = chosen.into_config()?;
    if config.proxy_url.is_none() {
        config.proxy_url = resolve::proxy_of_environment(&config.cluster_url);
    }
    Ok(Sanitized { config, dropped })
}

/// The position and kind of a mistake, up to where it begins to quote: the text
/// is a Secret's.
fn parse_reason(error: &KubeconfigError) -> String {
    let text = files::parse_reason(error);
    text.split(['"', '`', '\''])
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_owned()
}

/// Rebuilds server and user from the fields that are known to be harmless, so
/// that a field that is added to the format one day is dropped until someone
/// has thought about it.
fn strip(chosen: &mut Chosen, permit: Permit) -> Vec<Dropped> {
    let mut dropped = Vec::new();
    let cluster = std::mem::take(&mut chosen.cluster);
    let user = std::mem::take(&mut chosen.user);

    let insecure = cluster.insecure_skip_tls_verify == Some(true);
    if insecure && !permit.insecure_tls {
        dropped.push(Dropped::InsecureTls);
    }
    let exec = user.exec.is_some();
    if exec && !permit.exec {
        dropped.push(Dropped::Exec);
    }
    if user.auth_provider.is_some() {
        dropped.push(Dropped::AuthProvider);
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
            .map(|(field, _)| Dropped::File(field)),
    );
    if user.impersonate.is_some()
        || user.impersonate_uid.is_some()
        || user.impersonate_groups.is_some()
        || user.impersonate_user_extra.is_some()
    {
        dropped.push(Dropped::Impersonation);
    }

    chosen.cluster = Cluster {
        server: cluster.server,
        certificate_authority_data: cluster.certificate_authority_data,
        insecure_skip_tls_verify: (insecure && permit.insecure_tls).then_some(true),
        proxy_url: cluster.proxy_url,
        tls_server_name: cluster.tls_server_name,
        disable_compression: cluster.disable_compression,
        ..Cluster::default()
    };
    chosen.user = AuthInfo {
        username: user.username,
        password: user.password,
        token: user.token,
        client_certificate_data: user.client_certificate_data,
        client_key_data: user.client_key_data,
        exec: user.exec.filter(|_| permit.exec),
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

    fn clean(cluster: &str, user: &str, permit: Permit) -> Sanitized {
        sanitize(&kubeconfig(cluster, user), permit).unwrap()
    }

    #[test]
    fn what_runs_or_reads_something_is_dropped() {
        let cases = [
            (
                "",
                "exec: {command: /bin/sh, apiVersion: client.authentication.k8s.io/v1}",
                vec![Dropped::Exec],
            ),
            (
                "",
                "auth-provider: {name: gcp, config: {cmd-path: /bin/sh}}",
                vec![Dropped::AuthProvider],
            ),
            (
                "",
                "tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token",
                vec![Dropped::File("tokenFile")],
            ),
            (
                "certificate-authority: /etc/ssl/ca",
                "client-certificate: /etc/c, client-key: /etc/k",
                vec![
                    Dropped::File("certificate-authority"),
                    Dropped::File("client-certificate"),
                    Dropped::File("client-key"),
                ],
            ),
            (
                "insecure-skip-tls-verify: true",
                "",
                vec![Dropped::InsecureTls],
            ),
            (
                "",
                "as: admin, as-groups: [system:masters]",
                vec![Dropped::Impersonation],
            ),
        ];
        for (cluster, user, expected) in cases {
            let clean = clean(cluster, user, Permit::default());
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
    fn what_is_spelled_out_survives() {
        let config = clean(
            "proxy-url: 'http://proxy:3128', tls-server-name: api.example.com",
            "username: u, password: p, token: t",
            Permit::default(),
        )
        .into_config();
        assert_eq!(config.cluster_url, "https://remote:6443");
        assert_eq!(config.default_namespace, "apps");
        assert_eq!(config.proxy_url.unwrap(), "http://proxy:3128");
        assert_eq!(config.tls_server_name.as_deref(), Some("api.example.com"));
        assert!(config.auth_info.token.is_some() && config.auth_info.password.is_some());
    }

    #[test]
    fn an_operator_may_allow_what_is_insecure() {
        let permit = Permit {
            exec: true,
            insecure_tls: true,
        };
        let clean = clean(
            "insecure-skip-tls-verify: true",
            "exec: {command: aws}",
            permit,
        );
        assert!(clean.dropped().is_empty());
        let config = clean.into_config();
        assert!(config.accept_invalid_certs && config.auth_info.exec.is_some());
    }

    #[test]
    fn text_that_is_no_kubeconfig_is_refused_without_being_quoted() {
        for text in [
            "",
            "- a\n- list",
            "token: canary-secret\nclusters: {canary-secret: [",
            "users: canary-secret",
            "users: [{name: u, user: {exec: canary-secret}}]",
            "current-context: none",
        ] {
            let error = sanitize(text, Permit::default()).unwrap_err();
            assert!(!error.to_string().contains("canary"), "{error}");
        }
    }
}
