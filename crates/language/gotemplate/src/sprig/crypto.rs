//! Passwords, ciphers and keys.

use aes::Aes256;
use aes::cipher::{Block, BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};
use sluice_golang::base64;

use super::Entry;
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Type, Value};

const TEXT: &[Type] = &[Type::String];
const TEXT2: &[Type] = &[Type::String, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("bcrypt", Func::fixed(TEXT, bcrypt)),
    ("decryptAES", Func::fixed(TEXT2, decrypt)),
    ("encryptAES", Func::fixed(TEXT2, encrypt)),
    ("htpasswd", Func::fixed(TEXT2, htpasswd)),
];

/// Go's default cost of bcrypt.
const BCRYPT_COST: u32 = 10;
/// The longest password that bcrypt takes.
const BCRYPT_BYTES: usize = 72;
/// The steps that a hash is charged, about its time in ordinary steps.
const BCRYPT_STEPS: usize = 500_000;

/// The bytes of a block of AES.
const BLOCK: usize = 16;

fn hashed(call: &mut Call<'_, '_>, password: &[u8]) -> Result<String, Failure> {
    if password.len() > BCRYPT_BYTES {
        let message =
            "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
        return Ok(message.to_owned());
    }
    call.steps(BCRYPT_STEPS)?;
    let mut salt = [0; BLOCK];
    call.random(&mut salt)?;
    Ok(hash_with(password, &salt))
}

/// Hashes by bcrypt 2a with a salt.
fn hash_with(password: &[u8], salt: &[u8; BLOCK]) -> String {
    let key = [password, &[0]].concat();
    let mut state = blowfish::Blowfish::bc_init_state();
    state.salted_expand_key(salt, &key);
    for _ in 0..1_u32 << BCRYPT_COST {
        state.bc_expand_key(&key);
        state.bc_expand_key(salt);
    }
    // "OrpheanBeholderScryDoubt"
    let mut words: [u32; 6] = [
        0x4f72_7068,
        0x6561_6e42,
        0x6568_6f6c,
        0x6465_7253,
        0x6372_7944,
        0x6f75_6274,
    ];
    for pair in words.chunks_exact_mut(2) {
        for _ in 0..64 {
            let [left, right] = state.bc_encrypt([pair[0], pair[1]]);
            pair.copy_from_slice(&[left, right]);
        }
    }
    let digest: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let salt = radix64(salt);
    let digest = radix64(&digest[..23]);
    format!("$2a${BCRYPT_COST}${salt}{digest}")
}

/// The base64 of bcrypt: another alphabet, and no padding.
fn radix64(bytes: &[u8]) -> String {
    const PLAIN: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const OWN: &[u8] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let text = base64::encode(bytes);
    let letters = text.bytes().filter(|letter| *letter != b'=');
    let own = |letter: u8| {
        let index = PLAIN.iter().position(|plain| *plain == letter);
        char::from(OWN[index.unwrap_or(0)])
    };
    letters.map(own).collect()
}

fn bcrypt(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(hashed(call, args.text(0))?.into())
}

fn htpasswd(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let user = args.text(0);
    if user.contains(&b':') {
        let user = String::from_utf8_lossy(user);
        return Ok(format!("invalid username: {user}").into());
    }
    let hash = hashed(call, args.text(1))?;
    Ok(Value::string([user, b":", hash.as_bytes()].concat()))
}

/// AES with a key of 32 bytes: the password, cut or filled with zeros.
fn cipher(password: &[u8]) -> Aes256 {
    let mut key = [0; 32];
    for (slot, byte) in key.iter_mut().zip(password) {
        *slot = *byte;
    }
    Aes256::new(&key.into())
}

fn encrypt(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = args.text(1);
    if text.is_empty() {
        return Ok("".into());
    }
    let cipher = cipher(args.text(0));
    let padding = BLOCK - text.len() % BLOCK;
    let mut content = text.to_vec();
    content.resize(text.len() + padding, u8::try_from(padding)?);
    let mut last = [0; BLOCK];
    call.random(&mut last)?;
    let mut out = last.to_vec();
    for plain in content.chunks_exact(BLOCK) {
        let mut block = [0; BLOCK];
        for (index, slot) in block.iter_mut().enumerate() {
            *slot = plain[index] ^ last[index];
        }
        let mut block: Block<Aes256> = block.into();
        cipher.encrypt_block(&mut block);
        last = block.into();
        out.extend_from_slice(&last);
    }
    Ok(base64::encode(&out).into())
}

fn decrypt(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if args.text(1).is_empty() {
        return Ok("".into());
    }
    let cipher = cipher(args.text(0));
    let text = base64::decode(args.text(1))?;
    let length = text.len();
    let too_short =
        || format!("runtime error: slice bounds out of range [:{BLOCK}] with capacity {length}");
    let (mut last, content) = text.split_at_checked(BLOCK).ok_or_else(too_short)?;
    if content.len() % BLOCK != 0 {
        return Err("crypto/cipher: input not full blocks".into());
    }
    let mut out = Vec::with_capacity(content.len());
    for encrypted in content.chunks_exact(BLOCK) {
        let mut bytes = [0; BLOCK];
        bytes.copy_from_slice(encrypted);
        let mut block: Block<Aes256> = bytes.into();
        cipher.decrypt_block(&mut block);
        out.extend(block.iter().zip(last).map(|(byte, last)| byte ^ last));
        last = encrypted;
    }
    let Some(padding) = out.last() else {
        return Err("runtime error: index out of range [-1]".into());
    };
    let left = out.len().checked_sub(usize::from(*padding));
    let left = left.ok_or_else(|| {
        let end = i64::try_from(out.len()).unwrap_or(0) - i64::from(*padding);
        format!("runtime error: slice bounds out of range [:{end}]")
    })?;
    out.truncate(left);
    Ok(Value::string(out))
}
