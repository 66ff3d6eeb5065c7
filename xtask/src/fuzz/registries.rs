//! Registries and versions: no manifest, reference, login, policy, range or pattern makes a reader
//! panic, hang or use unbounded memory.

use sluice_api::image::{ImagePolicyChoice, TagFilter};
use sluice_attest::sigstore::PublicKey;
use sluice_golang::semver::{Constraint, Version};
use sluice_golang::{duration, regexp};
use sluice_images::policy::{Filter, Rule};
use sluice_oci::{Document, Keychain, Reference, Repository};
use sluice_trust_policy::TrustPolicy;

use super::Target;

/// Reads manifests and indexes.
pub(super) const MANIFESTS: Target = Target {
    name: "oci-manifest",
    run: |bytes| match Document::parse(bytes, "the manifest") {
        Ok(document) => {
            drop(document.media_type().to_owned());
            drop(
                document
                    .annotation("org.opencontainers.image.revision")
                    .map(str::to_owned),
            );
            if let Document::Index(index) = &document {
                drop(
                    index
                        .choose("the index")
                        .map(|chosen| chosen.digest.to_string()),
                );
            }
        }
        Err(error) => drop(error.to_string()),
    },
    seeds: || {
        let digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        let layer = format!(
            r#"{{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"{digest}","size":3}}"#
        );
        let manifest = "application/vnd.oci.image.manifest.v1+json";
        let texts = [
            format!(
                r#"{{"schemaVersion":2,"mediaType":"{manifest}","config":{layer},"layers":[{layer}],"annotations":{{"a":"b"}}}}"#
            ),
            format!(
                r#"{{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{{"mediaType":"{manifest}","digest":"{digest}","size":3,"platform":{{"os":"linux","architecture":"amd64"}}}}]}}"#
            ),
            format!(
                r#"{{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json","config":{layer},"layers":[]}}"#
            ),
            r#"{"schemaVersion":1,"fsLayers":[]}"#.to_owned(),
        ];
        texts.map(String::into_bytes).into()
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
        "-1",
        "9223372036854775808",
        "\"schemaVersion\":2",
        "\"mediaType\":",
        "\"layers\":[",
        "\"manifests\":[",
        "\"config\":{",
        "\"digest\":\"sha256:",
        "\"size\":",
        "\"annotations\":{",
        "\"platform\":{",
        "\"subject\":{",
        "\"artifactType\":",
        "application/vnd.oci.image.index.v1+json",
        "sha512:",
    ],
};

/// Reads references, and finds the login of a registry by host patterns.
pub(super) const LOGINS: Target = Target {
    name: "oci-login",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        drop(Reference::parse(&text).map_err(|error| error.to_string()));
        drop(Repository::parse_url(&text).map_err(|error| error.to_string()));
        let mut keychain = Keychain::default();
        drop(
            keychain
                .add_config(bytes)
                .map_err(|error| error.to_string()),
        );
        drop(
            keychain
                .add_legacy_config(bytes)
                .map_err(|error| error.to_string()),
        );
        // A line is the name of an entry, too.
        for name in text.lines().take(50) {
            let auths = serde_json::json!({ "auths": { name: { "auth": "dTpw" } } });
            let added = keychain.add_config(auths.to_string().as_bytes());
            drop(added.map_err(|error| error.to_string()));
        }
        for name in [
            "ghcr.io/acme/podinfo",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaa.io:5000/a/b",
        ] {
            let repository = Repository::parse(name).expect("it is a repository");
            drop(keychain.resolve(&repository));
            drop(keychain.resolve_exactly(&repository));
        }
    },
    seeds: || {
        let texts: [&[u8]; 6] = [
            br#"{"auths":{"ghcr.io":{"auth":"dTpw"}}}"#,
            br#"{"auths":{"*.io":{"username":"u","password":"p"},"https://index.docker.io/v1/":{"identitytoken":"t"}}}"#,
            br#"{"ghcr.io":{"auth":"dTpw","email":"a@b"}}"#,
            b"ghcr.io/acme/podinfo:6.0.0",
            b"localhost:5000/a@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            b"*.*.*.io\n*a*a*a*a*b.io\n[a-z]*.io:5000/a",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        "{\"auths\":{",
        "\"auth\":",
        "\"username\":",
        "\"password\":",
        "\"identitytoken\":",
        "\"registrytoken\":",
        "\"dTpw\"",
        "*",
        "?",
        "[a-z]",
        "[^a]",
        "[",
        "]",
        "\\",
        "*a*a*a*a*a*a*a*a*b",
        "ghcr.io",
        ":5000",
        "/v1/",
        "/v2/",
        "https://",
        "oci://",
        "@sha256:",
        ":",
        "/",
        ".",
        "\n",
        "{",
        "}",
        "\"",
        "-",
        "__",
    ],
};

/// Reads the trust of a user: policies of notation and keys of cosign.
pub(super) const TRUST: Target = Target {
    name: "oci-trust",
    run: |bytes| {
        drop(PublicKey::from_pem(bytes).map_err(|error| error.to_string()));
        if let Ok(policy) = serde_json::from_slice::<TrustPolicy>(bytes) {
            drop(policy.check().map_err(|error| error.to_string()));
        }
    },
    seeds: || {
        let texts: [&[u8]; 4] = [
            br#"{"version":"1.0","trustPolicies":[{"name":"a","registryScopes":["*"],"signatureVerification":{"level":"strict"},"trustStores":["ca:a"],"trustedIdentities":["*"]}]}"#,
            br#"{"version":"1.0","trustPolicies":[{"name":"a","registryScopes":["ghcr.io/a/b"],"signatureVerification":{"level":"permissive","override":{"expiry":"skip"}},"trustStores":["ca:a"],"trustedIdentities":["x509.subject: C=US, ST=WA, O=a"]}]}"#,
            b"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n",
            b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        "\"version\":\"1.0\"",
        "\"trustPolicies\":[",
        "\"registryScopes\":[",
        "\"*\"",
        "\"level\":\"strict\"",
        "\"level\":\"skip\"",
        "\"override\":{",
        "\"trustStores\":[\"ca:a\"]",
        "\"trustedIdentities\":[\"x509.subject: ",
        "C=US",
        "\\\\,",
        "null",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "-----BEGIN PUBLIC KEY-----\n",
        "-----END PUBLIC KEY-----\n",
        "MCowBQYDK2VwAyEA",
        "AAAA",
        "=",
    ],
};

/// Reads versions, ranges, patterns and durations. The first line is a range or pattern, and the
/// others are tags.
pub(super) const VERSIONS: Target = Target {
    name: "versions",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, "1.2.3\nv2\n"));
        drop(duration::parse(first).map_err(|error| error.to_string()));
        drop(regexp::compile(first, 1 << 20).map(|regex| regex.is_match(rest)));
        for tag in rest.lines().take(100) {
            for parsed in [
                Version::parse(tag),
                Version::parse_strict(tag),
                Version::parse_tag(tag),
            ] {
                let Ok(version) = parsed else { continue };
                assert_eq!(version.original(), tag);
                let again = Version::parse(&version.to_string());
                assert!(
                    again.is_ok_and(|again| again == version),
                    "{version} is not a version"
                );
                if let Ok(range) = Constraint::parse(first) {
                    range.matches(&version);
                }
            }
        }
        let choice = |name: &str, value: &str| {
            let choice = serde_json::json!({ name: { "range": value, "order": value } });
            serde_json::from_value::<ImagePolicyChoice>(choice).expect("it is a policy")
        };
        for choice in [
            choice("semver", first),
            choice("alphabetical", first),
            choice("numerical", "asc"),
        ] {
            drop(Rule::parse(&choice).map_err(|error| error.to_string()));
        }
        let filter = TagFilter {
            pattern: Some(first.to_owned()),
            extract: Some("$1$a".to_owned()),
        };
        if let Ok(filter) = Filter::parse(&filter) {
            for tag in rest.lines().take(100) {
                drop(filter.apply(tag).map(std::borrow::Cow::into_owned));
            }
        }
    },
    seeds: || {
        let texts: [&[u8]; 8] = [
            b">=1.0.0 <2.0.0\n1.2.3\n2.0.0-rc.1\n",
            b"^1.2 || ~2.3.x || 3 - 4\nv1.2\n1.2.3+meta\n",
            b"*\n1\n1.2\n01.2.3\n",
            b">= 1.2-0, != 1.4\n1.4.0\n",
            b"^main-(?P<a>[0-9]+)-(.*)$\nmain-17-abc\n",
            b"(a|b)*c{1,30}\\p{L}\naaabbbccc\n",
            b"1h30m5.5s\n",
            b"2562047h47m16.854775807s\n",
        ];
        texts.map(<[u8]>::to_vec).into()
    },
    words: &[
        ">=",
        "<=",
        "!=",
        "=>",
        "~>",
        "~",
        "^",
        "*",
        "x",
        "X",
        " - ",
        "||",
        ",",
        " ",
        "v",
        ".",
        "-",
        "+",
        "0",
        "1.2.3",
        "-rc.1",
        "18446744073709551616",
        "999999999999999999999999999",
        "(",
        ")",
        "(?:",
        "(?P<a>",
        "(?i)",
        "[^a]",
        "[[:alpha:]]",
        "{1000}",
        "{1,1000}",
        "(a+)+",
        "\\p{Greek}",
        "\\Q",
        "\\E",
        "\\b",
        "$",
        "|",
        "\n",
        "h",
        "m",
        "ms",
        "\u{b5}s",
        "ns",
        "1e9",
    ],
};
