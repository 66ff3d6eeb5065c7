//! Addresses of NATS servers.

use sluice_dial::{Basic, Sensitive};
use url::Url;

use super::super::{SendError, permanent};

/// Default port of an address.
const DEFAULT_PORT: u16 = 4222;

/// A server of an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    /// Whether the address asks for TLS.
    pub(super) is_secure: bool,
    pub(super) login: Option<Login>,
}

/// Credentials in an address. They replace those of the Secret, as in the reference's client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Login {
    Basic(Basic),
    Token(Sensitive<String>),
}

/// Parses a list of addresses, separated by commas. If one asks for TLS, all do.
pub(super) fn servers(list: &str) -> Result<Vec<Server>, SendError> {
    let servers = list.split(',').map(|address| server(address.trim()));
    let mut servers = servers.collect::<Result<Vec<_>, _>>()?;
    let is_secure = servers.iter().any(|server| server.is_secure);
    for server in &mut servers {
        server.is_secure = is_secure;
    }
    Ok(servers)
}

fn server(address: &str) -> Result<Server, SendError> {
    let invalid =
        || permanent("the NATS address is not usable: set spec.address to nats://HOST:PORT");
    let is_secure = match address.split_once("://") {
        None | Some(("nats", _)) => false,
        Some(("tls", _)) => true,
        Some(_) => {
            return Err(permanent(
                "the NATS address has a scheme other than nats and tls: websockets are not supported",
            ));
        }
    };
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let url = Url::parse(&format!("nats://{rest}")).map_err(|_| invalid())?;
    let host = url.host_str().filter(|host| !host.is_empty());
    let plain = |text: &str| {
        let decoded = percent_encoding::percent_decode_str(text);
        decoded.decode_utf8_lossy().into_owned()
    };
    let login = match (url.username(), url.password()) {
        ("", None) => None,
        (token, None) => Some(Login::Token(Sensitive::new(plain(token)))),
        (user, Some(password)) => Some(Login::Basic(Basic::new(plain(user), plain(password)))),
    };
    Ok(Server {
        host: host
            .ok_or_else(invalid)?
            .trim_matches(['[', ']'])
            .to_owned(),
        port: url.port().unwrap_or(DEFAULT_PORT),
        is_secure,
        login,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_host_port_and_login() {
        let parsed = |text: &str| {
            let servers = servers(text).ok()?.into_iter();
            let parts = servers.map(|it| (it.host, it.port, it.is_secure));
            Some(parts.collect::<Vec<_>>())
        };
        let plain = |host: &str, port| (host.to_owned(), port, false);
        assert_eq!(parsed("nats://a"), Some(vec![plain("a", 4222)]));
        assert_eq!(
            parsed("u:p@a:1, b:2"),
            Some(vec![plain("a", 1), plain("b", 2)])
        );
        assert_eq!(parsed("nats://[::1]:4222"), Some(vec![plain("::1", 4222)]));
        assert_eq!(
            parsed("nats://a,tls://b"),
            Some(vec![("a".into(), 4222, true), ("b".into(), 4222, true)])
        );
        for address in ["ws://a", "nats://", "nats://a:x", "", "nats://a b"] {
            assert_eq!(parsed(address), None, "{address}");
        }
    }

    #[test]
    fn login_of_address_is_basic_or_token() {
        let login = |text: &str| servers(text).unwrap().remove(0).login;
        let basic = Basic::new("u", "p@");
        assert_eq!(login("nats://u:p%40@a"), Some(Login::Basic(basic)));
        assert_eq!(login("nats://t@a"), Some(Login::Token("t".into())));
        assert_eq!(login("nats://a"), None);
        let shown = format!("{:?}", servers("nats://canary@a,nats://u:canary@b"));
        assert!(!shown.contains("canary"), "{shown}");
    }
}
