//! Base64, base32 and digests.

use aws_lc_rs::digest::{self, Algorithm};
use sluice_golang::base64;

use super::Entry;
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{Type, Value};

const TEXT: &[Type] = &[Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("adler32sum", Func::fixed(TEXT, adler32)),
    ("b32dec", Func::fixed(TEXT, b32dec)),
    ("b32enc", Func::fixed(TEXT, b32enc)),
    ("b64dec", Func::fixed(TEXT, b64dec)),
    ("b64enc", Func::fixed(TEXT, b64enc)),
    ("sha1sum", Func::fixed(TEXT, sha1)),
    ("sha256sum", Func::fixed(TEXT, sha256)),
    ("sha512sum", Func::fixed(TEXT, sha512)),
];

fn b64enc(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(base64::encode(args.text(0)).into())
}

fn b32enc(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(base64::encode32(args.text(0)).into())
}

/// An error becomes the text.
fn decoded(outcome: Result<Vec<u8>, base64::CorruptInputError>) -> Value {
    match outcome {
        Ok(bytes) => Value::string(bytes),
        Err(error) => error.to_string().into(),
    }
}

fn b64dec(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(decoded(base64::decode(args.text(0))))
}

fn b32dec(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(decoded(base64::decode32(args.text(0))))
}

fn sum(algorithm: &'static Algorithm, text: &[u8]) -> Value {
    let digest = digest::digest(algorithm, text);
    let digits = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<String>().into()
}

fn sha1(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(sum(&digest::SHA1_FOR_LEGACY_USE_ONLY, args.text(0)))
}

fn sha256(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(sum(&digest::SHA256, args.text(0)))
}

fn sha512(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(sum(&digest::SHA512, args.text(0)))
}

fn adler32(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    const MODULUS: u32 = 65_521;
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in args.text(0) {
        low = (low + u32::from(*byte)) % MODULUS;
        high = (high + low) % MODULUS;
    }
    Ok((high << 16 | low).to_string().into())
}
