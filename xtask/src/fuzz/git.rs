//! Git: no response, pack, signature, key, list of hosts or ignore file makes a reader panic, hang
//! or use unbounded memory.

use std::time::{Duration, UNIX_EPOCH};

use sluice_artifact::ignore::{Rules, read};
use sluice_git::protocol::pktline::{self, Decoder, Packet};
use sluice_git::protocol::{Service, advertisement, response};
use sluice_git::{Limits, SignedObject, TrustedKeys, fuzz, ssh_setup};

use super::Target;

/// Reads the responses of a server, in all forms.
pub(super) const PROTOCOL: Target = Target {
    name: "git-protocol",
    run: |bytes| {
        let mut decoder = Decoder::default();
        let mut packets = Vec::new();
        for chunk in bytes.chunks(7) {
            decoder.push(chunk);
            while let Ok(Some(packet)) = decoder.next_packet() {
                packets.push(packet);
            }
        }
        if let Ok(all) = Decoder::all(bytes) {
            assert_eq!(all, packets, "the size of chunks matters");
        }
        for service in [Service::UploadPack, Service::ReceivePack] {
            let mut parser = advertisement::Parser::new(service);
            feed(&packets, |packet| parser.feed(packet).is_ok());
        }
        for form in [
            response::Form::V2,
            response::Form::V0 { shallow: true },
            response::Form::V0 { shallow: false },
            response::Form::Acknowledgments,
        ] {
            let mut parser = response::Parser::new(form);
            feed(&packets, |packet| parser.feed(packet).is_ok());
        }
    },
    seeds: || {
        let lines: [&[&str]; 5] = [
            &[
                "version 2\n",
                "agent=git/2\n",
                "ls-refs=unborn\n",
                "fetch=shallow filter\n",
            ],
            &["# service=git-upload-pack\n", "0000", "version 1\n", REF],
            &[
                REF,
                "1111111111111111111111111111111111111111 refs/tags/v1^{}\n",
            ],
            &[
                "acknowledgments\n",
                "ready\n",
                "0001",
                "packfile\n",
                "\u{1}PACK",
            ],
            &[
                "shallow 1111111111111111111111111111111111111111\n",
                "0000",
                "NAK\n",
                "\u{2}progress",
            ],
        ];
        let packed = lines.map(|lines| {
            let mut out = Vec::new();
            for line in lines {
                match *line {
                    "0000" => pktline::flush(&mut out),
                    "0001" => pktline::delimiter(&mut out),
                    line => pktline::data(&mut out, line.as_bytes()),
                }
            }
            pktline::flush(&mut out);
            out
        });
        packed.into()
    },
    words: &[
        "0000",
        "0001",
        "0002",
        "0003",
        "0004",
        "0005\n",
        "0010",
        "fff0",
        "ffff",
        "# service=git-upload-pack\n",
        "version 2\n",
        "version 1\n",
        "ls-refs=",
        "fetch=",
        "object-format=sha256\n",
        "symref=HEAD:refs/heads/main",
        "1111111111111111111111111111111111111111",
        " refs/heads/",
        "^{}",
        "\u{0}",
        "shallow ",
        "unshallow ",
        "ACK ",
        "NAK\n",
        "ready",
        " common",
        "packfile\n",
        "shallow-info\n",
        "wanted-refs\n",
        "\u{1}",
        "\u{2}",
        "\u{3}",
        "ERR ",
        "\n",
        "capabilities^{}",
    ],
};

const REF: &str =
    "1111111111111111111111111111111111111111 refs/heads/main\u{0}side-band-64k shallow\n";

/// Feeds packets until a parser refuses one.
fn feed(packets: &[Packet], mut is_taken: impl FnMut(Packet) -> bool) {
    for packet in packets {
        if !is_taken(packet.clone()) {
            return;
        }
    }
}

/// Indexes a pack.
pub(super) const PACKS: Target = Target {
    name: "git-pack",
    run: |bytes| {
        let directory = tempfile::tempdir().expect("a directory for the pack");
        let limits = Limits {
            blob_bytes: 16 << 20,
            delta_bytes: 4 << 20,
            metadata_bytes: 4 << 20,
            ..Limits::default()
        };
        let repaired = with_trailer(bytes);
        for (name, pack) in [("a/pack", bytes), ("b/pack", repaired.as_slice())] {
            let indexed = fuzz::index_pack(pack, &directory.path().join(name), limits);
            drop(indexed.map_err(|error| error.to_string()));
        }
    },
    seeds: || {
        let blob = object(3, b"hello\n");
        let tree = object(2, b"100644 a\0\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11");
        let tag = object(
            4,
            b"object 1111\ntype commit\ntag v1\ntagger a <b> 1 +0000\n\nx\n",
        );
        let delta = [&[0x65, 0x08][..], &zlib(b"\x06\x06\x90\x06")].concat();
        let chain = [&[0x75][..], &[0x11; 20], &zlib(b"\x06\x06\x06hello\n")].concat();
        let packs = [
            vec![],
            vec![blob.clone()],
            vec![blob.clone(), tree.clone(), tag],
            vec![blob.clone(), delta],
            vec![blob, chain, tree],
        ];
        packs.map(pack).into()
    },
    words: &[
        "PACK\u{0}\u{0}\u{0}\u{2}",
        "\u{0}\u{0}\u{0}\u{1}",
        "\u{7f}\u{7f}\u{7f}\u{7f}",
        "x\u{1}",
        "1",
        "2",
        "3",
        "4",
        "e",
        "u",
        "\u{0}",
        "\u{1}",
        "\u{10}",
        "tree ",
        "parent ",
        "100644 a\u{0}",
        "40000 .git\u{0}",
        "120000 a\u{0}",
    ],
};

/// An object of a pack, of at most 15 bytes or in two bytes of its size.
fn object(kind: u8, data: &[u8]) -> Vec<u8> {
    let low = u8::try_from(data.len() & 0xf).expect("four bits");
    let high = u8::try_from(data.len() >> 4).expect("it is short");
    let mut head = vec![(kind << 4) | low];
    if high > 0 {
        head[0] |= 0x80;
        head.push(high);
    }
    [head, zlib(data)].concat()
}

fn zlib(data: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    let written = encoder.write_all(data).and_then(|()| encoder.finish());
    written.expect("memory takes everything")
}

fn pack(objects: Vec<Vec<u8>>) -> Vec<u8> {
    let count = u32::try_from(objects.len()).expect("a few");
    let mut pack = [&b"PACK\0\0\0\x02"[..], &count.to_be_bytes()].concat();
    for object in objects {
        pack.extend(object);
    }
    pack.extend([0; 20]);
    with_trailer(&pack)
}

/// Corrects the checksum of a pack, so that other changes reach the reader.
fn with_trailer(pack: &[u8]) -> Vec<u8> {
    let body = &pack[..pack.len().saturating_sub(20)];
    let sum = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY, body);
    [body, sum.as_ref()].concat()
}

/// Verifies signatures of commits and tags, and reads trusted keys.
pub(super) const SIGNATURES: Target = Target {
    name: "git-signature",
    run: |bytes| {
        let now = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let (material, object) = match bytes.windows(2).position(|pair| pair == b"\0\0") {
            Some(at) => (&bytes[..at], &bytes[at + 2..]),
            None => (bytes, bytes),
        };
        for keys in [
            TrustedKeys::read([("a.asc", material)]),
            TrustedKeys::read([("a.pub", material), ("b.pub", SSH_KEY.as_bytes())]),
            TrustedKeys::default(),
        ] {
            let commit = SignedObject::commit(object);
            let armored = SignedObject {
                payload: b"tree 1\n".to_vec(),
                signature: String::from_utf8_lossy(object).into_owned(),
            };
            for signed in [commit, SignedObject::tag(object), armored] {
                let verified = keys.verify(&signed, now).map_err(|error| error.to_string());
                assert!(
                    verified.is_err(),
                    "a signature out of nothing: {verified:?}"
                );
            }
        }
    },
    seeds: || {
        let commit = b"tree 1\nauthor a <b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n wsBcBAABCgAQ\n =AAAA\n -----END PGP SIGNATURE-----\n\nsubject\n";
        let tag = b"object 1\ntype commit\ntag v1\n\nx\n-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n";
        let key = PGP_KEY.as_bytes();
        vec![
            commit.to_vec(),
            tag.to_vec(),
            [key, b"\0\0", commit].concat(),
            [SSH_KEY.as_bytes(), b"\0\0", tag].concat(),
            key.to_vec(),
        ]
    },
    words: &[
        "-----BEGIN PGP SIGNATURE-----\n\n",
        "-----END PGP SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----\n",
        "-----END SSH SIGNATURE-----\n",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n",
        "-----END PGP PUBLIC KEY BLOCK-----\n",
        "-----BEGIN SIGNED MESSAGE-----\n",
        "gpgsig ",
        "gpgsig-sha256 ",
        "\n ",
        "\n\n",
        "tree ",
        "U1NIU0lH",
        "AAAA",
        "=",
        "ssh-ed25519 ",
        "ecdsa-sha2-nistp256 ",
        "sk-ssh-ed25519@openssh.com ",
        "cert-authority ",
        "namespaces=\"git\" ",
        "\u{0}\u{0}",
        "/////w==",
        "Hash: SHA1\n",
        "Version: 1\n",
    ],
};

const SSH_KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";

const PGP_KEY: &str =
    include_str!("../../../crates/content/sops/tests/fixtures/keys/curve25519.asc");

/// Looks for a host in a list of known hosts.
pub(super) const KNOWN_HOSTS: Target = Target {
    name: "known-hosts",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        for (host, port) in [
            ("github.com", 22),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2222),
            ("::1", 22),
        ] {
            drop(ssh_setup::is_host_known(&text, host, port).map_err(|error| error.to_string()));
        }
    },
    seeds: || {
        let key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
        let lines = [
            format!("github.com ssh-ed25519 {key}\n"),
            format!("[github.com]:2222,!x ssh-ed25519 {key} comment\n"),
            format!("@cert-authority *.com ssh-ed25519 {key}\n"),
            format!("@revoked a*a*a*b ssh-ed25519 {key}\n# comment\n\n"),
            format!("|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-rsa {key}\n"),
        ];
        lines.map(String::into_bytes).into()
    },
    words: &[
        "github.com",
        "*",
        "?",
        "!",
        ",",
        "[",
        "]:",
        "|1|",
        "|",
        "=",
        "@cert-authority ",
        "@revoked ",
        " ",
        "\t",
        "\n",
        "#",
        "ssh-rsa ",
        "ssh-ed25519 ",
        "ecdsa-sha2-nistp256 ",
        "AAAA",
        "a*a*a*a*a*a*a*a*b",
        "22",
    ],
};

/// Reads an ignore file, and matches paths.
pub(super) const IGNORE_RULES: Target = Target {
    name: "ignore-rules",
    run: |bytes| {
        for rules in [
            Rules::exactly(read(bytes, b"")),
            Rules::with_defaults(read(bytes, b"a")),
            Rules::for_source(read(bytes, b""), str::from_utf8(bytes).ok()),
        ] {
            for path in [
                "a",
                "a/b/c/d.yaml",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaab",
            ] {
                for is_directory in [false, true] {
                    let excluded = rules.exclude(path.as_bytes(), is_directory);
                    drop(excluded.map_err(|error| error.to_string()));
                }
            }
        }
    },
    seeds: || {
        let rules: [&[u8]; 6] = [
            b"*.txt\n!a.txt\n",
            b"# comment\n/a/\n**/b\n",
            b"a*b*c*\na/**/b\n",
            b"[a-c]?\n[^a]\n[[:alpha:]]\n",
            b"\\#a\n\\!b\nx\\ \n",
            b"**/**/**/**/a\n",
        ];
        rules.map(<[u8]>::to_vec).into()
    },
    words: &[
        "*",
        "**",
        "**/",
        "/**",
        "?",
        "[",
        "]",
        "[a-z]",
        "[!",
        "[[:alpha:]]",
        "\\",
        "!",
        "#",
        "/",
        "\n",
        "\r\n",
        "a",
        ".",
        "*a*a*a*a*a*a*b",
        "a/",
        " ",
    ],
};
