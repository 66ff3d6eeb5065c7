//! Compresses similar JSON objects against a shared dictionary.
//!
//! The objects of one kind share most of their text: one compressed object takes about a fifth of
//! it. LZ4 is fast enough for a read, because parsing takes several times as long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lz4_flex::block::{
    DecompressError, compress_prepend_size_with_dict, decompress_size_prepended_with_dict,
};

/// Maximum dictionary size. Longer prefixes hold object-specific data.
const MAX_DICTIONARY_BYTES: usize = 4 << 10;

/// Compresses texts against a dictionary that it takes from one of them.
#[derive(Default)]
pub(super) struct Compressor {
    dictionary: Mutex<Dictionary>,
}

/// In a box, so that a text refers to it by one pointer.
type Dictionary = Arc<Box<[u8]>>;

/// A compressed text. It has no `Debug`: the text may be a secret.
pub(super) struct CompressedText {
    bytes: Box<[u8]>,
    dictionary: Dictionary,
}

impl Compressor {
    /// Compresses a text against the current dictionary.
    pub(super) fn compress(&self, text: &[u8]) -> CompressedText {
        let dictionary = Arc::clone(&self.lock());
        let bytes = compress_prepend_size_with_dict(text, &dictionary).into();
        CompressedText { bytes, dictionary }
    }

    /// Makes a text the dictionary if it is much longer than the current one.
    ///
    /// The first objects may have no status yet. Each dictionary takes memory as long as a text
    /// refers to it, so small gains do not replace it.
    pub(super) fn learn(&self, text: &[u8]) {
        let mut dictionary = self.lock();
        let is_better = if text.len() > MAX_DICTIONARY_BYTES {
            dictionary.is_empty()
        } else {
            text.len() > dictionary.len() + dictionary.len() / 2
        };
        if is_better {
            *dictionary = Arc::new(text.get(..MAX_DICTIONARY_BYTES).unwrap_or(text).into());
        }
    }

    #[cfg(test)]
    pub(super) fn dictionary(&self) -> Vec<u8> {
        self.lock().to_vec()
    }

    fn lock(&self) -> MutexGuard<'_, Dictionary> {
        self.dictionary
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl CompressedText {
    pub(super) fn decompress(&self) -> Result<Vec<u8>, DecompressError> {
        decompress_size_prepended_with_dict(&self.bytes, &self.dictionary)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn text(name: &str, status: &str) -> String {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"{name}","namespace":"apps","finalizers":["example.com/finalizer"]}},"spec":{{"interval":"1m0s","prune":true,"timeout":"30s"}},"status":{{{status}}}}}"#
        )
    }

    const STATUS: &str = r#""conditions":[{"type":"Ready","status":"True","reason":"Succeeded","message":"all is well","lastTransitionTime":"2026-01-01T00:00:00Z"}],"observedGeneration":1"#;

    fn learned(compressor: &Compressor, text: &str) -> CompressedText {
        compressor.learn(text.as_bytes());
        compressor.compress(text.as_bytes())
    }

    fn list(entries: usize) -> String {
        (0..entries).fold(String::new(), |mut list, entry| {
            write!(
                list,
                r#"{{"id":"apps_thing-{entry}_{}_Thing","v":"v1"}},"#,
                entry * 7919
            )
            .unwrap();
            list
        })
    }

    #[test]
    fn similar_text_takes_a_fifth() {
        let compressor = Compressor::default();
        learned(&compressor, &text("one", STATUS));
        let two = text("another", STATUS);
        let packed = compressor.compress(two.as_bytes());
        assert!(packed.bytes.len() * 5 < two.len(), "{}", packed.bytes.len());
        assert_eq!(packed.decompress().unwrap(), two.as_bytes());
    }

    #[test]
    fn longer_text_replaces_the_dictionary() {
        let compressor = Compressor::default();
        let texts = [
            text("new", ""),
            text("known", STATUS),
            text("known-longer", STATUS),
        ];
        let packed = texts.each_ref().map(|text| learned(&compressor, text));
        let dictionaries = [&texts[0], &texts[1], &texts[1]];
        for ((packed, text), dictionary) in packed.iter().zip(&texts).zip(dictionaries) {
            assert_eq!(**packed.dictionary, *dictionary.as_bytes());
            assert_eq!(packed.decompress().unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn outlier_does_not_replace_dictionary() {
        let compressor = Compressor::default();
        let known = text("known", STATUS);
        learned(&compressor, &known);
        let outlier = learned(&compressor, &text("large", &list(300)));
        assert_eq!(**outlier.dictionary, *known.as_bytes());
        let first = learned(&Compressor::default(), &text("large", &list(300)));
        assert_eq!(first.dictionary.len(), MAX_DICTIONARY_BYTES);
        assert!(first.dictionary.starts_with(br#"{"apiVersion""#));
    }

    proptest! {
        #[test]
        fn every_text_decompresses(texts in prop::collection::vec(
            prop_oneof![
                any::<String>(),
                "[ab]{0,400}",
                (0..40_usize).prop_map(list),
                // Above 64 KiB, dictionary included, the library uses another match finder.
                (65_520 - MAX_DICTIONARY_BYTES..65_560).prop_map(|length| list(2_500)[..length].to_owned()),
                Just(list(6_000)),
            ],
            0..4,
        )) {
            let compressor = Compressor::default();
            let packed: Vec<_> = texts.iter().map(|text| learned(&compressor, text)).collect();
            for (packed, text) in packed.iter().zip(&texts) {
                prop_assert!(packed.decompress().unwrap() == text.as_bytes());
                prop_assert!(packed.dictionary.len() <= MAX_DICTIONARY_BYTES);
            }
        }
    }
}
