//! `derivePassword`: the same password for the same words, by scrypt and HMAC.

use aws_lc_rs::hmac;

use super::Entry;
use crate::value::Type;
use crate::value::func::{Args, Call, Func, Outcome};

pub(super) const TABLE: &[Entry] = &[(
    "derivePassword",
    Func::fixed(
        &[
            Type::Uint32,
            Type::String,
            Type::String,
            Type::String,
            Type::String,
        ],
        derive,
    ),
)];

const SEED: &[u8] = b"com.lyndir.masterpassword";

/// The steps that a derivation is charged, about its time in ordinary steps.
const COST: usize = 1_000_000;

/// The forms of a type of password: a letter names the class of a character.
fn templates(kind: &[u8]) -> Option<Vec<String>> {
    let fixed = |forms: &[&str]| Some(forms.iter().map(|form| (*form).to_owned()).collect());
    match kind {
        b"maximum" => fixed(&["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"]),
        b"long" => {
            // Three syllables, and a number with a sign behind the first, second or third.
            let patterns = [
                ["Cvcv", "Cvcv", "Cvcv"],
                ["Cvcc", "Cvcv", "Cvcv"],
                ["Cvcv", "Cvcc", "Cvcv"],
                ["Cvcv", "Cvcv", "Cvcc"],
                ["Cvcc", "Cvcc", "Cvcv"],
                ["Cvcv", "Cvcc", "Cvcc"],
                ["Cvcc", "Cvcv", "Cvcc"],
            ];
            let place = |[one, two, three]: [&str; 3]| {
                [
                    format!("{one}no{two}{three}"),
                    format!("{one}{two}no{three}"),
                    format!("{one}{two}{three}no"),
                ]
            };
            Some(patterns.into_iter().flat_map(place).collect())
        }
        b"medium" => fixed(&["CvcnoCvc", "CvcCvcno"]),
        b"short" => fixed(&["Cvcn"]),
        b"basic" => fixed(&["aaanaaan", "aannaaan", "aaannaaa"]),
        b"pin" => fixed(&["nnnn"]),
        _ => None,
    }
}

/// The characters of a class.
const fn class(letter: u8) -> &'static [u8] {
    match letter {
        b'V' => b"AEIOU",
        b'C' => b"BCDFGHJKLMNPQRSTVWXYZ",
        b'v' => b"aeiou",
        b'c' => b"bcdfghjklmnpqrstvwxyz",
        b'a' => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
        b'n' => b"0123456789",
        b'o' => b"@&%?,=[]_:-+*$#!'^~;()/.",
        _ => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
    }
}

/// The seed, and a text behind its length.
fn salted(text: &[u8]) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    [SEED, &length.to_be_bytes(), text].concat()
}

fn derive(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let Some(templates) = templates(args.text(1)) else {
        let kind = String::from_utf8_lossy(args.text(1));
        return Ok(format!("cannot find password template {kind}").into());
    };
    call.steps(COST)?;
    let params = scrypt::Params::new(15, 8, 2)?;
    let mut key = [0; 64];
    scrypt::scrypt(args.text(2), &salted(args.text(3)), &params, &mut key)?;
    let counter = u32::try_from(args.int(0)).unwrap_or(u32::MAX);
    let mut message = salted(args.text(4));
    message.extend_from_slice(&counter.to_be_bytes());
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &message);
    let (first, seed) = tag.as_ref().split_first().ok_or("the seed is empty")?;
    let template = &templates[usize::from(*first) % templates.len()];
    let pick = |(letter, seed): (u8, &u8)| {
        let class = class(letter);
        char::from(class[usize::from(*seed) % class.len()])
    };
    Ok(template
        .bytes()
        .zip(seed)
        .map(pick)
        .collect::<String>()
        .into())
}
