//! Compiled regular expressions of a render.

use std::collections::HashMap;
use std::sync::Arc;

use sluice_golang::regexp::{Pattern, PatternError};

use crate::value::GoString;

/// Maximum number of cached patterns. A full cache is cleared.
const MAX_PATTERNS: usize = 128;
/// The bytes of a compiled pattern.
const MAX_BYTES: usize = 4 << 20;

/// Patterns by their text.
#[derive(Default)]
pub(crate) struct Patterns(HashMap<GoString, Arc<Pattern>>);

impl Patterns {
    pub(crate) fn get(&mut self, text: &GoString) -> Result<Arc<Pattern>, PatternError> {
        if let Some(pattern) = self.0.get(text) {
            return Ok(Arc::clone(pattern));
        }
        let pattern = Arc::new(Pattern::compile(&text.to_text(), MAX_BYTES)?);
        if self.0.len() >= MAX_PATTERNS {
            self.0.clear();
        }
        self.0.insert(text.clone(), Arc::clone(&pattern));
        Ok(pattern)
    }
}
