//! Documents, encrypted and plain, and the conversion between them.
//!
//! All functions are pure. The data key comes from [`keys`](crate::keys).

use aws_lc_rs::digest::{Context, SHA512};
use sluice_dial::Sensitive;

use crate::cipher::{self, DecryptedValue};
use crate::data_key::DataKey;
use crate::error::{CipherError, EmitError, Error, LoadError, MacError, ValueError, ValueProblem};
use crate::format::Format;
use crate::metadata::Metadata;
use crate::tree::{Branch, Leaf, Position, Replacement, Value, WalkError, walk};

/// The prefix of a message authentication code that covers encrypted values only. It differs from
/// a code over all values: the SHA-256 digest of `sops`.
const ONLY_ENCRYPTED: [u8; 32] = [
    0x8a, 0x3f, 0xd2, 0xad, 0x54, 0xce, 0x66, 0x52, 0x7b, 0x10, 0x34, 0xf3, 0xd1, 0x47, 0xbe, 0x0b,
    0x0b, 0x97, 0x5b, 0x3b, 0xf4, 0x4f, 0x72, 0xc6, 0xfd, 0xad, 0xec, 0x81, 0x76, 0xf2, 0x7d, 0x69,
];

/// An encrypted document.
#[derive(Debug, Clone)]
pub struct Document {
    format: Format,
    branches: Vec<Branch>,
    metadata: Metadata,
    /// Whether its comments were lost.
    lost_comments: bool,
}

/// A plain document. Its content is overwritten when dropped.
#[derive(Debug, Clone)]
pub struct PlainDocument {
    format: Format,
    branches: Vec<Branch>,
    /// The message authentication code of the decrypted values.
    mac: String,
}

impl Document {
    /// Parses an encrypted document.
    pub fn load(bytes: &[u8], format: Format) -> Result<Self, Error> {
        let loaded = format
            .load(bytes)
            .and_then(|branches| format.extract(branches));
        Self::assembled(format, loaded)
    }

    /// Converts an object of a manifest into an encrypted JSON document.
    ///
    /// An object has lost its comments. If comments select the encrypted values, their form
    /// identifies these values instead.
    pub fn from_object(object: serde_json::Value) -> Result<Self, Error> {
        let format = Format::Json;
        let loaded =
            crate::codec::json::from_value(object).and_then(|branch| format.extract(vec![branch]));
        Ok(Self {
            lost_comments: true,
            ..Self::assembled(format, loaded)?
        })
    }

    fn assembled(
        format: Format,
        loaded: Result<(Vec<Branch>, Metadata), LoadError>,
    ) -> Result<Self, Error> {
        let loaded = loaded.and_then(|(branches, metadata)| {
            metadata.rule.compile()?;
            Ok((branches, metadata))
        });
        let (branches, metadata) = loaded.map_err(|source| Error::Load { format, source })?;
        Ok(Self {
            format,
            branches,
            metadata,
            lost_comments: false,
        })
    }

    /// Returns the metadata.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Decrypts every value. Use [`PlainDocument::verify`] to check the document as a whole.
    pub fn decrypt(mut self, key: &DataKey) -> Result<PlainDocument, Error> {
        let matcher = self.matcher()?;
        let mut mac = Mac::new(&self.metadata);
        let by_form = self.lost_comments && self.metadata.rule.is_by_comment();
        for branch in &mut self.branches {
            walk(branch, &mut |leaf, place| -> Result<_, ValueError> {
                let is_comment = matches!(leaf, Leaf::Comment(_));
                let encrypted = match leaf {
                    Leaf::Value(value) if by_form => has_form(value),
                    _ => matcher.is_encrypted(place, is_comment),
                };
                let replacement = match (leaf, encrypted) {
                    (Leaf::Comment(comment), true) => {
                        let text = comment.text.expose();
                        let additional_data = place.additional_data();
                        match cipher::decrypt(text, key, &additional_data) {
                            Ok(DecryptedValue::Comment(comment)) => Replacement::Comment(comment),
                            Ok(DecryptedValue::Value(value)) => Replacement::Value(value),
                            // Files of older versions of upstream have plain comments.
                            Err(_) => Replacement::Comment(comment.clone()),
                        }
                    }
                    (Leaf::Comment(comment), false) => Replacement::Comment(comment.clone()),
                    (Leaf::Value(value), true) => decrypted(value, key, place)?,
                    (Leaf::Value(value), false) => Replacement::Value(value.clone()),
                };
                mac.add(&replacement, encrypted);
                Ok(replacement)
            })
            .map_err(|error| Error::Decrypt(flat(error)))?;
        }
        Ok(PlainDocument {
            format: self.format,
            branches: self.branches,
            mac: mac.finish(),
        })
    }

    fn matcher(&self) -> Result<crate::rules::Matcher, Error> {
        self.metadata.rule.compile().map_err(|error| Error::Load {
            format: self.format,
            source: error.into(),
        })
    }

    /// Renders the document with its metadata.
    pub fn emit(&self) -> Result<Vec<u8>, Error> {
        let format = self.format;
        format
            .embed(self.branches.clone(), &self.metadata)
            .and_then(|branches| format.emit_encrypted(&branches))
            .map_err(|source| Error::Emit {
                from: format,
                to: format,
                source,
            })
    }
}

/// Whether a value has the form of an encrypted one.
fn has_form(value: &Value) -> bool {
    let Value::Text(text) = value else {
        return false;
    };
    str::from_utf8(text.expose()).is_ok_and(cipher::is_encrypted)
}

fn flat(error: WalkError<ValueError>) -> ValueError {
    match error {
        WalkError::Leaf(error) => error,
        WalkError::CommentAsValue(path) => ValueError {
            path,
            reason: ValueProblem::Comment,
        },
    }
}

fn decrypted(value: &Value, key: &DataKey, place: &Position) -> Result<Replacement, ValueError> {
    let refused = |reason| ValueError {
        path: place.path.join("."),
        reason,
    };
    let Value::Text(text) = value else {
        return Err(refused(ValueProblem::NotText(value.kind())));
    };
    let decrypted = cipher::decrypt(text.expose(), key, &place.additional_data());
    match decrypted.map_err(|error| refused(error.into()))? {
        DecryptedValue::Value(value) => Ok(Replacement::Value(value)),
        DecryptedValue::Comment(comment) => Ok(Replacement::Comment(comment)),
    }
}

impl PlainDocument {
    /// Parses a plain document, for encryption.
    pub fn load(bytes: &[u8], format: Format) -> Result<Self, Error> {
        let branches = format
            .load_plain(bytes)
            .map_err(|source| Error::Load { format, source })?;
        Ok(Self {
            format,
            branches,
            mac: String::new(),
        })
    }

    /// Checks the message authentication code: no value was added, removed or moved. With
    /// `mac_only_encrypted`, this covers encrypted values only.
    pub fn verify(&self, metadata: &Metadata, key: &DataKey) -> Result<(), Error> {
        let verified = || {
            let text = metadata.mac.as_bytes();
            let decrypted = cipher::decrypt(text, key, &metadata.last_modified)?;
            let DecryptedValue::Value(Value::Text(told)) = decrypted else {
                return Err(CipherError::Type.into());
            };
            if told.expose().is_empty() {
                return Err(MacError::Missing);
            }
            if aws_lc_rs::constant_time::verify_slices_are_equal(told.expose(), self.mac.as_bytes())
                .is_err()
            {
                return Err(MacError::Mismatch);
            }
            Ok(())
        };
        verified().map_err(Error::Mac)
    }

    /// Renders the document.
    pub fn emit(&self, format: Format) -> Result<Sensitive<Vec<u8>>, Error> {
        let emitted = format.emit(&self.branches);
        emitted.map(Sensitive::new).map_err(|source| Error::Emit {
            from: self.format,
            to: format,
            source,
        })
    }

    /// Converts the first document into the object of a manifest.
    pub fn to_object(&self) -> Result<serde_json::Map<String, serde_json::Value>, Error> {
        let object = match self.branches.first() {
            Some(branch) => crate::codec::json::to_map(branch),
            None => Err(EmitError::Documents),
        };
        object.map_err(|source| Error::Emit {
            from: self.format,
            to: Format::Json,
            source,
        })
    }

    /// Encrypts the values by the rule of the metadata, and sets its authentication code. The
    /// metadata must already hold the wrapped data key.
    pub fn encrypt(mut self, mut metadata: Metadata, key: &DataKey) -> Result<Document, Error> {
        let format = self.format;
        let matcher = metadata.rule.compile().map_err(|error| Error::Load {
            format,
            source: error.into(),
        })?;
        let mut mac = Mac::new(&metadata);
        for branch in &mut self.branches {
            walk(branch, &mut |leaf, place| -> Result<_, ValueError> {
                let is_comment = matches!(leaf, Leaf::Comment(_));
                let encrypted = matcher.is_encrypted(place, is_comment);
                let refused = |reason| ValueError {
                    path: place.path.join("."),
                    reason,
                };
                let faulty = |error: CipherError| refused(error.into());
                let additional_data = place.additional_data();
                match leaf {
                    Leaf::Comment(comment) if encrypted => {
                        let sealed = cipher::encrypt_comment(comment, key, &additional_data)
                            .map_err(faulty)?;
                        if matcher.disables_encryption(&sealed) {
                            return Err(refused(ValueProblem::CommentMatches));
                        }
                        Ok(Replacement::Value(Value::text(sealed)))
                    }
                    Leaf::Comment(comment) => Ok(Replacement::Comment(comment.clone())),
                    Leaf::Value(value) => {
                        let replacement = Replacement::Value(value.clone());
                        mac.add(&replacement, encrypted);
                        if !encrypted {
                            return Ok(replacement);
                        }
                        let sealed =
                            cipher::encrypt(value, key, &additional_data).map_err(faulty)?;
                        Ok(Replacement::Value(Value::text(sealed)))
                    }
                }
            })
            .map_err(|error| Error::Encrypt(flat(error)))?;
        }
        let code = Value::text(mac.finish());
        metadata.mac = cipher::encrypt(&code, key, &metadata.last_modified).map_err(|error| {
            Error::Encrypt(ValueError {
                path: "sops.mac".to_owned(),
                reason: error.into(),
            })
        })?;
        Ok(Document {
            format,
            branches: self.branches,
            metadata,
            lost_comments: false,
        })
    }
}

/// The message authentication code: a digest over the values in order.
struct Mac {
    digest: Context,
    only_encrypted: bool,
}

impl Mac {
    fn new(metadata: &Metadata) -> Self {
        let mut digest = Context::new(&SHA512);
        if metadata.mac_only_encrypted {
            digest.update(&ONLY_ENCRYPTED);
        }
        Self {
            digest,
            only_encrypted: metadata.mac_only_encrypted,
        }
    }

    fn add(&mut self, leaf: &Replacement, encrypted: bool) {
        if self.only_encrypted && !encrypted {
            return;
        }
        // The code does not cover comments, neither entries nor items of a list.
        if let Replacement::Value(value) = leaf {
            let bytes = Sensitive::new(value.to_bytes().unwrap_or_default());
            self.digest.update(bytes.expose());
        }
    }

    fn finish(self) -> String {
        hex::encode_upper(self.digest.finish())
    }
}
