//! Random texts and numbers.

use std::fmt::Write as _;

use super::Entry;
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Type, Value};

const COUNT: &[Type] = &[Type::Int];

pub(super) const TABLE: &[Entry] = &[
    ("randAlpha", Func::fixed(COUNT, alpha)),
    ("randAlphaNum", Func::fixed(COUNT, alphanumeric)),
    ("randAscii", Func::fixed(COUNT, ascii)),
    ("randBytes", Func::fixed(COUNT, bytes)),
    ("randInt", Func::fixed(&[Type::Int, Type::Int], int)),
    ("randNumeric", Func::fixed(COUNT, numeric)),
    ("shuffle", Func::fixed(&[Type::String], shuffle)),
    ("uuidv4", Func::fixed(&[], uuid)),
];

/// A number below a bound, each equally likely.
fn below(call: &mut Call<'_, '_>, bound: u64) -> Result<u64, Failure> {
    // The greatest multiple of the bound; numbers from there on would favour small ones.
    let end = u64::MAX - u64::MAX % bound;
    loop {
        let mut buffer = [0; 8];
        call.random(&mut buffer)?;
        let number = u64::from_le_bytes(buffer);
        if number < end {
            return Ok(number % bound);
        }
    }
}

/// A text of so many characters of an alphabet; nothing for a negative count.
fn text(call: &mut Call<'_, '_>, args: &Args<'_>, alphabet: &[u8]) -> Outcome {
    let count = usize::try_from(args.int(0)).unwrap_or(0);
    call.reserve(count)?;
    call.steps(count)?;
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let index = below(call, alphabet.len() as u64)?;
        out.push(alphabet[usize::try_from(index)?]);
    }
    Ok(Value::string(out))
}

fn alphabet(is_letter: impl Fn(&u8) -> bool) -> Vec<u8> {
    (b' '..=b'~').filter(is_letter).collect()
}

fn alphanumeric(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    text(call, args, &alphabet(u8::is_ascii_alphanumeric))
}

fn alpha(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    text(call, args, &alphabet(u8::is_ascii_alphabetic))
}

fn numeric(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    text(call, args, &alphabet(u8::is_ascii_digit))
}

fn ascii(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    text(call, args, &alphabet(|_| true))
}

fn bytes(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let too_long = "runtime error: makeslice: len out of range";
    let count = usize::try_from(args.int(0)).map_err(|_| too_long)?;
    call.reserve(count)?;
    let mut buffer = vec![0; count];
    call.random(&mut buffer)?;
    Ok(sluice_golang::base64::encode(&buffer).into())
}

fn int(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (low, high) = (args.int(0), args.int(1));
    let width = u64::try_from(high.wrapping_sub(low))
        .ok()
        .filter(|width| *width > 0);
    let width = width.ok_or("invalid argument to Intn")?;
    let number = below(call, width)?;
    Ok(Value::int(low.wrapping_add(number.cast_signed())))
}

fn shuffle(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut runes: Vec<char> = String::from_utf8_lossy(args.text(0)).chars().collect();
    call.steps(runes.len())?;
    for last in (1..runes.len()).rev() {
        let other = below(call, last as u64 + 1)?;
        runes.swap(last, usize::try_from(other)?);
    }
    Ok(runes.into_iter().collect::<String>().into())
}

fn uuid(call: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
    let mut bytes = [0; 16];
    call.random(&mut bytes)?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut digits = String::with_capacity(32);
    for byte in bytes {
        write!(digits, "{byte:02x}")?;
    }
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    Ok(parts.join("-").into())
}
