//! Tests of clients of remote clusters.

use crate::secrets::ConfigData;

use super::*;

fn config(entries: &[(&str, &str)]) -> ConfigData {
    let entries = entries
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    ConfigData {
        key: ObjectKey::new("apps", "remote"),
        resource_version: "1".to_owned(),
        data: entries.collect(),
    }
}

fn parse(entries: &[(&str, &str)]) -> Result<ClusterConfig, RemoteError> {
    ClusterConfig::of(&config(entries))
}

fn generic(address: &str, audiences: &str) -> ClusterConfig {
    let entries = [
        ("provider", "generic"),
        ("address", address),
        ("audiences", audiences),
    ];
    parse(&entries).unwrap()
}

#[test]
fn address_is_normalized_and_uses_tls() {
    for (written, server, url) in [
        ("API.example.com", "https://api.example.com:443", ""),
        (
            "https://api.example.com:6443/prefix/",
            "https://api.example.com:6443",
            "/prefix",
        ),
        ("10.0.0.1:6443", "https://10.0.0.1:6443", ""),
        ("https://[::1]:6443", "https://[::1]:6443", ""),
    ] {
        let found = generic(written, "").generic_server();
        assert_eq!(found.unwrap(), server, "{written}");
        assert_eq!(server_url(written).unwrap(), format!("{server}{url}"));
    }
    let message = |address: &str| {
        let error = generic(address, "").generic_server().unwrap_err();
        error.to_string()
    };
    assert_eq!(
        message(""),
        "cluster address is required to create a REST config"
    );
    let refused = "failed to parse cluster address http://api.example.com: the Kubernetes API \
                   server address 'http://api.example.com' must use https scheme";
    assert_eq!(message("http://api.example.com"), refused);
    let error = server_url("http://api.example.com").unwrap_err();
    assert_eq!(error.to_string(), refused);
}

#[test]
fn audiences_default_to_the_address() {
    for (audiences, expected) in [
        ("", &["Api.example.com"][..]),
        (" \n", &["Api.example.com"]),
        ("one\r\n  two \n\none\n", &["one", "two"]),
    ] {
        let config = generic("Api.example.com", audiences);
        assert_eq!(config.generic_audiences(), expected);
    }
}

#[test]
fn own_token_goes_to_address_or_listed_host() {
    let hosts = |hosts: &[&str]| HostAllowlist::parse(hosts.iter().copied()).unwrap();
    for (locked_down, listed, sets_audiences, expected) in [
        (false, &[][..], false, None),
        (false, &[], true, Some("elsewhere")),
        (false, &["api.example.com"], true, None),
        (false, &["example.com"], true, Some("elsewhere")),
        (true, &[], false, Some("locked down")),
        (true, &["*.example.com"], true, None),
    ] {
        let own = OwnAccount {
            locked_down,
            hosts: hosts(listed),
        };
        let key = ObjectKey::new("apps", "remote");
        let refused = own.check(&key, "https://api.example.com:6443", sets_audiences);
        let error = refused.err();
        assert!(error.as_ref().is_none_or(RemoteError::is_denied));
        let message = error.map(|error| error.to_string());
        match expected {
            None => assert_eq!(message, None, "{listed:?}"),
            Some(cause) => {
                let message = message.unwrap();
                assert!(message.contains(cause), "{message}");
                assert!(message.contains("to api.example.com:"), "{message}");
            }
        }
    }
}

#[test]
fn own_token_goes_to_described_address() {
    let key = ObjectKey::new("apps", "remote");
    let described = ClusterAccess {
        address: "https://1.eks.example.com".to_owned(),
        ca: Vec::new(),
    };
    for (written, is_same) in [
        ("https://1.eks.example.com:443", true),
        ("https://1.eks.example.com:8443", false),
        ("https://evil.example.com:443", false),
    ] {
        let checked = check_described(&key, written, &described);
        assert_eq!(checked.is_ok(), is_same, "{written}");
        if let Err(error) = checked {
            let message = error.to_string();
            let cause = "the cluster's address is 'https://1.eks.example.com'; set";
            assert!(message.contains(cause), "{message}");
        }
    }
}

#[test]
fn config_map_values_are_trimmed_and_checked() {
    let parsed = parse(&[
        ("provider", " aws\n"),
        ("cluster", "c\r\n"),
        ("serviceAccountName", ""),
        ("ca.crt", "-----BEGIN CERTIFICATE-----\n"),
    ]);
    let parsed = parsed.unwrap();
    assert_eq!(parsed.provider, Provider::Aws);
    assert_eq!(parsed.cluster.as_deref(), Some("c"));
    assert_eq!((parsed.account, parsed.address), (None, None));
    for (entries, expected) in [
        (
            &[("provider", "oracle")][..],
            "provider 'oracle' not implemented",
        ),
        (&[], "provider '' not implemented"),
        (
            &[("provider", "gcp"), ("ca.crt", "no")],
            "config map 'apps/remote': 'ca.crt' holds no certificate in PEM",
        ),
    ] {
        assert_eq!(parse(entries).unwrap_err().to_string(), expected);
    }
}

#[test]
fn version_of_a_client_covers_account_and_server() {
    let account = |uid: &str, role: &str| {
        let annotations = [("role".to_owned(), role.to_owned())].into();
        Account::new("apps", "deployer", uid, annotations).unwrap()
    };
    let server = |url: &str, authority: &str| Server {
        url: url.to_owned(),
        authority: Some(authority.as_bytes().to_vec()),
    };
    let (one, other) = (account("1", "a"), account("2", "a"));
    let edited = account("1", "b");
    let versions = [
        version("1", None, &server("https://a", "ca")),
        version("2", None, &server("https://a", "ca")),
        version("1", Some(&one), &server("https://a", "ca")),
        version("1", Some(&other), &server("https://a", "ca")),
        version("1", Some(&edited), &server("https://a", "ca")),
        version("1", Some(&one), &server("https://b", "ca")),
        version("1", Some(&one), &server("https://a", "new")),
    ];
    for (at, version) in versions.iter().enumerate() {
        assert!(!versions[..at].contains(version), "{at}");
    }
}

#[test]
fn generated_kubeconfig_is_usable() {
    let text = kubeconfig("https://api.example.com:6443", None);
    let clean = sanitize(&text, AllowedFields::default()).unwrap();
    assert!(clean.dropped().is_empty());
    assert_eq!(
        clean.into_config().cluster_url,
        "https://api.example.com:6443"
    );
}
