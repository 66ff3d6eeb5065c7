//! Runs the test vectors of age's specification.

use std::process::Command;

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::Value;
use sluice_devcluster::{Tool, Toolbox};
use sluice_sops::keys::age::Identities;

/// A test vector.
#[derive(Default)]
struct Vector {
    expect: String,
    payload: String,
    identities: Vec<String>,
    armored: bool,
    passphrase: bool,
    file: Vec<u8>,
}

/// Parses lines of `name: value`, an empty line, and the file.
fn parse(bytes: &[u8]) -> Vector {
    let mut vector = Vector::default();
    let mut rest = bytes;
    loop {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap();
        let line = std::str::from_utf8(&rest[..end]).unwrap();
        rest = &rest[end + 1..];
        let Some((name, value)) = line.split_once(": ") else {
            break;
        };
        match name {
            "expect" => value.clone_into(&mut vector.expect),
            "payload" => value.clone_into(&mut vector.payload),
            "identity" => vector.identities.push(value.to_owned()),
            "armored" => vector.armored = value == "yes",
            "passphrase" => vector.passphrase = true,
            "compressed" => panic!("{value}: compressed vectors are not supported"),
            _ => {}
        }
    }
    vector.file = rest.to_vec();
    vector
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a program with the compiled-in vectors writes them"
)]
fn every_vector_of_the_specification_passes() {
    let toolbox = Toolbox::from_environment().unwrap();
    let program = toolbox
        .path_blocking(Tool::AgeVectors)
        .expect("build the vectors");
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success());
    let vectors: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut differ = Vec::new();
    let (mut judged, mut hybrid) = (0, 0);
    for (name, encoded) in vectors.as_object().unwrap() {
        let bytes = hex::decode(encoded.as_str().unwrap()).unwrap();
        let vector = parse(&bytes);
        // Plain files are tested with armor, because the parser requires it. Passphrases are
        // not supported.
        if vector.passphrase || vector.identities.is_empty() {
            continue;
        }
        let mut identities = Identities::default();
        identities.import(&vector.identities.join("\n")).unwrap();
        let opened = if vector.armored {
            let text = String::from_utf8_lossy(&vector.file).into_owned();
            identities.decrypt(&text)
        } else {
            identities.decrypt(&armored(&vector.file))
        };
        judged += 1;
        hybrid += usize::from(name.contains("hybrid"));
        let ended = match &opened {
            Ok(plain) if hex::encode(digest(&SHA256, plain.expose())) == vector.payload => {
                "success"
            }
            Ok(_) => "success with another payload",
            Err(error) => match error.to_string() {
                text if text.starts_with("invalid armor") => "armor failure",
                text if text.contains("no identity matched") => "no match",
                text if text.contains("its code does not match") => "HMAC failure",
                text if text.starts_with("the content") => "payload failure",
                text if text.starts_with("the header") => "header failure",
                _ => "another failure",
            },
        };
        if ended != vector.expect {
            differ.push(format!("{name}: {ended} instead of {}", vector.expect));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(judged > 80 && hybrid > 10, "{judged} {hybrid}");
}

fn armored(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    let mut out = String::from("-----BEGIN AGE ENCRYPTED FILE-----\n");
    for line in text.as_bytes().chunks(64) {
        out.push_str(std::str::from_utf8(line).unwrap());
        out.push('\n');
    }
    out + "-----END AGE ENCRYPTED FILE-----\n"
}
