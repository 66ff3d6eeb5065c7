//! Texts that are alike, kept as what each of them does not share with a sample.
//!
//! The objects of one kind say nearly the same in nearly the same words: a fifth of a text is its
//! own. LZ4 it is, as whatever is kept is read often, and parsing takes several times as long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lz4_flex::block::{
    DecompressError, compress_prepend_size_with_dict, decompress_size_prepended_with_dict,
};

/// As much of a text is a sample for others: beyond that are long lists, and no new words.
const LONGEST: usize = 16 << 10;

/// What texts are compared with: the longest so far, as the first are of objects of which nothing
/// is known yet.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    sample: Mutex<Sample>,
}

/// In a box, so that a text refers to it by one pointer.
type Sample = Arc<Box<[u8]>>;

/// One text.
#[derive(Debug)]
pub(crate) struct Packed {
    bytes: Box<[u8]>,
    sample: Sample,
}

impl Packer {
    pub(crate) fn pack(&self, text: &[u8]) -> Packed {
        let sample = self.sample_for(text);
        let bytes = compress_prepend_size_with_dict(text, &sample).into();
        Packed { bytes, sample }
    }

    /// Another sample costs room of its own for as long as a text rests on it, so that one that is
    /// hardly longer is none.
    fn sample_for(&self, text: &[u8]) -> Sample {
        let start = text.get(..LONGEST).unwrap_or(text);
        let mut sample = self.lock();
        if start.len() > sample.len() + sample.len() / 2 {
            *sample = Arc::new(start.into());
        }
        Arc::clone(&sample)
    }

    fn lock(&self) -> MutexGuard<'_, Sample> {
        self.sample.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Packed {
    pub(crate) fn unpack(&self) -> Result<Vec<u8>, DecompressError> {
        decompress_size_prepended_with_dict(&self.bytes, &self.sample)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(name: &str, status: &str) -> String {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"{name}","namespace":"apps","finalizers":["example.com/finalizer"]}},"spec":{{"interval":"1m0s","prune":true,"timeout":"30s"}},"status":{{{status}}}}}"#
        )
    }

    const STATUS: &str = r#""conditions":[{"type":"Ready","status":"True","reason":"Succeeded","message":"all is well","lastTransitionTime":"2026-01-01T00:00:00Z"}],"observedGeneration":1"#;

    #[test]
    fn the_second_of_two_that_are_alike_takes_a_fifth_of_its_text() {
        let packer = Packer::default();
        let (one, two) = (text("one", STATUS), text("another", STATUS));
        packer.pack(one.as_bytes());
        let packed = packer.pack(two.as_bytes());
        assert!(packed.bytes.len() * 5 < two.len(), "{packed:?}");
        assert_eq!(packed.unpack().unwrap(), two.as_bytes());
    }

    #[test]
    fn the_longest_is_the_sample_and_what_rests_on_another_stays_readable() {
        let packer = Packer::default();
        let (new, known, longer) = (
            text("new", ""),
            text("known", STATUS),
            text("known-longer", STATUS),
        );
        let packed = [&new, &known, &longer].map(|text| packer.pack(text.as_bytes()));
        assert_eq!(**packed[0].sample, *new.as_bytes());
        assert_eq!(**packed[1].sample, *known.as_bytes());
        assert_eq!(**packed[2].sample, *known.as_bytes());
        for (packed, text) in packed.iter().zip([new, known, longer]) {
            assert_eq!(packed.unpack().unwrap(), text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(texts in prop::collection::vec(
            prop_oneof![any::<String>(), "[ab]{0,400}", Just("abc".repeat(6000))], 0..6,
        )) {
            let packer = Packer::default();
            let packed: Vec<_> = texts.iter().map(|text| packer.pack(text.as_bytes())).collect();
            for (packed, text) in packed.iter().zip(&texts) {
                prop_assert_eq!(packed.unpack().unwrap(), text.as_bytes());
                prop_assert!(packed.sample.len() <= LONGEST);
            }
        }
    }
}
