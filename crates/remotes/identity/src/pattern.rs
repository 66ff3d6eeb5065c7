//! Patterns in the syntax of Go, compiled at their first use.

use sluice_golang::regexp::{self, Regex};

/// Size limit of a compiled pattern.
const SIZE_LIMIT: usize = 1 << 20;

/// Compiles a pattern of this crate. Tests use each of them.
pub(crate) fn compile(pattern: &str) -> Regex {
    regexp::compile(pattern, SIZE_LIMIT).expect("the patterns of this crate are valid")
}

/// Declares a static pattern.
macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: std::sync::LazyLock<sluice_golang::regexp::Regex> =
            std::sync::LazyLock::new(|| $crate::pattern::compile($pattern));
    };
}

pub(crate) use pattern;
