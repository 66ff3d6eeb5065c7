//! Tests of the digest of a policy's image.

use DigestReflectionPolicy::{Always, IfNotPresent, Never};

use super::*;

fn image(tag: &str, digest: &str) -> ImageRef {
    ImageRef {
        name: "app".to_owned(),
        tag: tag.to_owned(),
        digest: (!digest.is_empty()).then(|| digest.to_owned()),
    }
}

/// Runs a policy once, against a registry that answers with this digest.
fn pass(
    status: &mut ImagePolicyStatus,
    policy: Option<&DigestReflectionPolicy>,
    tag: &str,
    registry: &str,
) {
    let selected = match plan(policy, status.latest_ref.as_ref(), "app", tag) {
        DigestStep::Use(image) => image,
        DigestStep::Fetch(mut image) => {
            image.digest = Some(registry.to_owned());
            image
        }
    };
    record(status, selected);
}

/// The 11 transitions of the reference's `TestImagePolicyReconciler_digestReflection`. Between the
/// passes every tag moves from the digest `1` to the digest `2`.
#[test]
fn digest_follows_the_transitions_of_the_reference() {
    for (name, first, second, digests, previous) in [
        (
            "missing policy",
            (None, "1.1.1"),
            (None, "1.1.1"),
            ["", ""],
            None,
        ),
        (
            "Never",
            (Some(Never), "1.1.1"),
            (Some(Never), "1.1.1"),
            ["", ""],
            None,
        ),
        (
            "Always",
            (Some(Always), "1.1.1"),
            (Some(Always), "1.1.1"),
            ["1", "2"],
            Some("1"),
        ),
        (
            "IfNotPresent with a new tag",
            (Some(IfNotPresent), "1.1.1"),
            (Some(IfNotPresent), "2.0.0"),
            ["1", "2"],
            Some("1"),
        ),
        (
            "IfNotPresent with the same tag",
            (Some(IfNotPresent), "1.1.1"),
            (Some(IfNotPresent), "1.1.1"),
            ["1", "1"],
            None,
        ),
        (
            "Never to IfNotPresent",
            (Some(Never), "1.1.1"),
            (Some(IfNotPresent), "1.1.1"),
            ["", "2"],
            Some(""),
        ),
        (
            "Always to Never",
            (Some(Always), "1.1.1"),
            (Some(Never), "1.1.1"),
            ["1", ""],
            Some("1"),
        ),
        (
            "IfNotPresent to Never",
            (Some(IfNotPresent), "1.1.1"),
            (Some(Never), "1.1.1"),
            ["1", ""],
            Some("1"),
        ),
        (
            "IfNotPresent to Always",
            (Some(IfNotPresent), "1.1.1"),
            (Some(Always), "1.1.1"),
            ["1", "2"],
            Some("1"),
        ),
        (
            "Always to IfNotPresent",
            (Some(Always), "1.1.1"),
            (Some(IfNotPresent), "1.1.1"),
            ["1", "1"],
            None,
        ),
        (
            "same tag by another policy",
            (Some(IfNotPresent), "1.1.1"),
            (Some(IfNotPresent), "1.1.1"),
            ["1", "1"],
            None,
        ),
    ] {
        let mut status = ImagePolicyStatus::default();
        pass(&mut status, first.0.as_ref(), first.1, "1");
        assert_eq!(
            status.latest_ref,
            Some(image(first.1, digests[0])),
            "{name}"
        );
        assert_eq!(status.observed_previous_ref, None, "{name}");
        pass(&mut status, second.0.as_ref(), second.1, "2");
        assert_eq!(
            status.latest_ref,
            Some(image(second.1, digests[1])),
            "{name}"
        );
        let previous = previous.map(|digest| image(first.1, digest));
        assert_eq!(status.observed_previous_ref, previous, "{name}");
    }
}

#[test]
fn image_of_another_name_is_fetched_again() {
    let mut latest = image("1", "1");
    latest.name = "other".to_owned();
    let step = plan(Some(&IfNotPresent), Some(&latest), "app", "1");
    assert_eq!(step, DigestStep::Fetch(image("1", "")));
    latest = image("1", "");
    latest.digest = Some(String::new());
    let step = plan(Some(&IfNotPresent), Some(&latest), "app", "1");
    assert_eq!(step, DigestStep::Fetch(image("1", "")));
}

#[test]
fn ready_message_names_the_previous_image() {
    let mut status = ImagePolicyStatus::default();
    assert_eq!(ready_message(&status), None);
    record(&mut status, image("1", ""));
    assert_eq!(
        ready_message(&status).unwrap(),
        "Latest image tag for app resolved to 1"
    );
    record(&mut status, image("2", "d"));
    assert_eq!(
        ready_message(&status).unwrap(),
        "Latest image tag for app resolved to 2 with digest d (previously app:1)"
    );
    record(&mut status, image("3", ""));
    assert_eq!(
        ready_message(&status).unwrap(),
        "Latest image tag for app resolved to 3 (previously app:2@d)"
    );
}
