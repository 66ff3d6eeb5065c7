//! Implements `list artifacts`: lists the tags of a repository and their origins.

use futures::{StreamExt as _, TryStreamExt as _};
use regex::Regex;
use sluice_golang::semver::{Constraint, Version as Semver};
use sluice_oci::package::{REVISION, SOURCE};
use sluice_oci::{Client, Remote, Version};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::table::Table;
use crate::registry::{self, Access};
use crate::{CommandResult, Exit, output};

/// Suffixes of cosign's tags for an artifact.
const SUFFIXES: [&str; 3] = [".att", ".sbom", ".sig"];
/// Maximum concurrent manifest requests.
const AT_ONCE: usize = 16;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(
        help = "Artifact repository, as oci://REGISTRY/REPOSITORY",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// List only tags in this semver range
    #[arg(long, value_name = "RANGE")]
    filter_semver: Option<String>,
    /// List only tags that match this regular expression
    #[arg(long, value_name = "REGEX")]
    filter_regex: Option<String>,
    #[command(flatten)]
    access: Access,
    /// Allow plain HTTP and unverified certificates
    #[arg(long, switch = false)]
    insecure_registry: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let url = registry::address(
        &args.url,
        registry::REPOSITORY,
        "artifact repository URL is required",
    )?;
    let filter = Filter::new(args)?;
    let (client, remote) = args
        .access
        .open_repository(url, args.insecure_registry, context)?;
    let rows = registry::wait(context, rows(&client, &remote, &filter, url))?;
    let mut table = Table::new(["artifact", "digest", "source", "revision"]);
    for row in rows {
        table.row(row);
    }
    output::stdout(&table.render(true))?;
    Ok(Exit::SUCCESS)
}

async fn rows(
    client: &Client,
    remote: &Remote,
    filter: &Filter,
    url: &str,
) -> Result<Vec<[String; 4]>, CommandError> {
    let mut tags = client
        .tags(remote)
        .await
        .map_err(|error| CommandError::from(error).while_doing("listing tags failed"))?;
    tags.retain(|tag| filter.takes(tag));
    tags.sort_unstable_by(|one, other| other.cmp(one));
    let typed = url.trim_start_matches("oci://");
    let asked = tags.into_iter().map(|tag| async move {
        let content = client
            .document(remote, &Version::Tag(tag.clone()))
            .await
            .map_err(|error| CommandError::from(error).while_doing("fetching manifest failed"))?;
        let said = |key: &str| {
            content
                .document
                .annotation(key)
                .unwrap_or_default()
                .to_owned()
        };
        Ok([
            format!("{typed}:{tag}"),
            content.digest.to_string(),
            said(SOURCE),
            said(REVISION),
        ])
    });
    futures::stream::iter(asked)
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

struct Filter {
    range: Option<Constraint>,
    regex: Option<Regex>,
}

impl Filter {
    fn new(args: &Args) -> Result<Self, CommandError> {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let range = filled(&args.filter_semver)
            .map(|text| {
                Constraint::parse(&text).map_err(|error| {
                    CommandError::user(format!("semver '{text}' parse error: {error}"))
                })
            })
            .transpose()?;
        let regex = filled(&args.filter_regex)
            .map(|text| {
                Regex::new(&text).map_err(|error| {
                    CommandError::user(format!("regex '{text}' parse error: {error}"))
                })
            })
            .transpose()?;
        Ok(Self { range, regex })
    }

    fn takes(&self, tag: &str) -> bool {
        let signature = SUFFIXES.iter().any(|suffix| tag.ends_with(suffix));
        let in_range = self.range.as_ref().is_none_or(|range| {
            Semver::parse_tag(tag).is_ok_and(|version| range.matches(&version))
        });
        !signature && in_range && self.regex.as_ref().is_none_or(|regex| regex.is_match(tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_must_pass_filters_and_signatures_are_hidden() {
        let filter = Filter {
            range: Some(Constraint::parse(">=1.0.0").unwrap()),
            regex: Some(Regex::new("^1").unwrap()),
        };
        for (tag, expected) in [
            ("1.2.0", true),
            ("2.0.0", false),
            ("0.9.0", false),
            ("latest", false),
            ("1.2.0.sig", false),
            ("sha256-00.sig", false),
        ] {
            assert_eq!(filter.takes(tag), expected, "{tag}");
        }
    }
}
