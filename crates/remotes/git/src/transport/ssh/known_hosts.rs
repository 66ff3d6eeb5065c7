//! Parses `known_hosts` by the rules of Flux's Go library. Unlike in OpenSSH, a host on another
//! port than 22 only matches `[host]:port`.

use std::time::SystemTime;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use russh::keys::ssh_key::EcdsaCurve;
use russh::keys::{Algorithm, Certificate, HashAlg, PublicKey, parse_public_key_base64};

use crate::error::{Error, Result, printable};

/// The known keys of a host.
#[derive(Debug, Clone)]
pub(crate) struct KnownHost {
    /// The host in the format of the file.
    name: String,
    keys: Vec<PublicKey>,
    /// Revoked keys, for all hosts.
    revoked: Vec<PublicKey>,
    /// Certificate authorities for this host.
    authorities: Vec<PublicKey>,
}

impl KnownHost {
    /// Finds the entries for a host.
    pub(crate) fn find(text: &str, host: &str, port: u16) -> Result<Self> {
        let name = if port == 22 {
            host.to_owned()
        } else {
            format!("[{host}]:{port}")
        };
        let mut known = Self {
            name,
            keys: Vec::new(),
            revoked: Vec::new(),
            authorities: Vec::new(),
        };
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let invalid = |reason: String| Error::InvalidKnownHosts {
                line: index + 1,
                reason,
            };
            known.line(line, host, port).map_err(invalid)?;
        }
        Ok(known)
    }

    fn line(&mut self, line: &str, host: &str, port: u16) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let (marker, patterns) = if first.starts_with('@') {
            (
                Some(first),
                words.next().ok_or("no host follows the marker")?,
            )
        } else {
            (None, first)
        };
        let kind = words.next().ok_or("no key type follows the host")?;
        let blob = words.next().ok_or("no key follows its type")?;
        let key = parse_public_key_base64(blob)
            .map_err(|_| format!("no public key of type '{}'", printable(kind.as_bytes())))?;
        match marker {
            Some("@revoked") => self.revoked.push(key),
            Some("@cert-authority") if matches(patterns, host, port)? => self.authorities.push(key),
            Some("@cert-authority") => {}
            Some(other) => return Err(format!("unknown marker '{}'", printable(other.as_bytes()))),
            None if matches(patterns, host, port)? => self.keys.push(key),
            None => {}
        }
        Ok(())
    }

    /// The host key algorithms of the known keys. A server with several keys then shows a known
    /// one.
    pub(crate) fn algorithms(&self) -> Result<Vec<Algorithm>> {
        let mut algorithms = Vec::new();
        for key in &self.keys {
            let of_key: &[Algorithm] = match key.algorithm() {
                Algorithm::Rsa { .. } => &[
                    Algorithm::Rsa {
                        hash: Some(HashAlg::Sha512),
                    },
                    Algorithm::Rsa {
                        hash: Some(HashAlg::Sha256),
                    },
                ],
                Algorithm::Ed25519 => &[Algorithm::Ed25519],
                Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP256,
                } => &[Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP256,
                }],
                Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP384,
                } => &[Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP384,
                }],
                Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP521,
                } => &[Algorithm::Ecdsa {
                    curve: EcdsaCurve::NistP521,
                }],
                // Keys of unsupported types are ignored.
                _ => &[],
            };
            for algorithm in of_key {
                if !algorithms.contains(algorithm) {
                    algorithms.push(algorithm.clone());
                }
            }
        }
        if algorithms.is_empty() && self.authorities.is_empty() {
            return Err(Error::UnknownHost {
                host: self.name.clone(),
            });
        }
        Ok(algorithms)
    }

    /// Whether the host has certificate authorities.
    pub(crate) fn has_authorities(&self) -> bool {
        !self.authorities.is_empty()
    }

    /// Checks the certificate of a host.
    ///
    /// Parity: go: `x/crypto/ssh`, `CertChecker.CheckHostKey`: it must be of a trusted authority,
    /// name the host, be valid now, and have no critical options.
    pub(crate) fn check_certificate(
        &self,
        certificate: &Certificate,
        host: &str,
        now: SystemTime,
    ) -> Result<()> {
        let refuse = |reason: &'static str| {
            Err(Error::HostCertificate {
                host: self.name.clone(),
                reason,
            })
        };
        let keys = [certificate.public_key(), certificate.signature_key()];
        let revoked = self
            .revoked
            .iter()
            .find(|one| keys.contains(&one.key_data()));
        if let Some(revoked) = revoked {
            return Err(Error::HostKeyRevoked {
                host: self.name.clone(),
                fingerprint: describe(revoked),
            });
        }
        if !certificate.cert_type().is_host() {
            return refuse("it is not made for hosts");
        }
        let trusted: Vec<_> = self
            .authorities
            .iter()
            .map(|authority| authority.fingerprint(HashAlg::Sha256))
            .collect();
        if !trusted.contains(&certificate.signature_key().fingerprint(HashAlg::Sha256)) {
            return refuse(
                "it is made by an authority that known_hosts does not list for the host",
            );
        }
        let principals = certificate.valid_principals();
        if !principals.is_empty() && !principals.iter().any(|principal| principal == host) {
            return refuse("it is made for another host");
        }
        if certificate.critical_options().iter().next().is_some() {
            return refuse("it has unknown critical options");
        }
        let now = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        if certificate.validate_at(now, &trusted).is_err() {
            return refuse("it is forged, expired, or not valid yet");
        }
        Ok(())
    }

    /// Checks the key of a host.
    pub(crate) fn check(&self, key: &PublicKey) -> Result<()> {
        if self
            .revoked
            .iter()
            .any(|revoked| revoked.key_data() == key.key_data())
        {
            return Err(Error::HostKeyRevoked {
                host: self.name.clone(),
                fingerprint: describe(key),
            });
        }
        if self
            .keys
            .iter()
            .any(|known| known.key_data() == key.key_data())
        {
            return Ok(());
        }
        Err(self.mismatch(describe(key)))
    }

    /// The error for another key than the known ones.
    pub(crate) fn mismatch(&self, got: String) -> Error {
        Error::HostKeyMismatch {
            host: self.name.clone(),
            expected: self.keys.iter().map(describe).collect(),
            got,
        }
    }
}

/// Type and fingerprint of a key.
fn describe(key: &PublicKey) -> String {
    format!("{} {}", key.algorithm(), key.fingerprint(HashAlg::Sha256))
}

/// Whether a list of patterns matches the host. A pattern with `!` excludes it.
fn matches(patterns: &str, host: &str, port: u16) -> Result<bool, String> {
    if patterns.starts_with('|') {
        return hashed(patterns, host, port);
    }
    let mut found = false;
    for pattern in patterns.split(',') {
        let (negated, pattern) = match pattern.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let (pattern, pattern_port) = match pattern.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']').ok_or("a '[' without ']'")?;
                let port = match rest.strip_prefix(':') {
                    Some(port) => port.parse().map_err(|_| "a port that is not a number")?,
                    None => 22,
                };
                (host, port)
            }
            None => (pattern, 22),
        };
        if pattern_port == port
            && wildcard(pattern.to_ascii_lowercase().as_bytes(), host.as_bytes())
        {
            if negated {
                return Ok(false);
            }
            found = true;
        }
    }
    Ok(found)
}

/// `|1|salt|hash`: HMAC-SHA1 of the host's name.
fn hashed(pattern: &str, host: &str, port: u16) -> Result<bool, String> {
    let mut parts = pattern.split('|').skip(1);
    if parts.next() != Some("1") {
        return Err("a hashed host of an unknown kind".to_owned());
    }
    let mut decoded = || {
        let part = parts.next().ok_or("a hashed host without salt or hash")?;
        BASE64_STANDARD
            .decode(part)
            .map_err(|_| "a hashed host that is not base64")
    };
    let (salt, hash) = (decoded()?, decoded()?);
    let name = if port == 22 {
        host.to_owned()
    } else {
        format!("[{host}]:{port}")
    };
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &salt);
    Ok(hmac::verify(&key, name.as_bytes(), &hash).is_ok())
}

/// Matches `*` for any characters and `?` for one. It is linear in both, because only the last star
/// is retried.
fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut in_text) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == text[in_text] => {
                at += 1;
                in_text += 1;
            }
            _ => {
                let Some((star_at, from)) = star else {
                    return false;
                };
                star = Some((star_at, from + 1));
                at = star_at + 1;
                in_text = from + 1;
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    // Test keys of ssh-keygen.
    const ED25519: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ";
    const OTHER: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIK2pr+Bfus1hvPof4Wb/plZCzSbqadHH0u+/f4ODtKnE";

    fn key(text: &str) -> PublicKey {
        parse_public_key_base64(text).unwrap()
    }

    fn knows(text: &str, host: &str, port: u16) -> bool {
        let known = KnownHost::find(text, host, port).unwrap();
        known.algorithms().is_ok() && known.check(&key(ED25519)).is_ok()
    }

    #[test]
    fn hosts_match_by_pattern_and_port() {
        let cases = [
            ("example.com", "example.com", 22, true),
            ("example.com", "example.com", 2222, false),
            ("[example.com]:2222", "example.com", 2222, true),
            ("[example.com]:2222", "example.com", 22, false),
            ("[example.com]:22", "example.com", 22, true),
            ("EXAMPLE.com", "example.com", 22, true),
            ("other,example.com", "example.com", 22, true),
            ("*.example.com", "a.example.com", 22, true),
            ("*.example.com", "example.com", 22, false),
            ("10.0.0.?", "10.0.0.7", 22, true),
            ("10.0.0.?", "10.0.0.77", 22, false),
            ("*,!bad.example.com", "bad.example.com", 22, false),
            ("*,!bad.example.com", "good.example.com", 22, true),
            ("::1", "::1", 22, true),
        ];
        for (patterns, host, port, expected) in cases {
            let text = format!("# comment\n\n{patterns} ssh-ed25519 {ED25519} who@where\n");
            assert_eq!(
                knows(&text, host, port),
                expected,
                "{patterns} for {host}:{port}"
            );
        }
    }

    #[test]
    fn hashed_names_match() {
        for (host, port, name) in [
            ("example.com", 22, "example.com"),
            ("example.com", 2222, "[example.com]:2222"),
        ] {
            let salt = [7; 20];
            let signing = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &salt);
            let hash = hmac::sign(&signing, name.as_bytes());
            let encode = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
            let text = format!(
                "|1|{}|{} ssh-ed25519 {ED25519}\n",
                encode(&salt),
                encode(hash.as_ref())
            );
            assert!(knows(&text, host, port));
            assert!(!knows(&text, "example.org", port));
            assert!(!knows(&text, host, port + 1));
        }
    }

    #[test]
    fn unknown_mismatched_and_revoked_keys_differ() {
        let check = |text: &str| {
            let known = KnownHost::find(text, "example.com", 22)?;
            known.algorithms()?;
            known.check(&key(ED25519))
        };
        let line = |patterns: &str, key: &str| format!("{patterns} ssh-ed25519 {key}\n");
        let unknown = check(&line("example.org", ED25519)).unwrap_err();
        assert!(matches!(unknown, Error::UnknownHost { .. }), "{unknown}");
        let mismatch = check(&line("example.com", OTHER)).unwrap_err().to_string();
        assert!(mismatch.contains(&describe(&key(OTHER))), "{mismatch}");
        assert!(mismatch.contains(&describe(&key(ED25519))), "{mismatch}");
        let revoked = line("example.com", ED25519) + &line("@revoked *", ED25519);
        let revoked = check(&revoked).unwrap_err();
        assert!(matches!(revoked, Error::HostKeyRevoked { .. }), "{revoked}");
        // A plain key is not a certificate.
        let authority = check(&line("@cert-authority *.com", ED25519)).unwrap_err();
        assert!(
            matches!(authority, Error::HostKeyMismatch { .. }),
            "{authority}"
        );
        let elsewhere = check(&line("@cert-authority *.org", ED25519)).unwrap_err();
        assert!(
            matches!(elsewhere, Error::UnknownHost { .. }),
            "{elsewhere}"
        );
    }

    #[test]
    fn invalid_line_error_has_line_number() {
        let cases = [
            ("example.com", 1),
            ("# c\nexample.com ssh-ed25519", 2),
            ("example.com ssh-ed25519 !!!", 1),
            ("example.com ssh-ed25519 AAAA", 1),
            ("@unknown example.com ssh-ed25519 AAAA", 1),
            ("[example.com ssh-ed25519 AAAA", 1),
        ];
        for (text, expected) in cases {
            match KnownHost::find(text, "example.com", 22) {
                Err(Error::InvalidKnownHosts { line, .. }) => assert_eq!(line, expected, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let broken = format!("[example.com ssh-ed25519 {ED25519}");
        assert!(KnownHost::find(&broken, "example.com", 22).is_err());
        let broken = format!("|1|x ssh-ed25519 {ED25519}");
        assert!(KnownHost::find(&broken, "example.com", 22).is_err());
    }
}
