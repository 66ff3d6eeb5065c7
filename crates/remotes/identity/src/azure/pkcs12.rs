//! Reads certificates with their key from a PKCS#12 file. Pure.
//!
//! Azure and older tools write RC2 and triple DES with SHA-1. Newer tools write PBES2. The author
//! of a file chooses the cost of its password. So the iterations of a file are limited in sum.
//!
//! Specification: RFC 7292, RFC 8018. Parity: the file is what `azidentity.ParseCertificates`
//! takes, and PBES2.

mod cipher;
mod der;
mod derivation;

use rustls_pki_types::CertificateDer;
use sluice_dial::Sensitive;

use der::Der;
use derivation::{Password, Purpose};

/// Maximum iterations of all passwords of a file in sum.
const MAX_ITERATIONS: u64 = 1 << 20;
/// Maximum number of certificates.
const MAX_CERTIFICATES: usize = 20;

const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];
const ENCRYPTED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x06];
/// Types of bags: `1.2.840.113549.1.12.10.1.x`.
const BAG: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01];
const KEY_BAG: u8 = 1;
const ENCRYPTED_KEY_BAG: u8 = 2;
const CERTIFICATE_BAG: u8 = 3;
const X509: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x16, 0x01];

/// The fault of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Pkcs12Error {
    /// The structure is not that of a file.
    #[error("it is neither PEM nor a PKCS#12 file")]
    Structure,
    /// The checksum differs.
    #[error("the password of the PKCS#12 file is wrong")]
    Password,
    /// An algorithm is unknown.
    #[error("the PKCS#12 file uses {0} that is not supported")]
    Algorithm(&'static str),
    /// A limit is exceeded.
    #[error("the PKCS#12 file exceeds the limit of {0}")]
    Limit(&'static str),
    /// The file holds no key, or several.
    #[error("the PKCS#12 file must hold one key, not {0}")]
    Keys(usize),
}

/// The content of a file.
pub(super) struct Pkcs12 {
    /// The key, PKCS#8.
    pub(super) key: Sensitive<Vec<u8>>,
    /// The certificates, in the order of the file.
    pub(super) certificates: Vec<CertificateDer<'static>>,
}

/// The remaining iterations of a file.
struct Budget(u64);

impl Budget {
    fn take(&mut self, iterations: u64) -> Result<(), Pkcs12Error> {
        let rest = self.0.checked_sub(iterations.max(1));
        self.0 = rest.ok_or(Pkcs12Error::Limit("iterations"))?;
        Ok(())
    }
}

impl Pkcs12 {
    /// Reads a file.
    pub(super) fn parse(file: &[u8], password: &str) -> Result<Self, Pkcs12Error> {
        let mut budget = Budget(MAX_ITERATIONS);
        let mut file = Der::whole(file)?.sequence()?;
        if file.integer()? != 3 {
            return Err(Pkcs12Error::Structure);
        }
        let content = content(file.sequence()?, DATA)?.octets()?;
        let password = checked_password(password, content, file.sequence()?, &mut budget)?;
        let mut found = Contents::default();
        let mut safes = Der::whole(content)?.sequence()?;
        while !safes.is_empty() {
            let mut safe = safes.sequence()?;
            match safe.oid()? {
                DATA => found.add(safe.explicit()?.octets()?, &password, &mut budget)?,
                ENCRYPTED_DATA => {
                    let mut data = safe.explicit()?.sequence()?;
                    data.integer()?;
                    let mut encrypted = data.sequence()?;
                    encrypted.oid()?;
                    let algorithm = encrypted.sequence()?;
                    let bytes = encrypted.implicit_octets()?;
                    let plain = cipher::decrypt(algorithm, bytes, &password, &mut budget)?;
                    found.add(plain.expose(), &password, &mut budget)?;
                }
                _ => return Err(Pkcs12Error::Algorithm("an envelope")),
            }
        }
        let (key, keys) = (found.keys.pop(), found.keys.len());
        match key {
            Some(key) if keys == 0 => Ok(Self {
                key,
                certificates: found.certificates,
            }),
            Some(_) => Err(Pkcs12Error::Keys(keys + 1)),
            None => Err(Pkcs12Error::Keys(0)),
        }
    }
}

#[derive(Default)]
struct Contents {
    keys: Vec<Sensitive<Vec<u8>>>,
    certificates: Vec<CertificateDer<'static>>,
}

impl Contents {
    /// Adds the bags of a safe.
    fn add(
        &mut self,
        safe: &[u8],
        password: &Password,
        budget: &mut Budget,
    ) -> Result<(), Pkcs12Error> {
        let mut bags = Der::whole(safe)?.sequence()?;
        while !bags.is_empty() {
            let mut bag = bags.sequence()?;
            let kind = bag.oid()?.strip_prefix(BAG);
            match kind {
                Some([KEY_BAG]) => {
                    let key = bag.explicit()?.rest();
                    self.keys.push(Sensitive::new(key.to_vec()));
                }
                Some([ENCRYPTED_KEY_BAG]) => {
                    let mut key = bag.explicit()?.sequence()?;
                    let algorithm = key.sequence()?;
                    let key = cipher::decrypt(algorithm, key.octets()?, password, budget)?;
                    self.keys.push(key);
                }
                Some([CERTIFICATE_BAG]) => {
                    let mut certificate = bag.explicit()?.sequence()?;
                    if certificate.oid()? != X509 {
                        return Err(Pkcs12Error::Algorithm("a type of certificate"));
                    }
                    let certificate = certificate.explicit()?.octets()?;
                    self.certificates.push(certificate.to_vec().into());
                    if self.certificates.len() > MAX_CERTIFICATES {
                        return Err(Pkcs12Error::Limit("20 certificates"));
                    }
                }
                // Revocation lists and secrets are of no use here.
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns the content of an envelope of a type.
fn content<'a>(mut envelope: Der<'a>, kind: &[u8]) -> Result<Der<'a>, Pkcs12Error> {
    if envelope.oid()? != kind {
        return Err(Pkcs12Error::Algorithm("an envelope"));
    }
    envelope.explicit()
}

/// Checks the password by the checksum of the content. Some tools write an empty password as no
/// bytes at all.
fn checked_password(
    password: &str,
    content: &[u8],
    mut checksum: Der<'_>,
    budget: &mut Budget,
) -> Result<Password, Pkcs12Error> {
    let mut digest = checksum.sequence()?;
    let algorithm = derivation::Hash::of_digest(digest.sequence()?.oid()?)?;
    let expected = digest.octets()?;
    let salt = checksum.octets()?;
    let iterations = if checksum.is_empty() {
        1
    } else {
        checksum.integer()?
    };
    let candidates = [
        Some(Password::new(password)),
        Password::without_end(password),
    ];
    for password in candidates.into_iter().flatten() {
        budget.take(iterations)?;
        let key = password.derive(algorithm, salt, iterations, Purpose::Checksum);
        if algorithm.is_authentic(key.expose(), content, expected) {
            return Ok(password);
        }
    }
    Err(Pkcs12Error::Password)
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::digest;
    use proptest::prelude::*;

    use super::*;

    /// The files have one key with its certificate and its issuer. `testdata/recipe.sh` makes them.
    const FILES: [(&[u8], &str); 4] = [
        (include_bytes!("pkcs12/testdata/rc2.p12"), "canary-word"),
        (include_bytes!("pkcs12/testdata/des.p12"), "canary-word"),
        (include_bytes!("pkcs12/testdata/pbes2.p12"), "canary-word"),
        (include_bytes!("pkcs12/testdata/empty.p12"), ""),
    ];
    /// The fingerprint of the certificate, by `openssl x509 -fingerprint -sha256`.
    const FINGERPRINT: &str = include_str!("pkcs12/testdata/fingerprint.txt");

    #[test]
    fn files_of_both_generations_have_key_and_chain() {
        for (file, password) in FILES {
            let read = Pkcs12::parse(file, password).map_err(|error| error.to_string());
            let read = read.unwrap();
            assert_eq!(read.certificates.len(), 2);
            let hashes = read.certificates.iter();
            let hashes = hashes.map(|der| hex::encode(digest::digest(&digest::SHA256, der)));
            assert!(hashes.into_iter().any(|hash| hash == FINGERPRINT.trim()));
            let key = aws_lc_rs::rsa::KeyPair::from_pkcs8(read.key.expose());
            assert!(key.is_ok());
        }
    }

    #[test]
    fn wrong_password_is_named() {
        for (file, _) in FILES {
            let error = Pkcs12::parse(file, "other").err();
            assert_eq!(error, Some(Pkcs12Error::Password));
        }
    }

    #[test]
    fn cost_of_a_password_is_limited() {
        let mut budget = Budget(MAX_ITERATIONS);
        budget.take(MAX_ITERATIONS / 2).unwrap();
        budget.take(MAX_ITERATIONS / 2).unwrap();
        let error = budget.take(0).unwrap_err();
        assert_eq!(error, Pkcs12Error::Limit("iterations"));
    }

    proptest! {
        #[test]
        fn damaged_file_never_panics(
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            cut in any::<prop::sample::Index>(),
        ) {
            for (file, password) in FILES {
                let mut file = file.to_vec();
                let at = at.index(file.len());
                file[at] = byte;
                file.truncate(cut.index(file.len()) + 1);
                let _read = Pkcs12::parse(&file, password);
            }
        }
    }
}
