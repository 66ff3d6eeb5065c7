//! Where notification-controller serves the webhook of a Receiver.
//!
//! Parity: notification-controller: `api/v1/receiver_types.go`.

use sluice_artifact::digest::Algorithm;

/// The path of a Receiver's webhook. It gives nobody the token, and nobody without the token can
/// work it out; a Receiver without one has an empty token.
pub fn path(token: &str, name: &str, namespace: &str) -> String {
    let digest = Algorithm::Sha256.digest(format!("{token}{name}{namespace}").as_bytes());
    format!("/hook/{}", digest.hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_the_digest_of_token_name_and_namespace() {
        // printf 'tokenreceiverflux-system' | sha256sum
        assert_eq!(
            path("token", "receiver", "flux-system"),
            "/hook/82c055fa0743ee447b0870be16fa51a43bb6604b21ef8fae7ccf02bdc860b0f9"
        );
    }
}
