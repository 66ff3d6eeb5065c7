//! Tests of clients of remote clusters.

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

#[test]
fn address_is_normalized_and_uses_tls() {
    for (written, expected) in [
        ("API.example.com", "https://api.example.com:443"),
        (
            "https://api.example.com:6443/prefix",
            "https://api.example.com:6443",
        ),
        ("10.0.0.1:6443", "https://10.0.0.1:6443"),
        ("https://[::1]:6443", "https://[::1]:6443"),
    ] {
        assert_eq!(canonical(written).as_deref(), Ok(expected), "{written}");
    }
    assert_eq!(canonical(""), Err(AddressError::Missing));
    let message = canonical("http://api.example.com").unwrap_err().to_string();
    assert_eq!(
        message,
        "failed to parse cluster address http://api.example.com: the Kubernetes API server address \
         'http://api.example.com' must use https scheme"
    );
}

#[test]
fn audiences_default_to_the_address() {
    let audiences = |entries: &[(&str, &str)]| {
        let mut all = vec![("provider", "generic"), ("address", "Api.example.com")];
        all.extend(entries);
        ClusterAddress::of(&config(&all)).unwrap().audiences
    };
    assert_eq!(audiences(&[]), ["Api.example.com"]);
    assert_eq!(audiences(&[("audiences", " \n")]), ["Api.example.com"]);
    assert_eq!(
        audiences(&[("audiences", "one\n  two \n\n")]),
        ["one", "two"]
    );
}

#[test]
fn own_token_goes_to_address_or_listed_host() {
    let cluster = |audiences: &str| {
        let entries = [
            ("provider", "generic"),
            ("address", "api.example.com:6443"),
            ("audiences", audiences),
        ];
        ClusterAddress::of(&config(&entries)).unwrap()
    };
    let hosts = |hosts: &[&str]| HostAllowlist::parse(hosts.iter().copied()).unwrap();
    for (locked_down, listed, audiences, expected) in [
        (false, &[][..], "", None),
        (
            false,
            &[],
            "https://kubernetes.default.svc",
            Some("elsewhere"),
        ),
        (
            false,
            &["api.example.com"],
            "https://kubernetes.default.svc",
            None,
        ),
        (false, &["example.com"], "vault", Some("elsewhere")),
        (true, &[], "", Some("locked down")),
        (true, &["*.example.com"], "vault", None),
    ] {
        let own = OwnAccount {
            locked_down,
            hosts: hosts(listed),
        };
        let key = ObjectKey::new("apps", "remote");
        let message = own.check(&key, &cluster(audiences)).err();
        let message = message.map(|error| error.to_string());
        match expected {
            None => assert_eq!(message, None, "{listed:?} {audiences}"),
            Some(cause) => {
                let message = message.unwrap();
                assert!(message.contains(cause), "{message}");
                assert!(message.contains("to api.example.com:"), "{message}");
            }
        }
    }
}

#[test]
fn cloud_providers_are_rejected_by_name() {
    for (provider, missing) in [
        ("aws", "AWS STS"),
        ("azure", "Microsoft Entra"),
        ("gcp", "Google Cloud"),
    ] {
        let error =
            ClusterAddress::of(&config(&[("provider", provider), ("cluster", "c")])).unwrap_err();
        assert!(error.is_terminal(), "{provider}");
        assert!(error.to_string().contains(missing), "{error}");
    }
    let error = ClusterAddress::of(&config(&[("provider", "oracle")])).unwrap_err();
    assert!(!error.is_terminal());
    assert_eq!(error.to_string(), "provider 'oracle' not implemented");
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

#[test]
fn gaps_list_the_cloud_providers() {
    struct ReferencedMessage<'p>(&'p str);
    impl sluice_api::gaps::ReferencedObjects for ReferencedMessage<'_> {
        fn entries(&self, _: &str) -> Vec<String> {
            Vec::new()
        }

        fn text(&self, _: &str, _: &str) -> Option<String> {
            Some(self.0.to_owned())
        }
    }
    for provider in ["generic", "aws", "azure", "gcp"] {
        let place =
            ClusterAddress::of(&config(&[("provider", provider), ("address", "a.example")]));
        let is_refused = matches!(place, Err(RemoteError::Cloud { .. }));
        let gap = sluice_api::gaps::KUBE_CONFIG_PROVIDER;
        let spec = serde_json::json!({ "kubeConfig": { "configMapRef": { "name": "remote" } } });
        let known = gap.found(
            &serde_json::json!({ "spec": spec }),
            &ReferencedMessage(provider),
        );
        assert_eq!(is_refused, known.is_some(), "{provider}");
    }
}
