//! Authentication: users, tokens, certificates.

use std::collections::BTreeMap;

use bytes::Bytes;
use sluice_dial::{Basic, ClientCertificate, Tls};
use sluice_oci::client::Source;
use sluice_oci::{Digest, ErrorKind, Keychain, Login, Version};
use sluice_testkit::{Registry, RegistryOptions};

use crate::{client, remote};

async fn push(client: &sluice_oci::Client, remote: &sluice_oci::Remote) -> Digest {
    let layer = Bytes::from_static(b"layer");
    let described = sluice_oci::package::Layer {
        digest: Digest::of(&layer),
        size: 5,
    };
    let package = sluice_oci::package::Package::new(&described, "s", "r", "", &BTreeMap::new());
    let layer_digest = described.digest;
    for (digest, bytes) in [
        (&layer_digest, layer),
        (&package.config_digest, package.config),
    ] {
        client
            .push_blob(remote, digest, &Source::Bytes(bytes))
            .await
            .unwrap();
    }
    let tag = Version::Tag("v1".to_owned());
    client
        .push_manifest(
            remote,
            &tag,
            sluice_oci::manifest::MANIFEST,
            package.manifest,
        )
        .await
        .unwrap();
    package.digest
}

#[tokio::test]
async fn pull_secret_authenticates_user() {
    let registry = Registry::start_with(RegistryOptions {
        basic: true,
        ..RegistryOptions::default()
    })
    .await;
    let client = client();
    let mut remote = remote(&registry.url("team/app"));
    let mut keychain = Keychain::default();
    keychain
        .add_config(registry.docker_config().as_bytes())
        .unwrap();
    remote.login = keychain.resolve(&remote.repository);
    let digest = push(&client, &remote).await;
    let tag = Version::Tag("v1".to_owned());
    assert_eq!(client.resolve(&remote, &tag).await.unwrap(), digest);
    assert_eq!(client.tags(&remote).await.unwrap(), ["v1"]);

    for login in [
        Login::Anonymous,
        Login::Basic(Basic::new(Registry::USER, "canary")),
    ] {
        let mut stranger = remote.clone();
        stranger.login = login;
        let error = client.resolve(&stranger, &tag).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Denied, "{error}");
        let text = format!("{error} {error:?}");
        assert!(
            !text.contains("canary") && text.contains("UNAUTHORIZED"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn token_is_cached_until_it_expires() {
    let registry = Registry::start_with(RegistryOptions {
        token: true,
        ..RegistryOptions::default()
    })
    .await;
    let client = client();
    let mut remote = remote(&registry.url("team/app"));
    remote.login = Login::Basic(Basic::new(Registry::USER, Registry::PASSWORD));
    let digest = push(&client, &remote).await;
    let before = registry.tokens();
    let tag = Version::Tag("v1".to_owned());
    for _ in 0..3 {
        assert_eq!(client.resolve(&remote, &tag).await.unwrap(), digest);
        client.manifest(&remote, &digest).await.unwrap();
    }
    assert_eq!(registry.tokens(), before + 1);

    // Another user does not share the token.
    let mut stranger = remote.clone();
    stranger.login = Login::Basic(Basic::new(Registry::USER, "wrong"));
    let error = client.resolve(&stranger, &tag).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied, "{error}");
    let text = error.to_string();
    let is_named = text.contains("/token?") && text.contains("401 Unauthorized");
    assert!(is_named, "{text}");
}

#[tokio::test]
async fn mutual_tls_registry_is_reached() {
    let registry = Registry::start_with(RegistryOptions {
        tls: true,
        client_certificate: true,
        ..RegistryOptions::default()
    })
    .await;
    let client = client();
    let authority = registry.authority().unwrap();
    let ours = authority.client("flux", None).unwrap();
    let mut remote = remote(&registry.url("team/app"));
    remote.dial.tls = Tls {
        certificate: Some(
            ClientCertificate::new(ours.certificate.as_bytes(), ours.key.as_bytes()).unwrap(),
        ),
        ..Tls::with_ca(authority.certificate().as_bytes()).unwrap()
    };
    push(&client, &remote).await;

    for tls in [
        Tls::default(),
        Tls::with_ca(authority.certificate().as_bytes()).unwrap(),
    ] {
        let mut without = remote.clone();
        without.dial.tls = tls;
        let tag = Version::Tag("v1".to_owned());
        assert!(client.resolve(&without, &tag).await.is_err());
    }
}

#[tokio::test]
async fn insecure_accepts_any_certificate() {
    let registry = Registry::start_with(RegistryOptions {
        tls: true,
        ..RegistryOptions::default()
    })
    .await;
    let client = client();
    let mut remote = remote(&registry.url("team/app"));
    remote.plain = true;
    remote.dial.tls.insecure = true;
    push(&client, &remote).await;
}
