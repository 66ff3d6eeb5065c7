//! Who we are over SSH, and which hosts we believe.

use crate::secret::{IDENTITY, Invalid, KNOWN_HOSTS, Keys, PASSWORD};
use crate::sensitive::Sensitive;

/// A private key and the host keys to expect. There is no way to have the first
/// without the second: a server that is not checked gets no key from us.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SshIdentity {
    /// PEM or OpenSSH text; its form is judged by whoever dials.
    pub private_key: Sensitive<String>,
    /// Opens an encrypted private key.
    pub passphrase: Option<Sensitive<String>>,
    /// Lines of a `known_hosts` file.
    pub known_hosts: String,
}

impl SshIdentity {
    /// Reads `identity` and `known_hosts`, both needed, and `password`, the
    /// passphrase, if it is there.
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
    fn an_identity_without_known_hosts_is_refused() {
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
