//! Downloads charts, indexes and values from web servers.

use std::path::PathBuf;

use sluice_dial::{Basic, ClientCertificate, Dial, Tls, explain, read_body};
use sluice_golang::error::chain;
use sluice_golang::quote::quote;
use sluice_system::fs;
use url::{ParseError, Url};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry;

/// Maximum size of an index. The largest public ones have 20 MB.
const MAX_INDEX_BYTES: u64 = 256 << 20;
/// Maximum size of a certificate or key.
const MAX_PEM_BYTES: u64 = 1 << 20;

/// Credentials and TLS of chart repositories.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct WebFlags {
    /// User name for the chart repository or registry
    #[arg(long, value_name = "USER")]
    username: Option<String>,
    /// Password for the chart repository or registry
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
    /// Send the user name and password to all hosts
    #[arg(long, switch = false)]
    pass_credentials: bool,
    /// CA certificates of HTTPS servers
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Client certificate for HTTPS servers
    #[arg(long, value_name = "FILE")]
    cert_file: Option<PathBuf>,
    /// Key of the client certificate
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl WebFlags {
    /// Credentials of the flags. Helm ignores one without the other.
    pub(super) fn basic(&self) -> Option<Basic> {
        let user = self.username.as_deref().filter(|user| !user.is_empty())?;
        let password = self.password.as_deref();
        let password = password.filter(|password| !password.is_empty())?;
        Some(Basic::new(user, password.to_owned()))
    }

    /// TLS options of the flags.
    pub(super) fn tls(&self, context: &Context) -> Result<Tls, CommandError> {
        let read = |path: &PathBuf| {
            fs::read_limited(path, MAX_PEM_BYTES).map_err(|error| CommandError::user(chain(&error)))
        };
        let invalid = |error: sluice_dial::Invalid| {
            CommandError::user(format!("can't create TLS config for client: {error}"))
        };
        let mut tls = match &self.ca_file {
            Some(path) => Tls::with_ca(&read(path)?)
                .map_err(invalid)?
                .replacing_system(),
            None => Tls::default(),
        };
        if let (Some(certificate), Some(key)) = (&self.cert_file, &self.key_file) {
            let pair = ClientCertificate::new(&read(certificate)?, &read(key)?);
            tls.certificate = Some(pair.map_err(invalid)?);
        }
        tls.insecure = context.globals.insecure_skip_tls_verify;
        Ok(tls)
    }

    /// Opens the web server of a repository or a chart.
    pub(super) fn open(&self, base: &str, context: &Context) -> Result<WebServer, CommandError> {
        let dial = Dial {
            tls: self.tls(context)?,
            ..Dial::default()
        };
        Ok(WebServer {
            dial,
            basic: self.basic(),
            passes_credentials: self.pass_credentials,
            ..WebServer::anonymous(base)?
        })
    }
}

/// A repository, and how to reach it.
pub(super) struct WebServer {
    base: Url,
    /// The base address as it was typed, without a login.
    shown: String,
    dial: Dial,
    basic: Option<Basic>,
    passes_credentials: bool,
}

impl WebServer {
    /// A server without credentials and with the TLS of the system.
    pub(super) fn anonymous(url: &str) -> Result<Self, CommandError> {
        let base = Url::parse(url).map_err(malformed)?;
        let has_login = !base.username().is_empty() || base.password().is_some();
        let shown = if has_login {
            without_login(&base).to_string()
        } else {
            url.to_owned()
        };
        Ok(Self {
            base,
            shown,
            dial: Dial::default(),
            basic: None,
            passes_credentials: false,
        })
    }

    /// The base address.
    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// The base address for messages.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns an address below the repository, with the query of the repository. Absolute
    /// addresses stay.
    pub(super) fn resolve(&self, reference: &str) -> Result<Url, CommandError> {
        match Url::parse(reference) {
            Err(ParseError::RelativeUrlWithoutBase) => {
                let mut base = self.base.clone();
                let path = base.path();
                let path = format!("{}/", path.strip_suffix('/').unwrap_or(path));
                base.set_path(&path);
                let joined = base.join(reference);
                let mut url = joined.map_err(malformed)?;
                url.set_query(self.base.query());
                Ok(url)
            }
            parsed => parsed.map_err(malformed),
        }
    }

    /// Downloads the index of the repository.
    pub(super) fn index(&self, context: &Context) -> Result<Vec<u8>, CommandError> {
        let url = self.resolve("index.yaml")?;
        self.get(&url, MAX_INDEX_BYTES, context).map_err(|error| {
            let base = quote(&self.shown);
            let cause = error.message();
            CommandError::cluster(format!(
                "looks like {base} is not a valid chart repository or cannot be reached: {cause}"
            ))
        })
    }

    /// Downloads a file. Only the host of the repository receives the credentials, unless a flag
    /// sends them to all hosts.
    pub(super) fn get(
        &self,
        url: &Url,
        limit: u64,
        context: &Context,
    ) -> Result<Vec<u8>, CommandError> {
        let shown = without_login(url);
        let failed =
            |reason: String| CommandError::cluster(format!("failed to fetch {shown}: {reason}"));
        if !is_http(url.as_str()) {
            let scheme = url.scheme();
            return Err(failed(format!("scheme {} not supported", quote(scheme))));
        }
        let client = registry::http_clients().get(&self.dial);
        let client = client.map_err(|error| failed(error.to_string()))?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_same_host = url.origin() == self.base.origin();
        let basic = self.basic.as_ref();
        let basic = basic.filter(|_| self.passes_credentials || is_same_host);
        registry::wait(context, async {
            let mut request = client.get(url.clone());
            if let Some(basic) = basic {
                request = request.header("authorization", basic.header());
            }
            let response = request.send().await;
            let response = response.map_err(|error| failed(explain(&error)))?;
            let status = response.status();
            if !status.is_success() {
                let text = format!("failed to fetch {shown} : {status}");
                return Err(CommandError::cluster(text));
            }
            let body = read_body(response, limit).await;
            let body = body.map_err(|error| failed(error.to_string()))?;
            Ok(body.to_vec())
        })
    }
}

/// Whether a name is an HTTP(S) address.
pub(super) fn is_http(name: &str) -> bool {
    name.starts_with("https://") || name.starts_with("http://")
}

/// Downloads a file without credentials.
pub(super) fn fetch(url: &str, limit: u64, context: &Context) -> Result<Vec<u8>, CommandError> {
    let server = WebServer::anonymous(url)?;
    server.get(server.base(), limit, context)
}

/// Removes user and password from an address.
pub(super) fn without_login(url: &Url) -> Url {
    let mut url = url.clone();
    // Fails for addresses without a host, which have no login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

fn malformed(error: ParseError) -> CommandError {
    CommandError::user(format!("invalid chart URL format: {error}"))
        .hint("write it as https://HOST/PATH")
}

#[cfg(test)]
mod tests {
    use super::{Url, WebServer, without_login};

    #[test]
    fn login_in_an_address_is_not_shown() {
        let url = Url::parse("https://user:p%40ss@host/a.tgz?x=@").unwrap();
        assert_eq!(without_login(&url).as_str(), "https://host/a.tgz?x=@");
    }

    #[test]
    fn chart_address_is_relative_to_the_repository() {
        let server = WebServer::anonymous("https://a.b/c?token=t").unwrap();
        for (reference, expected) in [
            ("d.tgz", "https://a.b/c/d.tgz?token=t"),
            ("/d.tgz", "https://a.b/d.tgz?token=t"),
            ("../d.tgz", "https://a.b/d.tgz?token=t"),
            ("https://c.d/e.tgz?f=g", "https://c.d/e.tgz?f=g"),
        ] {
            let url = server.resolve(reference).unwrap();
            assert_eq!(url.as_str(), expected, "{reference}");
        }
    }
}
