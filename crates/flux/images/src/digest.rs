//! The digest of the selected tag: when to fetch it, and how the status advances.

use sluice_api::image::{DigestReflectionPolicy, ImagePolicyStatus, ImageRef};

/// The next step for the digest of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DigestStep {
    /// The reference is complete.
    Use(ImageRef),
    /// The digest must be fetched. The reference has none yet.
    Fetch(ImageRef),
}

/// Decides on the digest of the selected tag.
///
/// An unknown policy is treated like `Never`.
pub fn plan(
    policy: Option<&DigestReflectionPolicy>,
    latest: Option<&ImageRef>,
    image: &str,
    tag: &str,
) -> DigestStep {
    let selected = ImageRef {
        digest: None,
        name: image.to_owned(),
        tag: tag.to_owned(),
    };
    match policy {
        Some(DigestReflectionPolicy::Always) => DigestStep::Fetch(selected),
        Some(DigestReflectionPolicy::IfNotPresent) => match latest {
            Some(latest)
                if latest.name == image && latest.tag == tag && digest(latest).is_some() =>
            {
                DigestStep::Use(latest.clone())
            }
            _ => DigestStep::Fetch(selected),
        },
        _ => DigestStep::Use(selected),
    }
}

/// Records the selected image in a status. The previous image changes only with the selection.
pub fn record(status: &mut ImagePolicyStatus, selected: ImageRef) {
    let is_new = status
        .latest_ref
        .as_ref()
        .is_none_or(|latest| !is_equal(latest, &selected));
    if is_new {
        status.observed_previous_ref = status.latest_ref.replace(selected);
    }
}

/// Returns the message of a ready policy. `None` without a selected image.
pub fn ready_message(status: &ImagePolicyStatus) -> Option<String> {
    let latest = status.latest_ref.as_ref()?;
    let mut message = format!(
        "Latest image tag for {} resolved to {}",
        latest.name, latest.tag
    );
    if let Some(digest) = digest(latest) {
        message = format!("{message} with digest {digest}");
    }
    if let Some(previous) = &status.observed_previous_ref
        && !is_equal(previous, latest)
    {
        message = format!("{message} (previously {})", image_text(previous));
    }
    Some(message)
}

/// Returns `name:tag[@digest]`.
pub fn image_text(image: &ImageRef) -> String {
    let ImageRef { name, tag, .. } = image;
    match digest(image) {
        Some(digest) => format!("{name}:{tag}@{digest}"),
        None => format!("{name}:{tag}"),
    }
}

/// Go does not distinguish an empty digest from a missing one.
fn digest(image: &ImageRef) -> Option<&str> {
    image.digest.as_deref().filter(|digest| !digest.is_empty())
}

fn is_equal(one: &ImageRef, two: &ImageRef) -> bool {
    one.name == two.name && one.tag == two.tag && digest(one) == digest(two)
}

#[cfg(test)]
mod tests;
