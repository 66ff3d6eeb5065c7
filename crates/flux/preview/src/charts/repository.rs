//! Downloads charts, indexes and values from web servers.

use sluice_dial::{Basic, Dial, explain, read_body};
use sluice_golang::quote::quote;
use url::{ParseError, Url};

use super::registry::{http_clients, wait};
use crate::{Error, Host};

/// Maximum size of an index. The largest public ones have 20 MB.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// A repository, and how to reach it.
pub struct ChartRepository {
    base: Url,
    /// The base address as it was typed, without a login.
    shown: String,
    dial: Dial,
    basic: Option<Basic>,
    passes_credentials: bool,
}

impl ChartRepository {
    /// A server without credentials and with the TLS of the system.
    fn anonymous(url: &str) -> Result<Self, Error> {
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

    /// A server with credentials.
    pub fn new(
        url: &str,
        dial: Dial,
        basic: Option<Basic>,
        passes_credentials: bool,
    ) -> Result<Self, Error> {
        Ok(Self {
            dial,
            basic,
            passes_credentials,
            ..Self::anonymous(url)?
        })
    }

    /// The base address.
    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// The base address for messages.
    pub(super) fn display_base(&self) -> &str {
        &self.shown
    }

    /// Returns an address below the repository, with the query of the repository. Absolute
    /// addresses stay.
    pub(super) fn resolve(&self, reference: &str) -> Result<Url, Error> {
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
    pub(super) fn index(&self, host: &impl Host) -> Result<Vec<u8>, Error> {
        let url = self.resolve("index.yaml")?;
        self.get(&url, MAX_INDEX_BYTES, host).map_err(|error| {
            let base = quote(&self.shown);
            let cause = error.message();
            Error::cluster(format!(
                "looks like {base} is not a valid chart repository or cannot be reached: {cause}"
            ))
            .hint("check --repo, and that its host is reachable")
        })
    }

    /// Downloads a file. Only the host of the repository receives the credentials, unless a flag
    /// sends them to all hosts.
    pub(super) fn get(&self, url: &Url, limit: u64, host: &impl Host) -> Result<Vec<u8>, Error> {
        let shown = without_login(url);
        let failed = |reason: String| {
            Error::cluster(format!("failed to fetch {shown}: {reason}"))
                .hint("check the URL, and that its host is reachable")
        };
        if !is_http(url.as_str()) {
            let scheme = url.scheme();
            return Err(failed(format!("scheme {} not supported", quote(scheme))));
        }
        let client = http_clients().get(&self.dial);
        let client = client.map_err(|error| failed(error.to_string()))?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_same_host = url.origin() == self.base.origin();
        let basic = self.basic.as_ref();
        let basic = basic.filter(|_| self.passes_credentials || is_same_host);
        wait(host, async {
            let mut request = client.get(url.clone());
            if let Some(basic) = basic {
                request = request.header("authorization", basic.header());
            }
            let response = request.send().await;
            let response = response.map_err(|error| failed(explain(&error)))?;
            let status = response.status();
            if !status.is_success() {
                let text = format!("failed to fetch {shown} : {status}");
                return Err(Error::cluster(text).hint("check the URL and the credentials"));
            }
            let body = read_body(response, limit).await;
            let body = body.map_err(|error| failed(error.to_string()))?;
            Ok(body.to_vec())
        })
    }
}

/// Whether a name is an HTTP(S) address.
pub fn is_http(name: &str) -> bool {
    name.starts_with("https://") || name.starts_with("http://")
}

/// Downloads a file without credentials.
pub fn fetch(url: &str, limit: u64, host: &impl Host) -> Result<Vec<u8>, Error> {
    let server = ChartRepository::anonymous(url)?;
    server.get(server.base(), limit, host)
}

/// Removes user and password from an address.
pub(super) fn without_login(url: &Url) -> Url {
    let mut url = url.clone();
    // Fails for addresses without a host, which have no login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

fn malformed(error: ParseError) -> Error {
    Error::user(format!("invalid chart URL format: {error}")).hint("write it as https://HOST/PATH")
}

#[cfg(test)]
mod tests {
    use super::{ChartRepository, Url, without_login};

    #[test]
    fn login_in_an_address_is_not_shown() {
        let url = Url::parse("https://user:p%40ss@host/a.tgz?x=@").unwrap();
        assert_eq!(without_login(&url).as_str(), "https://host/a.tgz?x=@");
    }

    #[test]
    fn chart_address_is_relative_to_the_repository() {
        let server = ChartRepository::anonymous("https://a.b/c?token=t").unwrap();
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
