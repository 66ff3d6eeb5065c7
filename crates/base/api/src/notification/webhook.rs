//! The path under which notification-controller serves the webhook of a Receiver.
//!
//! Parity: notification-controller: `api/v1/receiver_types.go`.

use sluice_digest::Digest;

/// Returns the path of a Receiver's webhook. The path does not reveal the token, and cannot be
/// computed without it. A Receiver without a token has an empty one.
pub fn path(token: &[u8], name: &str, namespace: &str) -> String {
    let text = [token, name.as_bytes(), namespace.as_bytes()].concat();
    let digest = Digest::of(&text);
    format!("/hook/{}", digest.hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_the_digest_of_token_name_and_namespace() {
        // printf 'tokenreceiverflux-system' | sha256sum
        assert_eq!(
            path(b"token", "receiver", "flux-system"),
            "/hook/82c055fa0743ee447b0870be16fa51a43bb6604b21ef8fae7ccf02bdc860b0f9"
        );
        // From `cmd/flux/testdata/create_secret/receiver` of Flux v2.9.4.
        assert_eq!(
            path(b"test-token", "receiver-secret", "my-namespace"),
            "/hook/106120121d366c2f67e93200f6c1dbe938235eb588daa5e8c0516d3a77ac1dee"
        );
    }
    /// Recipe: hash the results of `Receiver.GetWebhookPath` of notification-controller v1.9.3, one
    /// a line, for i from 0 to 999. The seed is the SHA-256 of i in decimal. The token is the start
    /// of the seed, i % 33 bytes. The name ends with its first two bytes in hexadecimal.
    #[test]
    fn thousand_paths_equal_those_of_the_reference() {
        let mut paths = String::new();
        for i in 0..1000_usize {
            let seed = Digest::of(i.to_string().as_bytes()).hex().to_owned();
            let byte = |at: usize| u8::from_str_radix(&seed[2 * at..2 * at + 2], 16).unwrap();
            let token: Vec<u8> = (0..i % 33).map(byte).collect();
            let name = format!("receiver-{}", &seed[..4]);
            paths += &path(&token, &name, &format!("ns-{}", i % 7));
            paths.push('\n');
        }
        assert_eq!(
            Digest::of(paths.as_bytes()).hex(),
            "94aa830b65dcacba6470e4d918c9cdc923c75bc65d801946cb57896da3c2352b"
        );
    }
}
