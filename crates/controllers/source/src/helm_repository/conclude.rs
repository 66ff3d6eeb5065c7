//! The status and the notices of a `HelmRepository`, from the facts of a run. Pure.

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::HelmRepositoryStatus;
use sluice_api::source::condition::FETCH_FAILED;
use sluice_golang::float::format_float;

use super::HelmRepositoryKind;
use super::model::Step;
use crate::draft;
use crate::helm::address;
use crate::reconcile::{Conclude, Source};

type Draft = draft::Draft<HelmRepositoryStatus>;

impl Conclude for HelmRepositoryKind {
    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        match step {
            Step::Connect => source.has_news(),
            Step::Fetch | Step::Check => false,
            Step::Store => true,
        }
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft) {
        let facts = source.facts;
        if let (Some(fetched), true) = (&facts.fetched, facts.checked.is_some()) {
            draft.condition_set.remove(FETCH_FAILED);
            draft.new_revision(&format!("new index revision '{}'", fetched.revision()));
        }
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft) {
        let facts = source.facts;
        draft.condition_set.remove(FETCH_FAILED);
        if let Some(stored) = &facts.stored {
            draft.set_artifact(stored.artifact.clone());
            draft.set_link(&stored.link);
        } else if let Some(fetched) = &facts.fetched {
            let revision = fetched.revision();
            let message = format!("artifact up-to-date with remote revision: '{revision}'");
            draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message);
        }
        let url = display_url(&source.object.spec.url);
        draft.keep_artifact(
            |artifact| format!("stored artifact: revision '{}'", artifact.revision),
            |artifact| format!("stored fetched index of {} from '{url}'", size(artifact)),
        );
    }
}

/// The URL as the object has it, unless it holds credentials.
fn display_url(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(parsed) if parsed.password().is_some() || !parsed.username().is_empty() => {
            address::display_url(&parsed)
        }
        _ => url.to_owned(),
    }
}

/// The size of an artifact, as Docker's `units.HumanSize` prints it.
fn size(artifact: &Artifact) -> String {
    const UNITS: [&str; 9] = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
    let Some(bytes) = artifact.size else {
        return "unknown size".to_owned();
    };
    #[expect(clippy::cast_precision_loss, reason = "four digits are printed")]
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1000.0 && unit < UNITS.len() - 1 {
        size /= 1000.0;
        unit += 1;
    }
    format!(
        "size {}{}",
        format_float(size, b'g', Some(4), 64),
        UNITS[unit]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_four_digits() {
        for (bytes, expected) in [
            (None, "unknown size"),
            (Some(0), "size 0B"),
            (Some(999), "size 999B"),
            (Some(1000), "size 1kB"),
            (Some(1_234_567), "size 1.235MB"),
            (Some(26_214_400), "size 26.21MB"),
        ] {
            let artifact = Artifact {
                size: bytes,
                ..Artifact::default()
            };
            assert_eq!(size(&artifact), expected);
        }
    }
}
