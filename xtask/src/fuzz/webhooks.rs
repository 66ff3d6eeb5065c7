//! Calls from outside: no webhook, event, token or marker makes a controller panic, hang or use
//! unbounded memory. A call without the token of its Receiver is never accepted.

use http::HeaderMap;
use serde_json::json;
use sluice_api::image::ImagePolicy;
use sluice_api::notification::Receiver;
use sluice_images::edit::edit_file;
use sluice_images::setter::Setters;
use sluice_notification_controller::event;
use sluice_notification_controller::receiver::{
    Call, Filters, IssuerKeys, KeySource, issuer_of, verify, verify_token,
};

use super::Target;

/// The types of callers that must prove that they know the token.
const PROVING: [&str; 6] = [
    "generic-hmac",
    "generic-oidc",
    "github",
    "gitlab",
    "bitbucket",
    "cdevents",
];

/// The types whose path is their secret.
const KNOWING: [&str; 7] = [
    "generic",
    "harbor",
    "dockerhub",
    "quay",
    "nexus",
    "acr",
    "gcr",
];

/// The keys of an issuer that signs nothing.
struct NoKeys;

impl KeySource for NoKeys {
    fn keys(&self, _: &str) -> Result<IssuerKeys, String> {
        IssuerKeys::parse(KEY_SET.as_bytes(), vec!["RS256".to_owned()])
    }
}

const KEY_SET: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

/// Verifies calls of all types. The lines before an empty one are headers.
pub(super) const CALLS: Target = Target {
    name: "webhook-call",
    run: |bytes| {
        let (head, body) = match bytes.windows(2).position(|pair| pair == b"\n\n") {
            Some(at) => (&bytes[..at], &bytes[at + 2..]),
            None => (&b""[..], bytes),
        };
        let headers = headers(&String::from_utf8_lossy(head));
        let call = Call {
            headers: &headers,
            body,
        };
        let secret = [("token".to_owned(), b"the token of a test".to_vec())];
        let secret: std::collections::BTreeMap<_, _> = secret.into();
        let now = jiff::Timestamp::UNIX_EPOCH;
        for type_ in PROVING.into_iter().chain(KNOWING) {
            let receiver = receiver(type_);
            drop(issuer_of(&receiver, &call).map(|_| ()));
            match verify(&receiver, Some(&secret), &call, &NoKeys, now) {
                Ok(verified) => {
                    let is_proven = PROVING.contains(&type_) && type_ != "cdevents";
                    assert!(!is_proven, "{type_} accepts a call without the token");
                    let filters = Filters::compile(&receiver, &verified, &call);
                    drop(filters.map_err(|error| error.to_string()));
                }
                Err(refusal) => drop(format!("{refusal:?}")),
            }
        }
    },
    seeds: || {
        let texts: [&[u8]; 6] = [
            b"X-Hub-Signature-256: sha256=00\nX-GitHub-Event: push\nContent-Type: application/json\n\n{\"ref\":\"refs/heads/main\"}",
            b"X-Gitlab-Token: x\nX-Gitlab-Event: Push Hook\n\n{}",
            b"X-Signature: sha256=00\n\n{\"push_data\":{\"tag\":\"1\"},\"repository\":{\"repo_url\":\"a\"}}",
            b"Authorization: Bearer eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL2lzc3VlciJ9.AAAA\n\n{\"action\":\"INSERT\",\"digest\":\"a\",\"message\":{\"data\":\"e30=\"}}",
            b"Content-Type: application/x-www-form-urlencoded\n\npayload=%7B%22a%22%3A1%7D",
            b"Ce-Type: dev.cdevents.change.merged\nCe-Id: 1\nCe-Source: a\nCe-Specversion: 1.0\n\n{\"context\":{\"version\":\"0.4.1\",\"id\":\"1\",\"source\":\"a\",\"type\":\"dev.cdevents.change.merged.0.2.0\"}}",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        "X-Signature: ",
        "X-Hub-Signature: ",
        "X-Hub-Signature-256: ",
        "sha1=",
        "sha256=",
        "sha512=",
        "X-GitHub-Event: push",
        "X-Gitlab-Token: ",
        "X-Nexus-Webhook-Signature: ",
        "Authorization: Bearer ",
        "Content-Type: application/json",
        "Content-Type: application/x-www-form-urlencoded",
        "Ce-Type: ",
        "\n",
        "\n\n",
        "payload=",
        "%7B",
        "%",
        "{",
        "}",
        "[[[[",
        "\"",
        "eyJhbGciOiJub25lIn0.",
        ".",
        "AAAA",
        "null",
        "{\"repository\":",
        "{\"message\":{\"data\":\"",
    ],
};

/// The headers of an input. Invalid ones are left out, as a server refuses them.
fn headers(text: &str) -> HeaderMap {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        let name = http::HeaderName::from_bytes(name.trim().as_bytes());
        let value = http::HeaderValue::from_str(value.trim());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    headers
}

fn receiver(type_: &str) -> Receiver {
    let mut receiver = json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1", "kind": "Receiver",
        "metadata": { "name": "r", "namespace": "ns" },
        "spec": {
            "type": type_,
            "secretRef": { "name": "token" },
            "resourceFilter": "req.ref == 'refs/heads/main' && res.metadata.name == 'a'",
            "resources": [{ "kind": "GitRepository", "name": "podinfo" }],
        },
    });
    if type_ == "generic-oidc" {
        receiver["spec"]["oidcProviders"] = json!([{
            "issuerURL": "https://issuer",
            "validations": [{ "expression": "claims.sub == 'a'", "message": "m" }],
        }]);
    }
    serde_json::from_value(receiver).expect("it is a Receiver")
}

/// Reads events, sets of keys and tokens.
pub(super) const EVENTS: Target = Target {
    name: "event",
    run: |bytes| {
        drop(event::decode(bytes).map_err(|error| error.to_string()));
        let text = String::from_utf8_lossy(bytes);
        let now = jiff::Timestamp::UNIX_EPOCH;
        let sets = [bytes, KEY_SET.as_bytes()];
        for keys in sets
            .map(|set| IssuerKeys::parse(set, Vec::new()))
            .into_iter()
            .flatten()
        {
            let verified = verify_token(&text, &keys, "audience", now);
            assert!(verified.is_err(), "a token out of nothing");
        }
    },
    seeds: || {
        let texts: [&[u8]; 4] = [
            br#"{"involvedObject":{"kind":"GitRepository","namespace":"a","name":"b","apiVersion":"v1","uid":"c"},"severity":"info","timestamp":"2024-01-02T03:04:05Z","message":"m","reason":"r","metadata":{"a":"b"},"reportingController":"c"}"#,
            KEY_SET.as_bytes(),
            br#"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#,
            b"eyJhbGciOiJFZERTQSIsImtpZCI6ImEifQ.eyJhdWQiOiJhdWRpZW5jZSIsImV4cCI6OTk5OTk5OTk5OX0.AAAA",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "null",
        "{\"keys\":[",
        "\"kty\":\"RSA\"",
        "\"kty\":\"EC\"",
        "\"crv\":\"P-384\"",
        "\"n\":",
        "\"e\":",
        "\"x\":",
        "\"y\":",
        "\"use\":\"sig\"",
        "eyJhbGciOiJFZERTQSJ9",
        "eyJhbGciOiJub25lIn0",
        ".",
        "AAAA",
        "\"metadata\":{",
        "\"timestamp\":\"",
        "\"involvedObject\":{",
        "[[[[[[[[",
        "\\u0000",
        "\\ud800",
    ],
};

/// Edits the markers of image automation in a file.
pub(super) const MARKERS: Target = Target {
    name: "image-marker",
    run: |bytes| {
        let policy = json!({
            "metadata": { "name": "a", "namespace": "ns" },
            "spec": { "imageRepositoryRef": { "name": "a" }, "policy": { "alphabetical": {} } },
            "status": { "latestRef": { "name": "ghcr.io/a/b", "tag": "1.2.3" } },
        });
        let policy: ImagePolicy = serde_json::from_value(policy).expect("it is a policy");
        let setters = Setters::of([&policy]).expect("its image is one");
        if let Err(error) = edit_file(bytes, &setters) {
            drop(error.to_string());
        }
    },
    seeds: || {
        let texts: [&[u8]; 5] = [
            b"a: ghcr.io/a/b:1 # {\"$imagepolicy\": \"ns:a\"}\n",
            b"kind: A\nspec:\n  tag: \"1\" # {\"$imagepolicy\": \"ns:a:tag\"}\n---\nb: x # {\"$imagepolicy\": \"ns:a:name\"}\n",
            b"a: |\n  text # {\"$imagepolicy\": \"ns:a\"}\nb: &x c # {\"$imagepolicy\": \"ns:a:digest\"}\n",
            b"a: [b, c] # {\"$imagepolicy\": \"x:y\"}\n? d # {\"$imagepolicy\": \"ns:a\"}\n: e\n",
            b"\xef\xbb\xbfa: b # {\"$imagepolicy\": 1}\r\nc: 'd' # {\"$imagepolicy\": \"ns:a\"}\r\n",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        " # {\"$imagepolicy\": \"ns:a\"}",
        " # {\"$imagepolicy\": \"ns:a:tag\"}",
        "{\"$imagepolicy\"",
        ": ",
        "- ",
        "\n",
        "\n  ",
        "\r\n",
        "---\n",
        "|\n",
        ">\n",
        "&a ",
        "*a",
        "!!str ",
        "'",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        "# c\n",
        "? ",
        "\u{feff}",
        "\t",
        "metadata: {name: x}\n",
    ],
};
