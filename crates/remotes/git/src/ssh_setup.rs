//! For commands that set up SSH: making a key pair, reading one, and asking a host for its key.
//!
//! A host that is asked for its key is not believed by it: whoever stores the answer decides to
//! trust the network of that moment. Nothing else of this crate ever does.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use russh::client;
use russh::keys::ssh_key::{EcdsaCurve, LineEnding};
use russh::keys::{Algorithm, PrivateKey, PublicKey, PublicKeyOrCertificate};
use sluice_dial::Sensitive;

use crate::error::{Error, Phase, Result};
use crate::private_key;
use crate::transport::Deadline;
use crate::transport::ssh::known_hosts::KnownHost;
use crate::transport::ssh::tcp;

/// What kind of key to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// Of so many bits.
    Rsa(usize),
    /// On the curve P-256.
    EcdsaP256,
    /// On the curve P-384.
    EcdsaP384,
    /// On the curve P-521.
    EcdsaP521,
    /// The shortest and fastest.
    Ed25519,
}

/// A private key with its public half, both as OpenSSH writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// As it was given, or new.
    pub private: Sensitive<String>,
    /// One line, without a comment.
    pub public: String,
}

/// Why there is no key pair.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyPairError {
    /// The key cannot be made.
    #[error("cannot make a key: {0}")]
    Make(String),
    /// The key cannot be read. The library's own words may quote what it could not read.
    #[error(
        "the private key cannot be read: damaged, encrypted with another passphrase, or of an \
         unknown type"
    )]
    Read,
}

impl KeyPair {
    /// Makes a new one.
    pub fn generate(kind: KeyKind) -> std::result::Result<Self, KeyPairError> {
        let make = |error: russh::keys::ssh_key::Error| KeyPairError::Make(error.to_string());
        let mut random = russh::keys::key::safe_rng();
        let ecdsa = |curve| Algorithm::Ecdsa { curve };
        let key = match kind {
            KeyKind::Rsa(bits) => {
                russh::keys::ssh_key::private::RsaKeypair::random(&mut random, bits)
                    .map(PrivateKey::from)
            }
            KeyKind::EcdsaP256 => PrivateKey::random(&mut random, ecdsa(EcdsaCurve::NistP256)),
            KeyKind::EcdsaP384 => PrivateKey::random(&mut random, ecdsa(EcdsaCurve::NistP384)),
            KeyKind::EcdsaP521 => PrivateKey::random(&mut random, ecdsa(EcdsaCurve::NistP521)),
            KeyKind::Ed25519 => PrivateKey::random(&mut random, Algorithm::Ed25519),
        }
        .map_err(make)?;
        let private = key.to_openssh(LineEnding::LF).map_err(make)?;
        Ok(Self {
            private: private.as_str().into(),
            public: public_line(key.public_key())
                .ok_or_else(|| KeyPairError::Make("its public half".to_owned()))?,
        })
    }

    /// Takes a private key that somebody has, and finds its public half.
    pub fn read(
        private: &str,
        passphrase: Option<&str>,
    ) -> std::result::Result<Self, KeyPairError> {
        let key = private_key::read(private, passphrase).map_err(|_| KeyPairError::Read)?;
        Ok(Self {
            private: private.into(),
            public: public_line(key.public_key()).ok_or(KeyPairError::Read)?,
        })
    }
}

fn public_line(key: &PublicKey) -> Option<String> {
    let line = key.to_openssh().ok()?;
    // A comment would be the name of whoever made the key.
    Some(line.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

/// Whether a text of `known_hosts` has what a host can be checked by: its keys, or authorities
/// that vouch for it. Fails where the text cannot be read.
pub fn is_host_known(known_hosts: &str, host: &str, port: u16) -> Result<bool> {
    let known = KnownHost::find(known_hosts, host, port)?;
    Ok(known.algorithms().is_ok())
}

/// Asks a host for its key, and gives the line for `known_hosts`.
pub async fn scan_host_key(host: &str, port: u16, timeout: Duration) -> Result<String> {
    let deadline = Deadline::new(format!("{host}:{port}"), timeout);
    let stream = tcp::connect(host, port, &deadline).await?;
    let shown = Arc::new(Mutex::new(None));
    let listener = Listener {
        shown: Arc::clone(&shown),
    };
    let config = Arc::new(client::Config::default());
    let shaken = client::connect_stream(config, stream, listener);
    let shaken = deadline.run(Phase::SshHandshake, shaken).await?;
    let key = shown.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(key) = key else {
        let reason = match shaken {
            Err(error) => error.to_string(),
            Ok(_) => "it shows no key".to_owned(),
        };
        return Err(deadline.network(Phase::SshHandshake, reason));
    };
    let name = if port == 22 {
        host.to_owned()
    } else {
        format!("[{host}]:{port}")
    };
    let line = public_line(&key).ok_or_else(|| Error::Protocol {
        remote: deadline.remote.clone(),
        reason: "its key has no text form".to_owned(),
    })?;
    Ok(format!("{name} {line}"))
}

/// Takes note of the key that a host shows, and goes away.
struct Listener {
    shown: Arc<Mutex<Option<PublicKey>>>,
}

impl client::Handler for Listener {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> impl Future<Output = std::result::Result<bool, Self::Error>> + Send {
        if let PublicKeyOrCertificate::PublicKey { key, .. } = shown {
            *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(key.clone());
        }
        // Known is all that it is to be: nothing is sent to it.
        std::future::ready(Ok(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_by_its_own_name_and_port_only() {
        let key = KeyPair::generate(KeyKind::Ed25519).unwrap().public;
        let text = format!(
            "a.example {key}\n[b.example]:2222 {key}\n@cert-authority *.c.example {key}\n@revoked d.example {key}\n"
        );
        for (host, port, expected) in [
            ("a.example", 22, true),
            ("a.example", 443, false),
            ("b.example", 2222, true),
            ("b.example", 22, false),
            ("x.c.example", 22, true),
            ("d.example", 22, false),
        ] {
            let found = is_host_known(&text, host, port).unwrap();
            assert_eq!(found, expected, "{host}:{port}");
        }
        assert!(!is_host_known("", "a.example", 22).unwrap());
        let damaged = is_host_known("a.example ssh-ed25519 canary", "a.example", 22);
        assert!(!damaged.unwrap_err().to_string().contains("canary"));
    }

    #[test]
    fn a_key_that_was_made_can_be_read_again() {
        for (kind, name) in [
            (KeyKind::EcdsaP256, "ecdsa-sha2-nistp256 "),
            (KeyKind::EcdsaP384, "ecdsa-sha2-nistp384 "),
            (KeyKind::EcdsaP521, "ecdsa-sha2-nistp521 "),
            (KeyKind::Ed25519, "ssh-ed25519 "),
        ] {
            let made = KeyPair::generate(kind).unwrap();
            assert!(made.public.starts_with(name), "{}", made.public);
            assert_eq!(KeyPair::read(made.private.expose(), None).unwrap(), made);
        }
        assert_eq!(KeyPair::read("canary", None), Err(KeyPairError::Read));
    }
}
