//! Tests `OpenPGP` key rings that cannot sign. `bootstrap` reports the reason before its first
//! request. The real gpg creates the rings.

use std::path::Path;
use std::process::Command;

use sluice_skip::{Requirement, skip};

/// Returns the output of gpg, or `None` without gpg.
fn gpg(home: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new("gpg")
        .args(["--batch", "--quiet", "--pinentry-mode", "loopback"])
        .args(arguments)
        .env("GNUPGHOME", home)
        .output();
    match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skip(Requirement::Oracle, "gpg is not installed");
            None
        }
        output => {
            let output = output.unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            Some(output.stdout)
        }
    }
}

/// Creates a key and returns its id.
fn key(home: &Path, name: &str, passphrase: &str, when: &[&str], life: &str) -> Option<String> {
    let user = format!("{name} <{name}@example.com>");
    let make = ["--passphrase", passphrase, "--quick-gen-key", &user];
    gpg(home, &[when, &make, &["ed25519", "sign", life]].concat())?;
    let listed = gpg(home, &["--with-colons", "--list-keys", name])?;
    let listed = String::from_utf8(listed).unwrap();
    let line = listed.lines().find(|line| line.starts_with("pub:"));
    line.unwrap().split(':').nth(4).map(str::to_owned)
}

#[test]
fn unusable_key_ring_is_rejected_with_hint() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let long_ago = ["--faked-system-time", "20200101T000000"];
    let Some(old) = key(home, "old", "", &long_ago, "1d") else {
        return;
    };
    let locked = key(home, "locked", "open sesame", &[], "never").unwrap();
    for (name, passphrase) in [("old", ""), ("locked", "open sesame")] {
        let export = ["--passphrase", passphrase, "--export-secret-keys", name];
        let ring = gpg(home, &export).unwrap();
        std::fs::write(home.join(name), ring).unwrap();
    }
    let both = [home.join("old"), home.join("locked")].map(|path| std::fs::read(path).unwrap());
    std::fs::write(home.join("both"), both.concat()).unwrap();
    let public = gpg(home, &["--armor", "--export", "locked"]).unwrap();
    std::fs::write(home.join("public"), public).unwrap();
    Command::new("gpgconf")
        .args(["--kill", "all"])
        .env("GNUPGHOME", home)
        .status()
        .unwrap();

    let expired = format!(
        "key {old} cannot sign: the key has expired\n  hint: renew and export the key, or set another --gpg-key-id"
    );
    let shut = "the private key cannot be opened: the passphrase is missing or wrong\n  hint: set --gpg-passphrase";
    let absent = |id: &str, there: &str| {
        format!(
            "no private key of the ring has the id '{id}'; its keys are {there}\n  hint: set --gpg-key-id to one of these, or to a whole fingerprint"
        )
    };
    let all = format!("{old}, {locked}");
    for (flags, said) in [
        ("--gpg-key-ring=old".to_owned(), expired.clone()),
        (format!("--gpg-key-ring=both --gpg-key-id={old}"), expired),
        ("--gpg-key-ring=locked".to_owned(), shut.to_owned()),
        (
            "--gpg-key-ring=locked --gpg-passphrase=canary".to_owned(),
            shut.to_owned(),
        ),
        (
            "--gpg-key-ring=both --gpg-key-id=0123456789ABCDEF".to_owned(),
            absent("0123456789ABCDEF", &all),
        ),
        // Short key ids of eight digits are easy to forge.
        (
            format!("--gpg-key-ring=locked --gpg-key-id={}", &locked[8..]),
            absent(&locked[8..], &locked),
        ),
        (
            "--gpg-key-ring=public".to_owned(),
            "it holds no OpenPGP private key that can be read\n  hint: set --gpg-key-ring to the output of 'gpg --export-secret-keys': public keys do not sign".to_owned(),
        ),
    ] {
        let ended = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["bootstrap", "git", "--url=https://h.example/x"])
            .args(flags.split(' '))
            .current_dir(home)
            .env("KUBECONFIG", "/nonexistent/kubeconfig")
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{flags}: {told}");
        assert_eq!(told, format!("✗ invalid GPG signing key: {said}\n"), "{flags}");
    }
}
