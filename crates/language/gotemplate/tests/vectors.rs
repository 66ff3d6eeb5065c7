//! Templates against Go's text/template and sprig.
//!
//! Each line of `vectors/*.jsonl` is a template, its data and what Go makes of it. The answers
//! are replayed without Go. `RECORD=1 cargo test -p sluice-gotemplate --test vectors` asks the
//! program in `oracle` again and writes its answers into the files; a new line needs no answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "Go is another program, and the test prints counts"
)]

#[path = "vectors/answer.rs"]
mod answer;
#[path = "vectors/fixture.rs"]
mod fixture;
#[path = "vectors/record.rs"]
mod record;

use answer::{common_data, folder, ours, shown, theirs};
use serde_json::Value as Json;

/// Replays a file of vectors.
fn replay(name: &str) {
    let path = folder().join(format!("vectors/{name}.jsonl"));
    if std::env::var("RECORD").is_ok_and(|value| value == "1") {
        record::fill_in(&path).unwrap();
    }
    let common = common_data();
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut count, mut different) = (0, Vec::new());
    for line in text.lines() {
        let vector: Json = serde_json::from_str(line).unwrap();
        count += 1;
        let (ours, theirs) = (ours(&vector, &common), theirs(&vector));
        if ours != theirs {
            different.push(format!(
                "template {}\n  Go   {}\n  ours {}",
                vector["template"],
                shown(&theirs),
                shown(&ours)
            ));
        }
    }
    eprintln!("{name}: {count} vectors");
    let limit = std::env::var("SHOW")
        .ok()
        .and_then(|limit| limit.parse().ok());
    let found = different.len();
    different.truncate(limit.unwrap_or(20));
    assert!(
        found == 0,
        "{found} of {count} differ:\n{}",
        different.join("\n")
    );
}

macro_rules! vectors {
    ($($test:ident: $file:literal;)*) => {
        $(
            #[test]
            fn $test() {
                replay($file);
            }
        )*
    };
}

vectors! {
    syntax_is_read_as_by_go: "syntax";
    templates_execute_as_in_go: "exec";
    values_print_as_by_fmt: "fmt";
    strings_match_sprig: "strings";
    lists_match_sprig: "lists";
    dicts_match_sprig: "dicts";
    merges_match_mergo: "merge";
    numbers_match_sprig: "math";
    dates_match_sprig: "dates";
    values_match_sprig: "values";
    regexps_match_sprig: "regex";
    versions_match_sprig: "semver";
    urls_and_paths_match_sprig: "url";
    ciphers_match_sprig: "crypto";
}
