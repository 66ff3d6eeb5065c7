//! Selects one server and one user from a merged kubeconfig and flags.
//!
//! Only [`Selection::into_config`] reads files; everything else is pure.

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kube::Config;
use kube::config::{AuthInfo, Cluster, Kubeconfig};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use sluice_system::fs;

use super::Flags;

/// Why a kubeconfig does not select a server and a user.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The name does not exist in the files.
    #[error("{what} {name:?} does not exist")]
    Unknown {
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// No context was selected.
    #[error("the kubeconfig sets no current-context: choose one with --context")]
    NoContext,
    /// The cluster has no server.
    #[error("the kubeconfig names no server for cluster {0:?}")]
    NoServer(String),
    /// The server is not a URL.
    #[error("server {server:?} is not a URL: {reason}")]
    Server {
        /// The server.
        server: String,
        /// The reason.
        reason: String,
    },
    /// The proxy is not a URL. It may hold a password, so it is not shown.
    #[error("proxy-url is not a URL")]
    Proxy,
    /// A credential cannot be used.
    #[error("{field}: {reason}")]
    Credential {
        /// The field of the kubeconfig.
        field: &'static str,
        /// The reason.
        reason: String,
    },
    /// The user has an `auth-provider`, which Kubernetes removed.
    #[error(
        "user authenticates with auth-provider {0:?}, which Kubernetes removed in 1.26: use its exec credential plugin"
    )]
    AuthProvider(String),
    /// Groups, uid or extras are impersonated without a user.
    #[error("--as-group, --as-uid and --as-user-extra need --as")]
    NoUser,
    /// An extra attribute is not `key=value`.
    #[error("--as-user-extra {0:?} is not key=value")]
    Extra(String),
}

/// One server and one user.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    pub(super) context: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) cluster_name: String,
    pub(super) cluster: Cluster,
    pub(super) user: AuthInfo,
}

/// Selects context, cluster and user. A flag must name an existing entry. A context may name a
/// missing user; the credentials are empty then.
pub(super) fn select(kubeconfig: &Kubeconfig, flags: &Flags) -> Result<Selection, ResolveError> {
    let unknown = |what, name: &str| ResolveError::Unknown {
        what,
        name: name.to_owned(),
    };
    let current = kubeconfig
        .current_context
        .as_ref()
        .filter(|name| !name.is_empty());
    let name = flags.context.as_ref().or(current);
    let context = name
        .map(|name| {
            let named = kubeconfig
                .contexts
                .iter()
                .find(|context| &context.name == name);
            named
                .map(|named| named.context.clone().unwrap_or_default())
                .ok_or_else(|| unknown("context", name))
        })
        .transpose()?;

    let in_context = context
        .as_ref()
        .map(|context| &context.cluster)
        .filter(|name| !name.is_empty());
    let cluster_name = flags.cluster.as_ref().or(in_context);
    let cluster = match cluster_name {
        Some(name) => {
            let named = kubeconfig
                .clusters
                .iter()
                .find(|cluster| &cluster.name == name);
            named
                .and_then(|named| named.cluster.clone())
                .ok_or_else(|| unknown("cluster", name))?
        }
        None if flags.server.is_some() => Cluster::default(),
        None if name.is_none() => return Err(ResolveError::NoContext),
        None => Cluster::default(),
    };

    let in_context = context.as_ref().and_then(|context| context.user.as_ref());
    let user = match flags.user.as_ref().or(in_context) {
        Some(name) => {
            let named = kubeconfig.auth_infos.iter().find(|user| &user.name == name);
            match named {
                Some(named) => named.auth_info.clone().unwrap_or_default(),
                None if flags.user.is_some() => return Err(unknown("user", name)),
                None => AuthInfo::default(),
            }
        }
        None => AuthInfo::default(),
    };
    let namespace = context
        .as_ref()
        .and_then(|context| context.namespace.clone())
        .filter(|name| !name.is_empty());
    Ok(Selection {
        context: name.cloned(),
        namespace,
        cluster_name: cluster_name.cloned().unwrap_or_default(),
        cluster,
        user,
    })
}

impl Selection {
    /// Overrides the files by the flags.
    pub(super) fn apply(&mut self, flags: &Flags) -> Result<(), ResolveError> {
        let text = |path: &Path| path.display().to_string();
        if let Some(server) = &flags.server {
            self.cluster.server = Some(server.clone());
        }
        if let Some(path) = &flags.certificate_authority {
            self.cluster.certificate_authority = Some(text(path));
            self.cluster.certificate_authority_data = None;
        }
        if flags.insecure_skip_tls_verify {
            // The flag overrides an authority in the file.
            self.cluster.insecure_skip_tls_verify = Some(true);
            self.cluster.certificate_authority = None;
            self.cluster.certificate_authority_data = None;
        }
        if let Some(name) = &flags.tls_server_name {
            self.cluster.tls_server_name = Some(name.clone());
        }
        if flags.disable_compression {
            self.cluster.disable_compression = Some(true);
        }
        if let Some(path) = &flags.client_certificate {
            self.user.client_certificate = Some(text(path));
            self.user.client_certificate_data = None;
        }
        if let Some(path) = &flags.client_key {
            self.user.client_key = Some(text(path));
            self.user.client_key_data = None;
        }
        if let Some(token) = &flags.token {
            // A given token overrides all other credentials.
            self.user.token = Some(token.expose().clone().into());
            self.user.token_file = None;
            self.user.username = None;
            self.user.password = None;
            self.user.exec = None;
            self.user.auth_provider = None;
        }
        self.apply_impersonation(flags)
    }

    fn apply_impersonation(&mut self, flags: &Flags) -> Result<(), ResolveError> {
        if let Some(user) = &flags.impersonate {
            self.user.impersonate = Some(user.clone());
        }
        if !flags.impersonate_groups.is_empty() {
            self.user.impersonate_groups = Some(flags.impersonate_groups.clone());
        }
        if let Some(uid) = &flags.impersonate_uid {
            self.user.impersonate_uid = Some(uid.clone());
        }
        for pair in &flags.impersonate_extra {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| ResolveError::Extra(pair.clone()))?;
            let extra = self.user.impersonate_user_extra.get_or_insert_default();
            extra
                .entry(key.to_owned())
                .or_default()
                .push(value.to_owned());
        }
        let someone = self
            .user
            .impersonate
            .as_ref()
            .is_some_and(|user| !user.is_empty());
        let more = self.user.impersonate_groups.is_some()
            || self.user.impersonate_uid.is_some()
            || self.user.impersonate_user_extra.is_some();
        if more && !someone {
            return Err(ResolveError::NoUser);
        }
        Ok(())
    }

    /// Makes the configuration of a client. Reads the files of the authority and of the token.
    pub(super) fn into_config(mut self) -> Result<Config, ResolveError> {
        if let Some(provider) = &self.user.auth_provider {
            return Err(ResolveError::AuthProvider(provider.name.clone()));
        }
        let (server, basic) = self.server()?;
        if let Some((username, password)) = basic {
            // Credentials in the URL override all others, as in Go's client.
            self.user.username = Some(username);
            self.user.password = Some(password.into());
            self.user.token = None;
            self.user.token_file = None;
            self.user.exec = None;
        }
        let mut config = Config::new(server);
        config.root_cert = authority(&self.cluster)?;
        if config.root_cert.is_some() && self.cluster.insecure_skip_tls_verify == Some(true) {
            let reason = "insecure-skip-tls-verify and a certificate authority exclude each other";
            return Err(credential("certificate-authority", reason));
        }
        if let Some(proxy) = self
            .cluster
            .proxy_url
            .as_ref()
            .filter(|proxy| !proxy.is_empty())
        {
            let proxy: http::Uri = proxy.parse().map_err(|_| ResolveError::Proxy)?;
            if !has_usable_port(&proxy) {
                return Err(ResolveError::Proxy);
            }
            config.proxy_url = Some(proxy);
        }
        if let Some(exec) = &mut self.user.exec
            && exec.provide_cluster_info
        {
            let cluster = (&self.cluster).try_into();
            exec.cluster =
                Some(cluster.map_err(|error| credential("certificate-authority", error))?);
        }
        tidy_token(&mut self.user)?;
        check_certificate(&self.user)?;
        if let Some(namespace) = self.namespace {
            config.default_namespace = namespace;
        }
        config.accept_invalid_certs = self.cluster.insecure_skip_tls_verify.unwrap_or(false);
        config.disable_compression = self.cluster.disable_compression.unwrap_or(false);
        config.tls_server_name = self.cluster.tls_server_name.filter(|name| !name.is_empty());
        config.auth_info = self.user;
        Ok(config)
    }

    /// The URL of the server without its credentials, and the credentials. kubectl takes a URL
    /// without a scheme as `http`. Here it is rejected, because a token would be sent in clear
    /// text.
    fn server(&self) -> Result<(http::Uri, Option<(String, String)>), ResolveError> {
        let server = self
            .cluster
            .server
            .as_deref()
            .filter(|server| !server.is_empty())
            .ok_or_else(|| ResolveError::NoServer(self.cluster_name.clone()))?;
        let invalid = |reason: &str| ResolveError::Server {
            server: display_server(server),
            reason: reason.to_owned(),
        };
        let url: http::Uri = server
            .parse()
            .map_err(|error: http::uri::InvalidUri| invalid(&error.to_string()))?;
        match url.scheme_str() {
            Some("https" | "http") => {}
            Some(_) => return Err(invalid("the scheme must be https or http")),
            None => return Err(invalid("it has no scheme, such as https://")),
        }
        if url.host().is_none_or(str::is_empty) {
            return Err(invalid("it names no host"));
        }
        if !has_usable_port(&url) {
            return Err(invalid("its port is not a port number"));
        }
        without_user(url).ok_or_else(|| invalid("it names no host"))
    }
}

/// A server for error messages, without its credentials.
fn display_server(server: &str) -> String {
    let start = server.find("://").map_or(0, |at| at + "://".len());
    let place = server[start..].rsplit('@').next().unwrap_or_default();
    format!("{}{place}", &server[..start])
}

/// Whether a URL has no port or a valid one. `http` ignores an invalid port and would dial the
/// default one.
fn has_usable_port(url: &http::Uri) -> bool {
    let authority = url.authority().map_or("", http::uri::Authority::as_str);
    let place = authority.rsplit('@').next().unwrap_or_default();
    let behind = place.rsplit_once(']').map_or(place, |(_, behind)| behind);
    behind
        .split_once(':')
        .is_none_or(|(_, port)| port.is_empty() || port.parse::<u16>().is_ok())
}

/// Splits user and password off a URL, decoded.
fn without_user(url: http::Uri) -> Option<(http::Uri, Option<(String, String)>)> {
    let authority = url.authority()?.clone();
    let Some((user, place)) = authority.as_str().rsplit_once('@') else {
        return Some((url, None));
    };
    let (username, password) = user.split_once(':').unwrap_or((user, ""));
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let mut parts = url.into_parts();
    parts.authority = Some(place.parse().ok()?);
    let url = http::Uri::from_parts(parts).ok()?;
    Some((url, Some((decoded(username), decoded(password)))))
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn credential(field: &'static str, reason: impl ToString) -> ResolveError {
    ResolveError::Credential {
        field,
        reason: reason.to_string(),
    }
}

/// The trusted authorities, DER.
fn authority(cluster: &Cluster) -> Result<Option<Vec<Vec<u8>>>, ResolveError> {
    let data = cluster
        .certificate_authority_data
        .as_deref()
        .filter(|data| !data.is_empty());
    let path = cluster
        .certificate_authority
        .as_deref()
        .filter(|path| !path.is_empty());
    let (field, pem) = match (data, path) {
        (Some(data), _) => {
            let field = "certificate-authority-data";
            (
                field,
                BASE64_STANDARD
                    .decode(data)
                    .map_err(|error| credential(field, error))?,
            )
        }
        (None, Some(path)) => {
            let field = "certificate-authority";
            (
                field,
                fs::read(path).map_err(|error| credential(field, error.go_message()))?,
            )
        }
        (None, None) => return Ok(None),
    };
    let certificates = CertificateDer::pem_slice_iter(&pem)
        .map(|certificate| certificate.map(|der| der.to_vec()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| credential(field, error))?;
    if certificates.is_empty() {
        return Err(credential(field, "no certificate in it"));
    }
    Ok(Some(certificates))
}

/// Checks the client certificate. The server could answer half of one only by "unauthorized", and
/// `kube` does not name a missing file.
fn check_certificate(user: &AuthInfo) -> Result<(), ResolveError> {
    let certificate = user.client_certificate.is_some() || user.client_certificate_data.is_some();
    let key = user.client_key.is_some() || user.client_key_data.is_some();
    match (certificate, key) {
        (true, false) => {
            return Err(credential(
                "client-certificate",
                "there is no client-key for it",
            ));
        }
        (false, true) => {
            return Err(credential(
                "client-key",
                "there is no client-certificate for it",
            ));
        }
        _ => {}
    }
    for (field, path, data) in [
        (
            "client-certificate",
            &user.client_certificate,
            user.client_certificate_data.is_some(),
        ),
        (
            "client-key",
            &user.client_key,
            user.client_key_data.is_some(),
        ),
    ] {
        if let Some(path) = path.as_ref().filter(|path| !data && !path.is_empty()) {
            fs::metadata(path).map_err(|error| credential(field, error.go_message()))?;
        }
    }
    Ok(())
}

/// Prefers a token file to a token, as kubectl does. A file that ends with a line break is read
/// here. `kube` would put the line break into a header. `kube` reads other files again when they
/// change.
fn tidy_token(user: &mut AuthInfo) -> Result<(), ResolveError> {
    let Some(path) = user.token_file.as_ref().filter(|path| !path.is_empty()) else {
        user.token_file = None;
        return Ok(());
    };
    let raw =
        fs::read_to_string(path).map_err(|error| credential("tokenFile", error.go_message()))?;
    let token = raw.trim();
    if token.is_empty() {
        return Err(credential("tokenFile", "it is empty"));
    }
    if token == raw {
        user.token = None;
    } else {
        user.token = Some(token.to_owned().into());
        user.token_file = None;
    }
    Ok(())
}

/// The proxy that `HTTPS_PROXY` and its like prescribe for a server, by Go's
/// rules: none for the loopback interface, and none for what `NO_PROXY` lists.
pub(super) fn proxy_of_environment(server: &http::Uri) -> Option<http::Uri> {
    let host = server.host()?.trim_start_matches('[').trim_end_matches(']');
    let loopback = host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if loopback {
        return None;
    }
    let found = hyper_util::client::proxy::matcher::Matcher::from_env().intercept(server)?;
    let uri = found.uri().clone();
    let Some((user, password)) = found.raw_auth() else {
        // The matcher moves `user:password@` into a header; the client under us
        // wants them in the URL.
        return Some(with_basic(&uri, found.basic_auth()).unwrap_or(uri));
    };
    with_authority(&uri, &format!("{}:{}", encode(user), encode(password))).or(Some(uri))
}

fn with_basic(uri: &http::Uri, header: Option<&http::HeaderValue>) -> Option<http::Uri> {
    let encoded = header?.to_str().ok()?.strip_prefix("Basic ")?;
    let pair = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
    let (user, password) = pair.split_once(':')?;
    with_authority(uri, &format!("{}:{}", encode(user), encode(password)))
}

fn with_authority(uri: &http::Uri, user: &str) -> Option<http::Uri> {
    let mut parts = uri.clone().into_parts();
    let place = parts.authority.as_ref()?.as_str();
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    parts.authority = Some(format!("{user}@{place}").parse().ok()?);
    http::Uri::from_parts(parts).ok()
}

fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}
