//! Signatures of gpg and ssh-keygen, made by git.
//!
//! Without gpg these tests print a line and pass. With `REQUIRE_ORACLES=1` they fail.

use std::path::Path;
use std::time::{Duration, SystemTime};

use pgp::composed::{ArmorOptions, Deserializable as _, DetachedSignature};
use sluice_git::{
    Limits, Reference, SignedObject, SignedTag, Store, TrustedKeys, VerificationError,
};
use sluice_skip::{Requirement, skip};
use sluice_system::{Clock as _, SystemClock, fs};

use crate::http::filled;
use crate::server::{Backend, Server, client, run_with};

/// Runs a program and returns its output, or `None` if the program is missing.
pub(crate) async fn program(name: &str, arguments: &[&str], home: &Path) -> Option<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the tests run the signing programs"
    )]
    let mut command = tokio::process::Command::new(name);
    let output = command
        .args(arguments)
        .current_dir(home)
        .env("GNUPGHOME", home)
        .stdin(std::process::Stdio::null())
        .output()
        .await;
    let output = match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skip(Requirement::Oracle, &format!("{name} is not installed"));
            return None;
        }
        other => other.unwrap(),
    };
    assert!(output.status.success(), "{name} {arguments:?}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The time of the signatures.
fn now() -> SystemTime {
    SystemClock.now().into()
}

/// Creates an OpenPGP key and returns its fingerprint.
pub(crate) async fn openpgp(
    home: &Path,
    user: &str,
    algorithm: &str,
    life: &str,
) -> Option<String> {
    let user = format!("{user} <{user}@example.com>");
    let generate = [
        "--batch",
        "--quiet",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        "",
        "--quick-gen-key",
        &user,
        algorithm,
        "sign",
        life,
    ];
    program("gpg", &generate, home).await?;
    let list = program(
        "gpg",
        &["--batch", "--with-colons", "--list-keys", &user],
        home,
    )
    .await?;
    let line = list.lines().find(|line| line.starts_with("fpr:"))?;
    line.split(':').nth(9).map(str::to_owned)
}

pub(crate) async fn exported(home: &Path, key: &str) -> Option<String> {
    program("gpg", &["--batch", "--armor", "--export", key], home).await
}

/// Creates a signed commit and a signed tag `name`.
async fn sign(repository: &Path, home: &Path, format: &str, key: &str, name: &str) {
    let format = format!("gpg.format={format}");
    let key = format!("user.signingkey={key}");
    let with = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        &format,
        "-c",
        &key,
    ];
    let environment = [("GNUPGHOME", home.to_str().unwrap())];
    let commit = [&with[..], &["commit-tree", "-S", "-m", name, "main^{tree}"]].concat();
    let commit = run_with(repository, &commit, &environment).await;
    let tag = [&with[..], &["tag", "-s", "-m", name, name, commit.trim()]].concat();
    run_with(repository, &tag, &environment).await;
}

async fn signed(server: &Server, name: &str) -> (SignedObject, Option<SignedTag>) {
    let (client, remote) = (client(), server.remote("r.git"));
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    let tag = Reference::Tag(name.to_owned());
    let resolved = client.resolve(&remote, &tag).await.unwrap();
    let commit = store
        .fetch(&client, &remote, &resolved)
        .await
        .unwrap()
        .commit;
    store.signed(&commit).await.unwrap()
}

fn trusted(name: &str, keys: &str) -> TrustedKeys {
    TrustedKeys::read([(name, keys.as_bytes())])
}

#[tokio::test]
async fn openpgp_signatures_name_their_key() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let now = now();
    let mut stranger: Option<String> = None;
    for algorithm in ["rsa2048", "ed25519", "nistp256", "nistp384", "nistp521"] {
        let Some(key) = openpgp(home.path(), algorithm, algorithm, "0").await else {
            return;
        };
        sign(repository.path(), home.path(), "openpgp", &key, algorithm).await;
        let public = exported(home.path(), &key).await.unwrap();
        let (commit, tag) = signed(&server, algorithm).await;
        let tag = tag.unwrap().signed;
        let keys = trusted("author.asc", &public);
        let id = &key[key.len() - 16..];
        assert_eq!(keys.verify(&commit, now).as_deref(), Ok(id), "{algorithm}");
        assert_eq!(keys.verify(&tag, now).as_deref(), Ok(id), "{algorithm}");
        // With other keys, and in an entry of any name.
        if let Some(stranger) = &stranger {
            let both = format!("{stranger}\n{public}");
            assert_eq!(
                trusted("ring", &both).verify(&commit, now).as_deref(),
                Ok(id)
            );
            let nobody = trusted("author.asc", stranger).verify(&commit, now);
            assert_eq!(
                nobody,
                Err(VerificationError::NoMatch { keys: "key rings" })
            );
        }
        let mut tampered = commit.clone();
        let last = tampered.payload.len() - 2;
        tampered.payload[last] ^= 1;
        assert!(keys.verify(&tampered, now).is_err(), "{algorithm}");
        // A signature is invalid for another object.
        let swapped = SignedObject {
            signature: tag.signature.clone(),
            ..commit.clone()
        };
        assert!(keys.verify(&swapped, now).is_err(), "{algorithm}");
        stranger = Some(public);
    }
}

#[tokio::test]
async fn expired_and_revoked_keys_are_invalid() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let Some(key) = openpgp(home.path(), "short", "ed25519", "1d").await else {
        return;
    };
    sign(repository.path(), home.path(), "openpgp", &key, "v1").await;
    let (commit, _) = signed(&server, "v1").await;
    let keys = trusted("a.asc", &exported(home.path(), &key).await.unwrap());
    let now = now();
    keys.verify(&commit, now).unwrap();
    let later = keys
        .verify(&commit, now + Duration::from_hours(25))
        .unwrap_err();
    assert!(later.to_string().contains("the key has expired"), "{later}");

    // gpg stores a revocation for each key, disabled by a colon.
    let stored = home.path().join(format!("openpgp-revocs.d/{key}.rev"));
    let revocation = fs::read_to_string(&stored)
        .unwrap()
        .replace(":-----BEGIN", "-----BEGIN");
    fs::write(&stored, revocation).unwrap();
    program(
        "gpg",
        &["--batch", "--quiet", "--import", stored.to_str().unwrap()],
        home.path(),
    )
    .await;
    let keys = trusted("a.asc", &exported(home.path(), &key).await.unwrap());
    let revoked = keys.verify(&commit, now).unwrap_err();
    assert!(
        revoked.to_string().contains("the key is revoked"),
        "{revoked}"
    );
}

#[tokio::test]
async fn subkey_names_primary_key_and_future_is_invalid() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let Some(key) = openpgp(home.path(), "main", "ed25519", "0").await else {
        return;
    };
    let add = [
        "--batch",
        "--quiet",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        "",
        "--quick-add-key",
        &key,
        "ed25519",
        "sign",
        "0",
    ];
    program("gpg", &add, home.path()).await;
    sign(repository.path(), home.path(), "openpgp", &key, "sub").await;
    let (commit, _) = signed(&server, "sub").await;
    let public = exported(home.path(), &key).await.unwrap();
    let keys = trusted("a.asc", &public);
    let now = now();
    assert_eq!(
        keys.verify(&commit, now).as_deref(),
        Ok(&key[key.len() - 16..])
    );

    let unnamed = SignedObject {
        signature: without_issuer(&commit.signature),
        ..commit.clone()
    };
    keys.verify(&unnamed, now).unwrap();
    let before = now - Duration::from_hours(1);
    let refused = keys.verify(&commit, before).unwrap_err().to_string();
    assert!(refused.contains("was made in the future"), "{refused}");
}

#[tokio::test]
async fn sha1_is_invalid_with_and_without_a_key_id() {
    let home = tempfile::tempdir().unwrap();
    // The library refuses a weak digest of other algorithms itself.
    let Some(key) = openpgp(home.path(), "main", "rsa2048", "0").await else {
        return;
    };
    let keys = trusted("a.asc", &exported(home.path(), &key).await.unwrap());
    fs::write(home.path().join("payload"), "tree 1\n").unwrap();
    for (digest, is_weak) in [("SHA256", false), ("SHA1", true)] {
        let sign = [
            "--batch",
            "--quiet",
            "--pinentry-mode",
            "loopback",
            "--passphrase",
            "",
            "--digest-algo",
            digest,
            "--armor",
            "--detach-sign",
            "--output",
            "-",
            "payload",
        ];
        let named = program("gpg", &sign, home.path()).await.unwrap();
        // The signer is not part of the signed data, so an attacker may omit it.
        for signature in [without_issuer(&named), named] {
            let object = SignedObject {
                signature,
                payload: b"tree 1\n".to_vec(),
            };
            let verified = keys
                .verify(&object, now())
                .map_err(|error| error.to_string());
            match verified {
                Ok(signer) => assert!(!is_weak && key.ends_with(&signer), "{digest}"),
                Err(error) => assert!(is_weak && error.contains("hash algorithm"), "{error}"),
            }
        }
    }
}

/// Removes the ID of the key, which is not part of the signed data.
fn without_issuer(signature: &str) -> String {
    let (mut signature, _) = DetachedSignature::from_string(signature).unwrap();
    while signature.signature.unhashed_subpacket_remove(0).is_ok() {}
    signature
        .to_armored_string(ArmorOptions::default())
        .unwrap()
}

#[tokio::test]
async fn unsupported_curve_is_named() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let Some(key) = openpgp(home.path(), "author", "brainpoolP256r1", "0").await else {
        return;
    };
    sign(repository.path(), home.path(), "openpgp", &key, "brainpool").await;
    let (commit, _) = signed(&server, "brainpool").await;
    let public = exported(home.path(), &key).await.unwrap();
    let refused = trusted("a.asc", &public).verify(&commit, now());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains(&key[key.len() - 16..]), "{refused}");
    assert!(refused.contains("not supported"), "{refused}");
}

#[tokio::test]
async fn ssh_signatures_name_key_fingerprint() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    filled(&repository);
    let now = now();
    let kinds = [
        ("ed25519", "256"),
        ("ecdsa", "256"),
        ("ecdsa", "384"),
        ("ecdsa", "521"),
        ("rsa", "2048"),
    ];
    for (kind, bits) in kinds {
        let name = format!("{kind}-{bits}");
        let arguments = [
            "-q", "-t", kind, "-b", bits, "-N", "", "-C", "a b", "-f", &name,
        ];
        if program("ssh-keygen", &arguments, home.path())
            .await
            .is_none()
        {
            return;
        }
        let key = home.path().join(&name);
        sign(
            repository.path(),
            home.path(),
            "ssh",
            key.to_str().unwrap(),
            &name,
        )
        .await;
        let public = fs::read_to_string(home.path().join(format!("{name}.pub"))).unwrap();
        let shown = program("ssh-keygen", &["-lf", &name], home.path())
            .await
            .unwrap();
        let fingerprint = shown.split(' ').nth(1).unwrap();
        let (commit, tag) = signed(&server, &name).await;
        let keys = trusted("a.sshpub", &format!("# who\n\nnamespaces=\"git\" {public}"));
        assert_eq!(
            keys.verify(&commit, now).as_deref(),
            Ok(fingerprint),
            "{name}"
        );
        assert_eq!(
            keys.verify(&tag.unwrap().signed, now).as_deref(),
            Ok(fingerprint),
            "{name}"
        );
        let mut tampered = commit.clone();
        tampered.payload[0] ^= 1;
        assert_eq!(
            keys.verify(&tampered, now),
            Err(VerificationError::NoMatch {
                keys: "authorized keys"
            }),
            "{name}"
        );
        // One invalid line makes an entry invalid, and keys of other types are not tried.
        let bad = trusted("a.sshpub", &format!("{public}ssh-ed25519 nonsense\n"));
        assert!(
            bad.verify(&commit, now)
                .unwrap_err()
                .to_string()
                .contains("line 2"),
            "{name}"
        );
        let other = trusted("a.asc", &public);
        assert!(
            matches!(
                other.verify(&commit, now),
                Err(VerificationError::NoKeys { .. })
            ),
            "{name}"
        );

        // A signature for another namespace.
        fs::write(home.path().join("payload"), &commit.payload).unwrap();
        program(
            "ssh-keygen",
            &["-Y", "sign", "-q", "-n", "file", "-f", &name, "payload"],
            home.path(),
        )
        .await;
        let signature = fs::read_to_string(home.path().join("payload.sig")).unwrap();
        fs::remove_file(home.path().join("payload.sig")).unwrap();
        let elsewhere = SignedObject {
            signature,
            ..commit
        };
        let refused = keys.verify(&elsewhere, now).unwrap_err().to_string();
        assert!(refused.contains("made for 'file'"), "{refused}");
    }
}
