//! Tests with a Vault server and with `sops`.

use std::sync::Arc;

use serde_json::json;
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::vault::{Allowlist, Client, StaticToken, Transit};
use sluice_sops::{Decryptor, Format, KeyType, Metadata, Recipient};
use sluice_testkit::Vault;

use crate::differential::{PLAIN, Sops, encrypted};
use sluice_golang::error::chain;

/// Starts a server with one key, and a token that is valid for this key only.
async fn served() -> (Vault, String) {
    let vault = Vault::start().await;
    vault.transit("sops", "first").await;
    let paths = ["sops/encrypt/first", "sops/decrypt/first"];
    vault.policy("owner", &paths).await;
    let token = vault.token("owner").await;
    (vault, token)
}

fn ring(token: &str, allowlist: &str) -> Keyring {
    let client = Client::new(Arc::new(HttpClients::new("test")), Dial::default())
        .with_allowlist(Allowlist::parse(allowlist).unwrap());
    let token = Arc::new(StaticToken(Sensitive::from(token)));
    let transit = Transit::new(client, token);
    Keyring::default().with(KeyType::Vault, Arc::new(transit))
}

fn first(vault: &Vault) -> [Vec<Recipient>; 1] {
    [vec![Recipient::Vault {
        address: vault.address().to_owned(),
        engine: "sops".to_owned(),
        key: "first".to_owned(),
    }]]
}

/// A short document that is encrypted with the key of the server.
async fn short(vault: &Vault, ring: &Keyring) -> String {
    let bytes = encrypted("a.yaml", "a: b\n", ring, &first(vault), Metadata::default()).await;
    String::from_utf8(bytes).unwrap()
}

/// Decrypts a document, or returns the error.
async fn opened(ring: &Keyring, document: &str) -> Result<String, String> {
    let decrypted = Decryptor::new(ring.clone())
        .decrypt_verified(document.as_bytes(), Format::Yaml, Format::Yaml)
        .await;
    match decrypted {
        Ok(plain) => Ok(String::from_utf8(plain.expose().clone()).unwrap()),
        Err(error) => Err(chain(&error)),
    }
}

#[tokio::test]
async fn sops_and_this_crate_exchange_documents_with_vault() {
    let (vault, token) = served().await;
    let sops = Sops::new().with("VAULT_TOKEN", &token);
    let ring = ring(&token, vault.address());
    let uri = format!("{}/v1/sops/keys/first", vault.address());
    for (name, text) in PLAIN {
        let ours = encrypted(name, text, &ring, &first(&vault), Metadata::default()).await;
        sops.agrees(name, &ours, ring.clone(), "ours").await;
        let theirs = sops.encrypt(name, text, ["--hc-vault-transit", &uri]);
        sops.agrees(name, &theirs, ring.clone(), "theirs").await;
    }
}

#[tokio::test]
async fn older_key_version_decrypts_until_it_is_deleted() {
    let (vault, token) = served().await;
    let ring = ring(&token, "all");
    let old = short(&vault, &ring).await;
    vault.write("sops/keys/first/rotate", &json!({})).await;
    let new = short(&vault, &ring).await;
    assert!(old.contains("vault:v1:") && new.contains("vault:v2:"));
    for document in [&old, &new] {
        assert_eq!(opened(&ring, document).await.unwrap(), "a: b\n");
    }
    let least = json!({"min_decryption_version": 2});
    vault.write("sops/keys/first/config", &least).await;
    let text = opened(&ring, &old).await.unwrap_err();
    assert!(text.contains("the server answered 400"), "{text}");
    assert_eq!(opened(&ring, &new).await.unwrap(), "a: b\n");
}

#[tokio::test]
async fn vault_errors_name_the_key_but_not_the_token() {
    let (vault, token) = served().await;
    let ours = ring(&token, "all");
    let document = short(&vault, &ours).await;
    vault.policy("any", &["sops/decrypt/*"]).await;
    vault.policy("other", &["sops/decrypt/other"]).await;
    let (any, other) = (vault.token("any").await, vault.token("other").await);
    let stranger = "hvs.nobody-s".to_owned();
    let refused = async |token: &str, document: &str, key: &str, why: &str| {
        let text = opened(&ring(token, "all"), document).await.unwrap_err();
        assert_eq!(
            text,
            format!(
                "cannot get sops data key: no key decrypts it: hc_vault {}/v1/sops/keys/{key}: the server answered {why}",
                vault.address()
            )
        );
        assert!(!text.contains(token), "{text}");
    };
    let invalid = "403 Forbidden: 2 errors occurred: * permission denied * invalid token";
    refused(&stranger, &document, "first", invalid).await;
    let denied = "403 Forbidden: 1 error occurred: * permission denied";
    refused(&other, &document, "first", denied).await;
    let gone = document.replace("key_name: first", "key_name: gone");
    let missing = "400 Bad Request: encryption key not found";
    refused(&any, &gone, "gone", missing).await;
    let spoiled = document.replace("vault:v1:", "vault:v1:AAAA");
    let unread = "400 Bad Request: cipher: message authentication failed";
    refused(&any, &spoiled, "first", unread).await;
    // The allowlist does not contain this server.
    let elsewhere = ring(&token, "https://vault.example.com");
    let text = opened(&elsewhere, &document).await.unwrap_err();
    assert!(text.contains("Allowlist does not allow"), "{text}");

    vault.seal().await;
    let sealed = "503 Service Unavailable: Vault is sealed";
    refused(&token, &document, "first", sealed).await;
}
