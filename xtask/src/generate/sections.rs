//! Derived sections of pages that are otherwise written by hand.
//!
//! A section stands between `<!-- derived: NAME -->` and `<!-- end -->`, each on a line of its own.

use anyhow::{Context as _, Result};

const END: &str = "<!-- end -->\n";

/// Returns the page with a section replaced.
pub(super) fn replace(page: &str, name: &str, content: &str) -> Result<String> {
    let start = format!("<!-- derived: {name} -->\n");
    let (before, rest) = page
        .split_once(&start)
        .with_context(|| format!("the page has no line {}", start.trim_end()))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("the section {name} has no line {}", END.trim_end()))?;
    Ok(format!("{before}{start}{content}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replace_keeps_text_around_section() {
        let page = "head\n<!-- derived: a -->\nold\n<!-- end -->\ntail\n";
        let expected = "head\n<!-- derived: a -->\nnew\n<!-- end -->\ntail\n";
        assert_eq!(replace(page, "a", "new\n").unwrap(), expected);
    }

    #[test]
    fn missing_marker_is_named() {
        let error = replace("text", "a", "").unwrap_err().to_string();
        assert_eq!(error, "the page has no line <!-- derived: a -->");
        assert!(replace("<!-- derived: a -->\n", "a", "").is_err());
    }
}
