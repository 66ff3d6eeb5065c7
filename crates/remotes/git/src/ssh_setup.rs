//! Helpers for commands that set up SSH: key generation, key parsing and host key scans.
//!
//! A scan trusts the network at that moment. Other code of this crate never uses an unverified host
//! key.

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

/// The type of a new key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// RSA with this number of bits.
    Rsa(usize),
    /// ECDSA on the curve P-256.
    EcdsaP256,
    /// ECDSA on the curve P-384.
    EcdsaP384,
    /// ECDSA on the curve P-521.
    EcdsaP521,
    /// Ed25519, the shortest and fastest.
    Ed25519,
}

/// A private key and its public key, in the formats of OpenSSH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// The private key.
    pub private: Sensitive<String>,
    /// The public key: one line without a comment.
    pub public: String,
}

/// Why a key pair could not be created or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyPairError {
    /// The key could not be generated.
    #[error("cannot make a key: {0}")]
    Make(String),
    /// The key could not be read. The library's message is omitted, because it may quote the key.
    #[error(
        "the private key cannot be read: damaged, encrypted with another passphrase, or of an \
         unknown type"
    )]
    Read,
}

impl KeyPair {
    /// Generates a key pair.
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

    /// Reads an existing private key, and derives its public key.
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
    // A comment would contain the name of the user.
    Some(line.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

/// Whether `known_hosts` has a key or an authority for a host. Invalid text is an error.
pub fn is_host_known(known_hosts: &str, host: &str, port: u16) -> Result<bool> {
    let known = KnownHost::find(known_hosts, host, port)?;
    Ok(known.algorithms().is_ok())
}

/// Connects to a host, and returns its key as a line for `known_hosts`.
pub async fn scan_host_key(host: &str, port: u16, timeout: Duration) -> Result<String> {
    let deadline = Deadline::new(format!("{host}:{port}"), timeout);
    let stream = tcp::connect(host, port, &deadline).await?;
    let shown = Arc::new(Mutex::new(None));
    let listener = HostKeyCollector {
        shown: Arc::clone(&shown),
    };
    let config = Arc::new(client::Config::default());
    let connected = client::connect_stream(config, stream, listener);
    let connected = deadline.run(Phase::SshHandshake, connected).await?;
    let key = shown.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(key) = key else {
        let reason = match connected {
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

/// Records the host key and then rejects it.
struct HostKeyCollector {
    shown: Arc<Mutex<Option<PublicKey>>>,
}

impl client::Handler for HostKeyCollector {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> impl Future<Output = std::result::Result<bool, Self::Error>> + Send {
        if let PublicKeyOrCertificate::PublicKey { key, .. } = shown {
            *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(key.clone());
        }
        // The key is only recorded. Nothing is sent to the host.
        std::future::ready(Ok(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_known_by_name_and_port() {
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
    fn generated_key_can_be_read() {
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
