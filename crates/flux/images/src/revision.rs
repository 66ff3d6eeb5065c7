//! The revision of a scan: a checksum of all tags, by which policies notice a change.
//!
//! Both forms of the reference exist, so that a switch between the programs starts no policy.

use sluice_digest::Algorithm;
use sluice_yaml::json;

/// The form of a revision. The gate `FluxStorage` selects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionForm {
    /// The decimal Adler-32 checksum of the tags as a JSON array: gate off.
    Adler32,
    /// `sha256:` and the digest of the tags with a line feed after each: gate on.
    Sha256,
}

/// Returns the revision of sorted tags.
pub fn revision<'t>(form: RevisionForm, tags: impl IntoIterator<Item = &'t str>) -> String {
    match form {
        RevisionForm::Adler32 => {
            let mut sum = Adler32::default();
            sum.update("[");
            for (index, tag) in tags.into_iter().enumerate() {
                if index > 0 {
                    sum.update(",");
                }
                sum.update(&json::quote(tag));
            }
            sum.update("]");
            sum.value().to_string()
        }
        RevisionForm::Sha256 => {
            let mut sum = Algorithm::Sha256.hasher();
            for tag in tags {
                sum.update(tag.as_bytes());
                sum.update(b"\n");
            }
            sum.finish().to_string()
        }
    }
}

/// The checksum of RFC 1950.
struct Adler32 {
    low: u32,
    high: u32,
}

impl Default for Adler32 {
    fn default() -> Self {
        Self { low: 1, high: 0 }
    }
}

impl Adler32 {
    const MODULUS: u32 = 65_521;

    fn update(&mut self, text: &str) {
        for byte in text.bytes() {
            self.low = (self.low + u32::from(byte)) % Self::MODULUS;
            self.high = (self.high + self.low) % Self::MODULUS;
        }
    }

    const fn value(&self) -> u32 {
        self.high << 16 | self.low
    }
}

#[cfg(test)]
mod tests {
    use super::{Adler32, RevisionForm, revision};

    /// The example of Wikipedia, and the digest of nothing.
    #[test]
    fn checksums_equal_published_vectors() {
        let mut sum = Adler32::default();
        sum.update("Wikipedia");
        assert_eq!(sum.value(), 0x11E6_0398);
        assert_eq!(
            revision(RevisionForm::Sha256, []),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
