//! The age file format: stanzas that each wrap the file key, an authentication code over that
//! header, and the content in chunks.

use std::fmt;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::{hkdf, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sluice_dial::Sensitive;

use crate::data_key::{DataKey, random};

const INTRO: &str = "age-encryption.org/v1\n";

/// The length of the file key, in bytes.
const FILE_KEY_BYTES: usize = 16;

/// The bytes of a line of a stanza, and its characters.
const LINE_BYTES: usize = 48;
const LINE_COLUMNS: usize = 64;

/// The sizes of a chunk of content, its tag and the nonce before all chunks, in bytes.
const CHUNK: usize = 64 << 10;
const TAG: usize = 16;
const NONCE: usize = 16;

/// Why a file cannot be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum FileError {
    /// The header is malformed.
    #[error("the header of the age file is malformed: {0}")]
    Header(&'static str),
    /// The file is for other identities.
    #[error("no identity matched any of the recipients")]
    NoMatch,
    /// The header was changed.
    #[error("the header of the age file was changed: its code does not match")]
    Mac,
    /// The content was changed or truncated.
    #[error("the content of the age file was changed or cut")]
    Payload,
}

/// The key of a file.
pub(super) struct FileKey(Sensitive<Vec<u8>>);

impl FileKey {
    pub(super) fn generate() -> Self {
        Self(Sensitive::new(random::<FILE_KEY_BYTES>().to_vec()))
    }

    pub(super) fn new(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() == FILE_KEY_BYTES).then(|| Self(Sensitive::new(bytes)))
    }

    pub(super) fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    fn header_code(&self) -> hmac::Key {
        let key = derive(self.expose(), b"", b"header");
        hmac::Key::new(hmac::HMAC_SHA256, key.expose())
    }

    fn payload_key(&self, nonce: &[u8]) -> LessSafeKey {
        cipher(derive(self.expose(), nonce, b"payload").expose())
    }
}

/// Derives 32 bytes with HKDF and SHA-256.
pub(super) fn derive(secret: &[u8], salt: &[u8], info: &[u8]) -> Sensitive<Vec<u8>> {
    struct Length;
    impl hkdf::KeyType for Length {
        fn len(&self) -> usize {
            32
        }
    }
    let mut key = vec![0; 32];
    hkdf::Salt::new(hkdf::HKDF_SHA256, salt)
        .extract(secret)
        .expand(&[info], Length)
        .and_then(|okm| okm.fill(&mut key))
        .expect("32 bytes can be derived");
    Sensitive::new(key)
}

/// Creates a ChaCha20-Poly1305 cipher; the key must have 32 bytes.
pub(super) fn cipher(key: &[u8]) -> LessSafeKey {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).expect("the key has 32 bytes");
    LessSafeKey::new(key)
}

/// Encrypts with a nonce, which must be used only once.
pub(super) fn sealed(key: &LessSafeKey, nonce: [u8; 12], plain: &[u8]) -> Vec<u8> {
    let mut text = plain.to_vec();
    let nonce = Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut text)
        .expect("the text is short");
    text
}

/// Decrypts; `None` if authentication fails.
pub(super) fn opened(key: &LessSafeKey, nonce: [u8; 12], sealed: &[u8]) -> Option<Vec<u8>> {
    let mut text = sealed.to_vec();
    let nonce = Nonce::assume_unique_for_key(nonce);
    let length = key
        .open_in_place(nonce, Aad::empty(), &mut text)
        .ok()?
        .len();
    text.truncate(length);
    Some(text)
}

/// A stanza of the header, which wraps the file key for one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stanza {
    pub(super) kind: String,
    pub(super) arguments: Vec<String>,
    pub(super) body: Vec<u8>,
}

impl fmt::Display for Stanza {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-> {}", self.kind)?;
        for argument in &self.arguments {
            write!(f, " {argument}")?;
        }
        f.write_str("\n")?;
        let body = STANDARD_NO_PAD.encode(&self.body);
        for line in body.as_bytes().chunks(LINE_COLUMNS) {
            writeln!(f, "{}", str::from_utf8(line).expect("base64 is ASCII"))?;
        }
        // The last line is shorter than the others, possibly empty.
        if body.len().is_multiple_of(LINE_COLUMNS) {
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// A parsed header with its authentication code and length.
struct Header {
    stanzas: Vec<Stanza>,
    code: Vec<u8>,
    /// The number of bytes before the code.
    covered: usize,
    length: usize,
}

fn header(bytes: &[u8]) -> Result<Header, FileError> {
    let refused = FileError::Header;
    let mut at = 0;
    let mut next = || {
        let rest = &bytes[at..];
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        at += end + 1;
        Some((str::from_utf8(&rest[..end]).ok()?, at))
    };
    let (intro, mut start) = next().ok_or_else(|| refused("it is none"))?;
    if intro != INTRO.trim_end() {
        return Err(refused("it is of no version that is known"));
    }
    let mut stanzas = Vec::new();
    loop {
        let (line, end) = next().ok_or_else(|| refused("it ends too early"))?;
        if let Some(code) = line.strip_prefix("---") {
            let code = code.strip_prefix(' ').unwrap_or_default();
            let code = STANDARD_NO_PAD.decode(code).unwrap_or_default();
            if code.len() != 32 {
                return Err(refused("its last line is wrong"));
            }
            return Ok(Header {
                stanzas,
                code,
                covered: start + "---".len(),
                length: end,
            });
        }
        let words = line
            .strip_prefix("-> ")
            .ok_or_else(|| refused("a stanza begins with ->"))?;
        let mut words = words.split(' ').map(str::to_owned);
        let is_word =
            |word: &String| !word.is_empty() && word.bytes().all(|byte| (33..=126).contains(&byte));
        let kind = words
            .next()
            .filter(is_word)
            .ok_or_else(|| refused("a stanza has no type"))?;
        let arguments: Vec<String> = words.collect();
        if !arguments.iter().all(is_word) {
            return Err(refused("an argument of a stanza is not a word"));
        }
        let mut body = Vec::new();
        loop {
            let (line, end) = next().ok_or_else(|| refused("it ends too early"))?;
            start = end;
            let part = STANDARD_NO_PAD
                .decode(line)
                .map_err(|_| refused("a stanza is not base64"))?;
            if part.len() > LINE_BYTES {
                return Err(refused("a line of a stanza is too long"));
            }
            body.extend_from_slice(&part);
            if part.len() < LINE_BYTES {
                break;
            }
        }
        stanzas.push(Stanza {
            kind,
            arguments,
            body,
        });
    }
}

/// Unwraps the file key from stanzas; `None` if they are for other identities.
pub(super) type Unwrap<'a> = dyn Fn(&[Stanza]) -> Result<Option<FileKey>, FileError> + 'a;

/// Decrypts a file.
pub(super) fn open(bytes: &[u8], unwrap: &Unwrap<'_>) -> Result<DataKey, FileError> {
    let header = header(bytes)?;
    let key = unwrap(&header.stanzas)?.ok_or(FileError::NoMatch)?;
    hmac::verify(&key.header_code(), &bytes[..header.covered], &header.code)
        .map_err(|_| FileError::Mac)?;
    content(&key, &bytes[header.length..]).map(DataKey::new)
}

fn content(key: &FileKey, bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let (nonce, mut rest) = bytes
        .split_at_checked(NONCE)
        .ok_or(FileError::Header("the file ends with it"))?;
    let key = key.payload_key(nonce);
    let mut plain = Vec::new();
    let mut counter = 0_u64;
    loop {
        let is_last = rest.len() <= CHUNK + TAG;
        let (chunk, after) = rest.split_at(rest.len().min(CHUNK + TAG));
        // Only the first chunk may be empty, if it is the only one.
        if chunk.len() < TAG || (chunk.len() == TAG && counter > 0) {
            return Err(FileError::Payload);
        }
        let opened = opened(&key, chunk_nonce(counter, is_last), chunk);
        plain.extend_from_slice(&opened.ok_or(FileError::Payload)?);
        if is_last {
            return Ok(plain);
        }
        rest = after;
        counter += 1;
    }
}

fn chunk_nonce(counter: u64, is_last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&counter.to_be_bytes());
    nonce[11] = u8::from(is_last);
    nonce
}

/// Encrypts a secret of at most one chunk.
pub(super) fn seal(key: &FileKey, stanzas: &[Stanza], secret: &DataKey) -> Vec<u8> {
    let mut text = INTRO.to_owned();
    for stanza in stanzas {
        text.push_str(&stanza.to_string());
    }
    text.push_str("---");
    let code = hmac::sign(&key.header_code(), text.as_bytes());
    text.push(' ');
    text.push_str(&STANDARD_NO_PAD.encode(code));
    text.push('\n');
    let mut bytes = text.into_bytes();
    let nonce: [u8; NONCE] = random();
    bytes.extend_from_slice(&nonce);
    let key = key.payload_key(&nonce);
    bytes.extend_from_slice(&sealed(&key, chunk_nonce(0, true), secret.expose()));
    bytes
}
