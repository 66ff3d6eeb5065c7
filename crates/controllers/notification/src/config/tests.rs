//! The Secret and the spec of a Provider resolve to one configuration.

use serde_json::{Value, json};

use super::*;

type Secret = BTreeMap<String, Vec<u8>>;

fn secret(pairs: &[(&str, &str)]) -> Secret {
    let pairs = pairs.iter();
    pairs
        .map(|(key, value)| ((*key).to_owned(), value.as_bytes().to_vec()))
        .collect()
}

fn provider(spec: Value) -> Provider {
    let mut spec = spec;
    spec["secretRef"] = json!({ "name": "s" });
    if spec.get("type").is_none() {
        spec["type"] = json!("slack");
    }
    serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Provider",
        "metadata": { "name": "p", "namespace": "ns", "uid": "u" }, "spec": spec,
    }))
    .unwrap()
}

fn resolve(spec: Value, keys: &Secret) -> Result<(ProviderConfig, Vec<Warning>), Error> {
    let secrets = Secrets {
        credentials: Some(keys),
        ..Secrets::default()
    };
    ProviderConfig::resolve(&provider(spec), &Alert::default(), secrets)
}

/// The table of `TestCreateNotifier` in the reference.
#[test]
fn secret_overrides_the_spec() {
    let keys = secret(&[
        ("address", " https://test.com \n"),
        ("token", "t\n"),
        ("username", "u"),
        ("password", "p"),
        ("headers", "X-A: b\nX-N: 5\nX-T: true\n"),
    ]);
    let spec = json!({ "address": "not a url", "username": "spec", "channel": "c" });
    let (config, warnings) = resolve(spec, &keys).unwrap();
    assert_eq!(config.address.expose(), "https://test.com");
    assert_eq!(config.token.expose(), b"t\n");
    assert_eq!(
        (config.username.as_str(), config.channel.as_str()),
        ("u", "c")
    );
    assert_eq!(config.password.expose(), "p");
    let headers: Vec<_> = config
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose().as_str()))
        .collect();
    assert_eq!(headers, [("X-A", "b"), ("X-N", "5"), ("X-T", "true")]);
    assert_eq!(warnings, []);
    assert_eq!(config.timeout, DEFAULT_TIMEOUT);
}

#[test]
fn half_a_pair_loses_only_the_pair() {
    for key in ["username", "password"] {
        let keys = secret(&[("token", "t"), (key, "x")]);
        let (config, warnings) = resolve(json!({ "username": "spec" }), &keys).unwrap();
        assert_eq!(config.token.expose(), b"t");
        assert_eq!(config.username, "spec");
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message().contains(key), "{warnings:?}");
    }
    let mut keys = secret(&[("token", "t"), ("password", "p")]);
    keys.insert("username".into(), vec![0xff, 0xfe]);
    let (config, warnings) = resolve(json!({}), &keys).unwrap();
    assert_eq!(config.token.expose(), b"t");
    assert!(warnings[0].message().contains("UTF-8"), "{warnings:?}");
}

#[test]
fn deprecated_proxy_is_used_with_a_warning() {
    let keys = secret(&[("proxy", "http://user:canary@proxy:3128")]);
    let (config, warnings) = resolve(json!({ "proxy": "http://spec:3128" }), &keys).unwrap();
    assert_eq!(warnings, [Warning::ProxyField, Warning::ProxyKey]);
    let proxy = config.proxy.clone().unwrap();
    assert_eq!(proxy.address().as_str(), "http://proxy:3128/");
    let wanted = secret(&[("address", "socks5://own:1080")]);
    let secrets = Secrets {
        credentials: Some(&keys),
        proxy: Some(&wanted),
        ..Secrets::default()
    };
    let (config, _) =
        ProviderConfig::resolve(&provider(json!({})), &Alert::default(), secrets).unwrap();
    assert_eq!(config.proxy.unwrap().address().host_str(), Some("own"));
}

#[test]
fn unusable_secret_names_the_key() {
    let long = format!("https://{}", "a".repeat(2048));
    let cases: [(&[(&str, &str)], &str); 8] = [
        (&[("headers", "- a\n")], "not a map"),
        (&[("headers", "a: [canary]\n")], "\"a\" is not text"),
        (&[("headers", "{")], "not YAML"),
        (
            &[("headers", "\"a b\": canary\n")],
            "not the name of a header",
        ),
        (
            &[("headers", "a: \"canary\\r\\nb: c\"\n")],
            "cannot be sent",
        ),
        (
            &[("proxy", "ftp://canary")],
            "invalid 'proxy' in secret 'ns/s'",
        ),
        (
            &[("proxy", "canary%zz")],
            "invalid 'proxy' in secret 'ns/s'",
        ),
        (&[("address", &long)], "longer than 2048 bytes"),
    ];
    for (pairs, part) in cases {
        let error = resolve(json!({}), &secret(pairs)).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains("canary"), "{error}");
    }
}

#[test]
fn certificates_of_the_secret_count_for_commit_statuses() {
    let keys = secret(&[("ca.crt", "no PEM")]);
    assert!(resolve(json!({}), &keys).unwrap().0.tls.is_none());
    let error = resolve(json!({ "type": "github" }), &keys).unwrap_err();
    assert!(error.to_string().contains("ca.crt"), "{error}");
    let empty = secret(&[]);
    let secrets = Secrets {
        certificate: Some(&empty),
        ..Secrets::default()
    };
    let mut provider = provider(json!({}));
    provider.spec.cert_secret_ref = provider.spec.secret_ref.clone();
    let error = ProviderConfig::resolve(&provider, &Alert::default(), secrets).unwrap_err();
    assert!(error.to_string().contains("secret 'ns/s'"), "{error}");
}

#[test]
fn malformed_timeout_stalls_only_its_provider() {
    for timeout in ["-5s", "soon", ""] {
        let error = resolve(json!({ "timeout": timeout }), &secret(&[]));
        let text = error.map(|_| ()).unwrap_err().to_string();
        assert!(text.contains("spec.timeout"), "{text}");
    }
    let (config, _) = resolve(json!({ "timeout": "1m30s" }), &secret(&[])).unwrap();
    assert_eq!(config.timeout, Duration::from_secs(90));
}

/// The field is deprecated, and the reference ignores it.
#[test]
fn interval_of_provider_has_no_effect() {
    let without = resolve(json!({}), &secret(&[])).unwrap();
    let with = resolve(json!({ "interval": "1s" }), &secret(&[])).unwrap();
    assert_eq!(format!("{without:?}"), format!("{with:?}"));
}

#[test]
fn account_without_effect_is_a_warning() {
    let token = secret(&[("token", "t")]);
    let none = secret(&[]);
    let unused = |reason: &str| vec![Warning::Account(reason.to_owned())];
    let used = "the key 'token' of the Secret is used";
    let no_cloud = "the type 'slack' has no cloud identity";
    for (type_, keys, expected) in [
        ("slack", &none, unused(no_cloud)),
        ("azuredevops", &token, unused(used)),
        ("googlepubsub", &token, unused(used)),
        ("azuredevops", &none, vec![]),
        ("googlepubsub", &none, vec![]),
        ("azureeventhub", &none, vec![]),
    ] {
        let spec = json!({ "type": type_, "serviceAccountName": "tenant" });
        let (config, warnings) = resolve(spec, keys).unwrap();
        assert_eq!(warnings, expected, "{type_}");
        assert_eq!(config.service_account.as_deref(), Some("tenant"));
    }
}

#[test]
fn debug_and_hide_show_no_secret() {
    let keys = secret(&[
        ("address", "https://hooks.example.com/canary-address"),
        ("token", "canary-token\n"),
        ("username", "u"),
        ("password", "canary-password"),
        ("headers", "X-A: canary-header\n"),
        ("creds", "canary-creds"),
        ("nkey", "canary-nkey"),
    ]);
    let (config, _) = resolve(json!({}), &keys).unwrap();
    let shown = format!("{config:?}");
    assert!(!shown.contains("canary"), "{shown}");
    let echo = "no https://hooks.example.com/canary-address canary-token canary-password \
                canary-header";
    assert_eq!(config.hide(echo), "no ***** ***** ***** *****");
    let innocent = ProviderConfig::default().hide("a b c");
    assert_eq!(innocent, "a b c");
}

#[test]
fn token_is_read_as_text_or_header() {
    let of = |token: &[u8]| ProviderConfig {
        token: token.to_vec().into(),
        ..ProviderConfig::default()
    };
    assert_eq!(of(b"").token_text(), Ok(None));
    assert_eq!(of(b"t").token_text(), Ok(Some("t")));
    assert_eq!(of(&[0xff]).token_text(), Err(unsendable()));
    assert!(of(b"t\n").token_header("Bearer ").is_err());
    assert_eq!(of(b"t").token_header("Bearer ").unwrap(), "Bearer t");
}
