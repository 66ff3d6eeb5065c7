//! SSH identities.

use crate::secret::{IDENTITY, Invalid, KNOWN_HOSTS, Keys, PASSWORD};
use crate::sensitive::Sensitive;

/// A private key and the known host keys. Both are required: an unverified server must not receive
/// a signature.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SshIdentity {
    /// PEM or OpenSSH text. The transport parses it.
    pub private_key: Sensitive<String>,
    /// Passphrase of an encrypted private key.
    pub passphrase: Option<Sensitive<String>>,
    /// Lines of a `known_hosts` file.
    pub known_hosts: String,
}

impl SshIdentity {
    /// Reads `identity` and `known_hosts`, which are required, and the optional passphrase
    /// `password` from a Secret.
    pub fn from_keys(keys: &dyn Keys) -> Result<Self, Invalid> {
        let private_key = keys.text(IDENTITY)?.ok_or(Invalid::Missing(IDENTITY))?;
        let known_hosts = keys
            .text(KNOWN_HOSTS)?
            .ok_or(Invalid::Missing(KNOWN_HOSTS))?;
        Ok(Self {
            private_key: private_key.into(),
            passphrase: keys.text(PASSWORD)?.map(Sensitive::from),
            known_hosts: known_hosts.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn identity_without_known_hosts_is_rejected() {
        let mut keys = BTreeMap::from([("identity".to_owned(), b"key".to_vec())]);
        let error = SshIdentity::from_keys(&keys).expect_err("no known_hosts");
        assert_eq!(error.to_string(), "key 'known_hosts' not found");
        keys.insert("known_hosts".to_owned(), b"host ssh-ed25519 AAAA".to_vec());
        assert!(
            SshIdentity::from_keys(&keys)
                .expect("complete")
                .passphrase
                .is_none()
        );
    }
}
