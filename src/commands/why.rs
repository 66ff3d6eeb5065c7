//! Implements `why`: explains why an object is not ready, and suggests the next command.
//!
//! [`sluice_insight`] reads the cluster and finds the cause.

use jiff::Timestamp;
use sluice_client::{Cluster, ListOptions, Resource};
use sluice_insight::explain::explain;
use sluice_insight::kinds::RESOURCES;
use sluice_insight::{Diagnosis, observe, read};
use sluice_object::Object;
use sluice_system::Clock as _;

use super::nouns;
use super::trace::target;
use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::output::Format;
use crate::{CommandResult, Exit, output, spelling};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Object, as KIND/NAME, KIND NAME or source git NAME
    #[arg(value_name = "OBJECT")]
    object: Vec<String>,
    /// Output format
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let answer = context.block_on(async {
        tokio::time::timeout(context.timeout(), answer(args, context))
            .await
            .map_err(|_| CommandError::cluster("timed out waiting for the cluster"))?
    })??;
    let text = match args.output {
        Some(format) => output::value(&answer, format)?,
        None => answer.text(&since(&answer)),
    };
    output::stdout(&output::plain(&text))?;
    Ok(match answer.cause {
        Some(_) => Exit::FAILURE,
        None => Exit::SUCCESS,
    })
}

/// Returns the age of the failure, or an empty text without a time.
pub(super) fn since(answer: &Diagnosis) -> String {
    let Ok(began) = answer.since.parse::<Timestamp>() else {
        return answer.since.clone();
    };
    let age = sluice_system::SystemClock.now().duration_since(began);
    format!("{} ago", output::age(age.as_secs()))
}

async fn answer(args: &Args, context: &Context) -> Result<Diagnosis, CommandError> {
    let (word, name) = parse_object(&args.object)?;
    let cluster = context.cluster()?;
    let served = cluster.resources().await.map_err(|error| refusal(&error))?;
    let kind = target::find(&served, &word).ok_or_else(|| target::unknown_type(&served, &word))?;
    let namespace = context.namespace();
    let asked = read::get(cluster, kind, &namespace, &name).await?;
    let Some(asked) = asked else {
        return Err(missing_object_error(cluster, kind, &namespace, &name).await);
    };
    let snapshot = observe::surroundings(cluster, &served, &asked).await?;
    Ok(explain(&snapshot, &asked, context.program))
}

/// Parses `KIND/NAME`, `KIND NAME`, and the nouns of other commands, such as `source git NAME`.
/// Returns the kind as the server knows it, and the name.
fn parse_object(words: &[String]) -> Result<(String, String), CommandError> {
    let parts: Vec<&str> = words.iter().flat_map(|word| word.split('/')).collect();
    if let [noun @ .., name] = &parts[..]
        && !name.is_empty()
        && let Some(resource) = nouns::by_noun(noun)
    {
        return Ok((
            format!("{}.{}", resource.plural, resource.group),
            (*name).to_owned(),
        ));
    }
    if let [(word, name)] = target::pairs(words)?[..] {
        return Ok((word.to_owned(), name.to_owned()));
    }
    let known: Vec<String> = RESOURCES.iter().map(|kind| kind.noun.join(" ")).collect();
    let typed = parts.split_last().map(|(_, noun)| noun.join(" "));
    Err(spelling::suggest(
        CommandError::user("why takes one object, as KIND/NAME"),
        &typed.unwrap_or_default(),
        known.iter().map(String::as_str),
        "name one object, such as kustomization/apps or source git podinfo",
    ))
}

/// Returns the error of an object that does not exist. The hint is the object with the most similar
/// name, or where one of that name is.
async fn missing_object_error(
    cluster: &Cluster,
    kind: &Resource,
    namespace: &str,
    name: &str,
) -> CommandError {
    let (gvk, everything) = (
        kind.gvk(),
        ListOptions {
            metadata_only: true,
            ..ListOptions::default()
        },
    );
    // Without the right to list, the error has no hint.
    let found = match cluster.list(&gvk, None, &everything).await {
        Ok(found) => Some(found),
        Err(_) => cluster.list(&gvk, Some(namespace), &everything).await.ok(),
    };
    let objects = found.into_iter().flat_map(|found| found.items);
    let objects: Vec<(String, String)> = objects
        .filter_map(|object| Object::try_from(object).ok())
        .map(|object| (object.namespace().to_owned(), object.name().to_owned()))
        .collect();
    let kind_name = &kind.api.kind;
    let error = if kind.namespaced {
        CommandError::user(format!(
            "{kind_name} object '{name}' not found in \"{namespace}\" namespace"
        ))
    } else {
        CommandError::user(format!("{kind_name} object '{name}' not found"))
    };
    let here = objects
        .iter()
        .filter(|(within, _)| !kind.namespaced || within == namespace)
        .map(|(_, called)| called.as_str());
    if let Some(similar) = spelling::find_similar(name, here) {
        return error.hint(format!("did you mean {similar}?"));
    }
    match objects.iter().find(|(_, called)| called == name) {
        Some((within, _)) => error.hint(format!("it is in another namespace: set -n {within}")),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_as_in_other_commands() {
        let parsed = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let parsed = parse_object(&words).map(|(kind, name)| format!("{kind} {name}"));
            parsed.map_err(|error| error.message().to_owned())
        };
        let git = "gitrepositories.source.toolkit.fluxcd.io podinfo";
        for line in [
            "source git podinfo",
            "sources git podinfo",
            "source git/podinfo",
            "git/podinfo",
            "git podinfo",
        ] {
            assert_eq!(parsed(line).unwrap(), git, "{line}");
        }
        for (line, expected) in [
            ("deployment/web", "deployment web"),
            ("hr web", "helmreleases.helm.toolkit.fluxcd.io web"),
            (
                "image policy web",
                "imagepolicies.image.toolkit.fluxcd.io web",
            ),
            ("oci/web", "ocirepositories.source.toolkit.fluxcd.io web"),
            (
                "alert-provider web",
                "providers.notification.toolkit.fluxcd.io web",
            ),
        ] {
            assert_eq!(parsed(line).unwrap(), expected);
        }
        for line in ["", "git", "git/", "deployment a b", "source gti podinfo"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
