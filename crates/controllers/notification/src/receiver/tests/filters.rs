//! Tests filters, targets and the checks of a spec.

use super::*;

fn filters(spec: Value, content: &str, body: &[u8]) -> Result<Filters, FilterError> {
    let receiver = receiver("generic", spec);
    let headers = headers(&[("Content-Type", content)]);
    let call = Call {
        headers: &headers,
        body,
    };
    let verified = verify(&receiver, Some(&secret("t")), &call, &no_issuer(), now()).unwrap();
    Filters::compile(&receiver, &verified, &call)
}

#[test]
fn filters_are_both_needed() {
    let spec = json!({
        "resourceFilter": "req.tag == res.metadata.name",
        "resources": [
            { "kind": "GitRepository", "name": "*" },
            { "kind": "GitRepository", "name": "*", "filter": "res.metadata.namespace == 'a'" },
        ],
    });
    let object = |name: &str, namespace: &str| json!({ "kind": "GitRepository", "metadata": { "name": name, "namespace": namespace } });
    let filters = filters(spec, "application/json; charset=utf-8", br#"{"tag":"x"}"#).unwrap();
    assert_eq!(filters.accepts(0, &object("x", "b")), Ok(true));
    assert_eq!(filters.accepts(0, &object("y", "b")), Ok(false));
    assert_eq!(filters.accepts(1, &object("x", "b")), Ok(false));
    assert_eq!(filters.accepts(1, &object("x", "a")), Ok(true));
    let failed = filters.accepts(0, &json!({}));
    assert!(matches!(failed, Err(FilterError::Expression(_))));
}

#[test]
fn filters_of_a_call_share_one_budget() {
    let ten = "[0,1,2,3,4,5,6,7,8,9]";
    let mut expensive = "1".to_owned();
    for name in ["e", "d", "c", "b", "a"] {
        expensive = format!("{ten}.map({name}, {expensive})");
    }
    let spec = json!({
        "resourceFilter": format!("{expensive}.size() == 10"),
        "resources": [{ "kind": "GitRepository", "name": "*" }],
    });
    let filters = filters(spec, "text/plain", b"").unwrap();
    let objects = vec![json!({ "metadata": { "name": "a" } }); 1000];
    let (names, end) = filters.select(0, &objects);
    assert!(!names.is_empty() && names.len() < 1000, "{}", names.len());
    assert_eq!(end, Err(FilterError::TooExpensive));
}

#[test]
fn body_of_many_nodes_is_rejected() {
    let spec = json!({ "resourceFilter": "has(req.tag)" });
    let body = format!("{{\"tag\":[{}1]}}", "1,".repeat(1_500_000));
    let error = filters(spec, "application/json", body.as_bytes()).unwrap_err();
    let expected = "failed to parse request body as JSON: the body has more than 200000 nodes";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn body_is_read_for_json_only() {
    let spec = || json!({ "resourceFilter": "has(req.tag)" });
    let accepts = |content: &str, body: &[u8]| {
        filters(spec(), content, body).and_then(|filters| filters.accepts(0, &json!({})))
    };
    assert_eq!(accepts("application/json", br#"{"tag":1}"#), Ok(true));
    assert_eq!(
        accepts("text/plain, Application/JSON", br#"{"tag":1}"#),
        Ok(true)
    );
    assert_eq!(accepts("text/plain", br#"{"tag":1}"#), Ok(false));
    assert_eq!(accepts("", b"\xff"), Ok(false));
    assert_eq!(accepts("application/json", b"null"), Ok(false));
    for body in ["", "[]", "{", "5"] {
        let found = accepts("application/json", body.as_bytes());
        assert!(matches!(found, Err(FilterError::Body(_))), "{body}");
    }
    let unfiltered = filters(json!({}), "application/json", b"{").unwrap();
    assert_eq!(unfiltered.accepts(0, &json!({})), Ok(true));
    let found = filters(json!({ "resourceFilter": "claims.admin" }), "", b"");
    assert!(matches!(found, Err(FilterError::Expression(_))));
}

#[test]
fn endless_filter_is_an_error() {
    let list = "[0,1,2,3,4,5,6,7,8,9]";
    let loops = (0..12).fold("true".to_owned(), |inner, depth| {
        format!("{list}.all(x{depth}, {inner})")
    });
    let endless = filters(json!({ "resourceFilter": loops }), "", b"").unwrap();
    let found = endless.accepts(0, &json!({}));
    assert!(
        matches!(found, Err(FilterError::Expression(_))),
        "{found:?}"
    );
}

#[test]
fn targets_follow_the_rules_of_their_entry() {
    let receiver = receiver(
        "generic",
        json!({ "resources": [
            { "kind": "GitRepository", "name": "a" },
            { "kind": "ImageRepository", "name": "a", "namespace": "other" },
            { "kind": "ArtifactGenerator", "name": "*", "matchLabels": { "a": "b" } },
            { "kind": "Kustomization", "name": "a" },
            { "kind": "Kustomization", "name": "a", "apiVersion": "kustomize.toolkit.fluxcd.io/v1" },
            { "kind": "Bucket", "name": "*" },
            { "kind": "Bucket", "name": "a", "matchLabels": { "a": "b" }, "namespace": "ns" },
            { "kind": "Bucket", "name": "a", "apiVersion": "v1" },
        ] }),
    );
    let name = || Selection::Name("a".to_owned());
    let target = |group: &str, version: &str, kind: &str, namespace: &str, selection| {
        Ok(Target {
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            selection,
        })
    };
    let labels = Selection::Labels([("a".to_owned(), "b".to_owned())].into());
    let source = "source.toolkit.fluxcd.io";
    let mut expected = vec![
        target(source, "v1", "GitRepository", "ns", name()),
        target(
            "image.toolkit.fluxcd.io",
            "v1",
            "ImageRepository",
            "other",
            name(),
        ),
        target(
            "source.extensions.fluxcd.io",
            "v1beta1",
            "ArtifactGenerator",
            "ns",
            labels,
        ),
        Err(TargetError::NoVersion("Kustomization".into())),
        target(
            "kustomize.toolkit.fluxcd.io",
            "v1",
            "Kustomization",
            "ns",
            name(),
        ),
        Err(TargetError::NoLabels),
        target(source, "v1", "Bucket", "ns", name()),
        target("", "v1", "Bucket", "ns", name()),
    ];
    assert_eq!(targets(&receiver, false), expected);
    expected[1] = Err(TargetError::CrossNamespace);
    assert_eq!(targets(&receiver, true), expected);
}

#[test]
fn request_has_the_form_of_a_go_time() {
    let now: Timestamp = "2024-05-01T10:00:00.123456789Z".parse().unwrap();
    assert_eq!(requested_at(now), "2024-05-01 10:00:00.123456789 +0000 UTC");
    assert_eq!(
        patch(now)["metadata"]["annotations"]["reconcile.fluxcd.io/requestedAt"],
        "2024-05-01 10:00:00.123456789 +0000 UTC"
    );
}

/// From `TestValidateOIDCProvidersSpec` and the rules of the schema.
#[test]
fn spec_that_cannot_work_is_terminal() {
    let issuer = |extra: Value| {
        let mut issuer = json!({
            "issuerURL": "https://i",
            "validations": [{ "expression": "true", "message": "m" }],
        });
        for (key, value) in extra.as_object().unwrap() {
            issuer[key] = value.clone();
        }
        issuer
    };
    let oidc = |issuers: Value| receiver("generic-oidc", json!({ "oidcProviders": issuers }));
    let mut with_secret = oidc(json!([issuer(json!({}))]));
    with_secret.spec.secret_ref = receiver("github", json!({})).spec.secret_ref;
    let mut without = receiver("github", json!({}));
    without.spec.secret_ref = None;
    let cases = [
        (receiver("github", json!({})), None),
        (oidc(json!([issuer(json!({}))])), None),
        (
            oidc(json!([])),
            Some("must define at least one oidcProvider"),
        ),
        (with_secret, Some("secretRef cannot be set")),
        (without, Some("secretRef is required")),
        (
            receiver("github", json!({ "oidcProviders": [issuer(json!({}))] })),
            Some("can only be set when type is generic-oidc"),
        ),
        (
            oidc(json!([issuer(json!({ "issuerURL": "" }))])),
            Some("issuerURL is required"),
        ),
        (
            oidc(json!([issuer(json!({ "issuerURL": "ftp://i" }))])),
            Some("must start with http:// or https://"),
        ),
        (
            oidc(json!([issuer(json!({})), issuer(json!({}))])),
            Some("oidcProviders[1]: duplicate issuerURL"),
        ),
        (
            oidc(json!([issuer(json!({ "validations": [] }))])),
            Some("at least one validation is required"),
        ),
        (
            oidc(json!([issuer(
                json!({ "variables": [{ "name": "", "expression": "1" }] })
            )])),
            Some("variables[0]: name is required"),
        ),
        (
            oidc(json!([issuer(
                json!({ "validations": [{ "expression": "true", "message": "" }] })
            )])),
            Some("validations[0]: message is required"),
        ),
        (
            oidc(json!([issuer(json!({
                "validations": [{ "expression": "claims.admin", "message": "m" }],
            }))])),
            Some("invalid expression for validation \"m\""),
        ),
        (
            oidc(json!([issuer(
                json!({ "variables": [{ "name": "a", "expression": "x" }] })
            )])),
            Some("invalid expression for variable \"a\""),
        ),
        (
            receiver("github", json!({ "resourceFilter": "res.metadata.name" })),
            Some("output type mismatch"),
        ),
        (
            receiver(
                "github",
                json!({ "resources": [
                { "kind": "Bucket", "name": "a", "filter": "res.x == " },
            ] }),
            ),
            Some("invalid filter expression for resources[0]"),
        ),
    ];
    for (receiver, expected) in cases {
        let found = check(&receiver.spec).err().map(|error| error.message);
        match (&found, expected) {
            (None, None) => {}
            (Some(text), Some(part)) if text.contains(part) => {}
            _ => unreachable!("{found:?} is not {expected:?}"),
        }
    }
}
