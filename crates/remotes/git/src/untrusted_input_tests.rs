//! Property tests: parsers of untrusted input do not panic or read beyond their input.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::address::Address;
use crate::id::ObjectId;
use crate::limits::Limits;
use crate::protocol::pktline::{Decoder, Packet};
use crate::protocol::{advertisement, response};
use crate::reference::{Reference, revision_commit};
use crate::store::scan::PackScanner;

/// Input that is often almost valid.
fn wire() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        Just("version 2".to_owned()),
        Just("version 1".to_owned()),
        Just("# service=git-upload-pack\n".to_owned()),
        Just("packfile\n".to_owned()),
        Just("acknowledgments\n".to_owned()),
        Just("shallow-info\n".to_owned()),
        Just("ready\n".to_owned()),
        Just("NAK\n".to_owned()),
        "[0-9a-f]{40} refs/heads/[a-z^{}]{0,8}",
        "[0-9a-f]{40} HEAD\0[a-z= :-]{0,30}",
        "(shallow|unshallow|ACK) [0-9a-f]{40}",
        "[\x01-\x04].{0,20}",
        ".{0,30}",
    ];
    let packet = prop_oneof![
        text.prop_map(|text| [
            format!("{:04x}", text.len() + 4).as_bytes(),
            text.as_bytes()
        ]
        .concat()),
        Just(b"0000".to_vec()),
        Just(b"0001".to_vec()),
        Just(b"0002".to_vec()),
        vec(any::<u8>(), 0..12),
    ];
    vec(packet, 0..12).prop_map(|packets| packets.concat())
}

/// Packets before the first invalid one.
fn packets(bytes: &[u8]) -> Vec<Packet> {
    let mut decoder = Decoder::default();
    decoder.push(bytes);
    std::iter::from_fn(|| decoder.next_packet().ok().flatten()).collect()
}

/// Fixed cases. `cargo xtask fuzz` searches for new ones.
fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(0x5_1a1c_e001),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn advertisement_parser_does_not_panic(bytes in wire()) {
        let mut parser = advertisement::Parser::default();
        for packet in packets(&bytes) {
            if parser.feed(packet).is_err() {
                break;
            }
        }
    }

    #[test]
    fn response_parser_does_not_panic(bytes in wire(), form in 0..4) {
        let form = match form {
            0 => response::Form::V2,
            1 => response::Form::V0 { shallow: true },
            2 => response::Form::V0 { shallow: false },
            _ => response::Form::Acknowledgments,
        };
        let mut parser = response::Parser::new(form);
        let mut given = 0;
        for packet in packets(&bytes) {
            match parser.feed(packet) {
                Ok(response::Part::Pack(pack)) => given += pack.len(),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        prop_assert!(given <= bytes.len());
    }

    #[test]
    fn reference_parser_does_not_panic(bytes in vec(any::<u8>(), 0..120)) {
        drop(advertisement::listed_ref(&bytes));
    }

    #[test]
    fn pack_scanner_does_not_depend_on_chunks(
        bytes in vec(any::<u8>(), 0..200),
        count in 0_u8..4,
        cut in 0_usize..200,
    ) {
        let wire = [b"PACK\0\0\0\x02\0\0\0".as_slice(), &[count], &bytes].concat();
        let mut whole = PackScanner::new(Limits::default());
        let at_once = whole.push(&wire);
        let mut parts = PackScanner::new(Limits::default());
        let (first, second) = wire.split_at(cut.min(wire.len()));
        let in_two = parts.push(first).and_then(|()| parts.push(second));
        prop_assert_eq!(at_once.is_ok(), in_two.is_ok());
        prop_assert!(at_once.is_err() || whole.is_complete() == parts.is_complete());
    }

    #[test]
    fn tree_parser_does_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        drop(crate::walk::tree::parse(&bytes));
        crate::walk::name::check(&bytes).ok();
    }

    #[test]
    fn known_hosts_parser_does_not_panic(text in "(.{0,40}\n){0,4}", host in ".{0,20}", port in any::<u16>()) {
        drop(crate::transport::ssh::known_hosts::KnownHost::find(&text, &host, port));
    }

    #[test]
    fn known_hosts_patterns_do_not_panic(
        text in r"(@[a-z-]{0,14} )?[\[\]|*?!,:a-z0-9=+/]{0,30} ssh-ed25519 AAAA[A-Za-z0-9+/=]{0,80}",
    ) {
        drop(crate::transport::ssh::known_hosts::KnownHost::find(&text, "example.com", 22));
    }

    #[test]
    fn address_and_revision_parsers_do_not_panic(text in ".{0,60}") {
        drop(Address::parse(&text));
        drop(Address::parse(&format!("ssh://{text}")));
        drop(Reference::Name(text.clone()).validate());
        prop_assert_eq!(revision_commit(&text).is_some() && text.len() == 40, text.parse::<ObjectId>().is_ok());
    }

    #[test]
    fn valid_name_is_safe_in_command(text in ".{0,30}") {
        if Reference::Name(text.clone()).validate().is_ok() {
            prop_assert!(!text.starts_with('-'));
            prop_assert!(!text.contains(['\n', '\0', ' ']));
        }
    }
}
