//! The text of a kubeconfig with one cluster and one user.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::authority::Identity;

/// The credential of a kubeconfig's user.
#[derive(Debug, Clone, Copy)]
pub enum Credential<'a> {
    /// A bearer token.
    Token(&'a str),
    /// A client certificate.
    Certificate(&'a Identity),
}

/// Formats a kubeconfig. Certificates are embedded, so the file can be copied.
pub fn text(
    name: &str,
    server: &str,
    authority: &str,
    user: &str,
    credential: Credential<'_>,
) -> String {
    let credential = match credential {
        Credential::Token(token) => format!("token: {token}"),
        Credential::Certificate(identity) => format!(
            "client-certificate-data: {}\n    client-key-data: {}",
            STANDARD.encode(&identity.certificate),
            STANDARD.encode(&identity.key)
        ),
    };
    let authority = STANDARD.encode(authority);
    format!(
        "apiVersion: v1
kind: Config
current-context: {name}
clusters:
- name: {name}
  cluster:
    server: {server}
    certificate-authority-data: {authority}
contexts:
- name: {name}
  context:
    cluster: {name}
    user: {user}
users:
- name: {user}
  user:
    {credential}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_parses_into_same_parts() {
        let text = text(
            "dev",
            "https://127.0.0.1:1",
            "PEM",
            "admin",
            Credential::Token("secret"),
        );
        let read = kube::config::Kubeconfig::from_yaml(&text).unwrap();
        assert_eq!(read.current_context.as_deref(), Some("dev"));
        let cluster = read.clusters[0].cluster.as_ref().unwrap();
        assert_eq!(cluster.server.as_deref(), Some("https://127.0.0.1:1"));
        assert_eq!(cluster.certificate_authority_data.as_deref(), Some("UEVN"));
        assert_eq!(read.auth_infos[0].name, "admin");
    }
}
