//! Implements `create image policy`: selects the newest tag of an image.

use std::time::Duration;

use serde_json::{Value, json};
use sluice_golang::non_empty;
use sluice_golang::regexp;
use sluice_golang::unicode::{is_digit, is_letter};

use crate::commands::create::{Creation, NewObject, put, put_time, required};
use crate::error::CommandError;
use crate::flags::{self, Offer};

/// Maximum size of a compiled pattern.
const PATTERN_LIMIT: usize = 1 << 20;
const ORDERS: Offer = Offer(&["asc", "desc"]);
const REFLECTIONS: Offer = Offer(&["Never", "IfNotPresent", "Always"]);

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Group of --filter-regex to compare, such as $ts
    #[arg(long, value_name = "TEMPLATE")]
    filter_extract: Option<String>,
    /// Regular expression that tags must match
    #[arg(long, value_name = "REGEX")]
    filter_regex: Option<String>,
    /// Image repository that provides the tags
    #[arg(long, value_name = "NAME")]
    image_ref: Option<String>,
    /// Interval for checking the digest, with --reflect-digest=Always
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    /// When to store the digest of the tag in the status
    #[arg(long, value_parser = REFLECTIONS, value_name = "POLICY")]
    reflect_digest: Option<String>,
    /// Sort tags alphabetically (asc or desc) and select the last
    #[arg(long, value_parser = ORDERS, value_name = "ORDER")]
    select_alpha: Option<String>,
    /// Sort tags as numbers (asc or desc) and select the last
    #[arg(long, value_parser = ORDERS, value_name = "ORDER")]
    select_numeric: Option<String>,
    /// Select the newest version in this semver range
    #[arg(long, value_name = "RANGE")]
    select_semver: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let missing = "the name of an ImageRepository in the namespace is required (--image-ref)";
    let image = required(args.image_ref.as_deref(), "--image-ref", missing)?;
    let labels = creation.labels()?;
    let mut spec = json!({ "imageRepositoryRef": { "name": image }, "policy": policy(args)? });
    if let Some(filter) = filter(args)? {
        spec["filterTags"] = filter;
    }
    let reflection = non_empty(args.reflect_digest.as_deref());
    if let Some(reflection) = reflection
        && !REFLECTIONS.0.contains(&reflection)
    {
        return Err(CommandError::user(
            "invalid value for --reflect-digest, must be one of 'Never', 'IfNotPresent', 'Always'",
        ));
    }
    put(&mut spec, "digestReflectionPolicy", reflection);
    if !args.interval.is_zero() && reflection != Some("Always") {
        return Err(CommandError::user(
            "the --interval flag can only be used with the 'Always' digest reflection policy, use --reflect-digest=Always",
        ));
    }
    put_time(&mut spec, "interval", args.interval);
    NewObject::new("ImagePolicy", labels, spec)
}

/// Returns the policy of the flags, which must select exactly one.
fn policy(args: &Args) -> Result<Value, CommandError> {
    let ordered = |flag: &str, kind: &str, order: &str| {
        if ORDERS.0.contains(&order) {
            return Ok(json!({ kind: { "order": order } }));
        }
        Err(CommandError::user(format!(
            "--{flag} must be one of [\"asc\", \"desc\"]"
        )))
    };
    match (
        non_empty(args.select_semver.as_deref()),
        non_empty(args.select_alpha.as_deref()),
        non_empty(args.select_numeric.as_deref()),
    ) {
        (Some(range), None, None) => Ok(json!({ "semver": { "range": range } })),
        (None, Some(order), None) => ordered("select-alpha", "alphabetical", order),
        (None, None, Some(order)) => ordered("select-numeric", "numerical", order),
        (None, None, None) => Err(CommandError::user(
            "a policy must be provided with either --select-semver or --select-alpha",
        )),
        _ => Err(CommandError::user(
            "only one of --select-semver, --select-alpha or --select-numeric can be specified",
        )),
    }
}

fn filter(args: &Args) -> Result<Option<Value>, CommandError> {
    let extract = non_empty(args.filter_extract.as_deref());
    let Some(pattern) = non_empty(args.filter_regex.as_deref()) else {
        return match extract {
            Some(_) => Err(CommandError::user(
                "cannot specify --filter-extract without specifying --filter-regex",
            )),
            None => Ok(None),
        };
    };
    regexp::compile(pattern, PATTERN_LIMIT)
        .map_err(|_| CommandError::user("--filter-regex is an invalid regex pattern"))?;
    if let Some(extract) = extract {
        check_template(extract, &group_names(pattern))?;
    }
    Ok(Some(
        json!({ "pattern": pattern, "extract": extract.unwrap_or_default() }),
    ))
}

/// Rejects a template that references unknown groups of the pattern. `$$` is a dollar sign. Numbers
/// are not checked.
fn check_template(template: &str, groups: &[&str]) -> Result<(), CommandError> {
    let malformed = || CommandError::user("--filter-extract is malformed");
    let mut rest = template;
    while let Some(place) = rest.find('$') {
        rest = &rest[place + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            rest = after;
            continue;
        }
        let (is_braced, body) = match rest.strip_prefix('{') {
            Some(body) => (true, body),
            None => (false, rest),
        };
        let goes_on = |letter: char| is_letter(letter) || is_digit(letter) || letter == '_';
        let end = body
            .find(|letter: char| !goes_on(letter))
            .unwrap_or(body.len());
        let (name, after) = body.split_at(end);
        if name.is_empty() {
            return Err(malformed());
        }
        rest = if is_braced {
            after.strip_prefix('}').ok_or_else(malformed)?
        } else {
            after
        };
        if !is_number(name) && !groups.contains(&name) {
            return Err(CommandError::user(format!(
                "capture group ${name} used in --filter-extract not found in --filter-regex"
            )));
        }
    }
    Ok(())
}

/// Returns the group names of a valid pattern. The compiled pattern cannot be asked, because Go
/// allows repeated names and leading digits.
fn group_names(pattern: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let (mut rest, mut in_class) = (pattern, false);
    while let Some(next) = rest.chars().next() {
        let step = match next {
            '\\' if rest.starts_with("\\Q") => rest.find("\\E").unwrap_or(rest.len()),
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            '[' if in_class => match rest.strip_prefix("[:").and_then(|rest| rest.find(":]")) {
                Some(end) => end + 4,
                None => 1,
            },
            '[' => {
                in_class = true;
                // The first bracket of a class is a literal.
                ["[^]", "[]", "[^", "["]
                    .into_iter()
                    .find(|lead| rest.starts_with(lead))
                    .map_or(1, str::len)
            }
            ']' => {
                in_class = false;
                1
            }
            '(' if !in_class => {
                let named = ["(?P<", "(?<"]
                    .into_iter()
                    .find_map(|lead| rest.strip_prefix(lead));
                names.extend(named.and_then(|named| named.split('>').next()));
                1
            }
            other => other.len_utf8(),
        };
        rest = &rest[step..];
    }
    names
}

/// Whether Go reads this as a group number: at most nine digits, without leading zero.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
        && name.len() <= 9
        && (name.len() == 1 || !name.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_names_groups_of_the_pattern() {
        let groups = group_names("^main-(?P<sha>[a-f0-9]+)-(?P<ts>[0-9]+)$");
        for good in ["$ts", "${ts}", "$1", "$$", "a", "$sha-$ts", "x${1}", "$99"] {
            assert!(check_template(good, &groups).is_ok(), "{good}");
        }
        for (bad, said) in [
            ("$", "--filter-extract is malformed"),
            ("${ts", "--filter-extract is malformed"),
            ("$-", "--filter-extract is malformed"),
            ("${}", "--filter-extract is malformed"),
            (
                "$time",
                "capture group $time used in --filter-extract not found in --filter-regex",
            ),
            (
                "$01",
                "capture group $01 used in --filter-extract not found in --filter-regex",
            ),
        ] {
            let refused = check_template(bad, &groups).unwrap_err();
            assert_eq!(refused.message(), said, "{bad}");
        }
    }

    #[test]
    fn only_group_openings_define_names() {
        for (pattern, names) in [
            ("(?P<a>x)(?<b>y)(?P<1>z)", &["a", "b", "1"][..]),
            (r"\((?P<a>x)\)", &["a"]),
            (r"[(?P<no>](?P<a>[](?P<no>)])", &["a"]),
            (r"[^](?P<no>]|[[:alpha:](?P<no>]", &[]),
            (r"\Q(?P<no>\E(?P<a>x)\Q(?P<no>", &["a"]),
            ("(x)(?:y)(?i)é", &[]),
        ] {
            assert_eq!(group_names(pattern), names, "{pattern}");
        }
    }
}
