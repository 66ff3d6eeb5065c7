//! Identities: credentials of clouds and of GitHub Apps.
//!
//! A caller names a provider, the level and what it needs: a region, an audience or a scope. It
//! gets a credential from one cache. The crate knows no Kubernetes client: the caller hands in the
//! service account and issues its tokens ([`TokenRequest`]). No program is started. Errors and
//! `Debug` never show a secret. Metadata services are called without a proxy.
//!
//! Start at [`Identities`]; [`CloudRegistry`] finds the provider that logs in to a registry.

mod account;
mod allowlist;
pub mod aws;
pub mod azure;
mod cache_key;
mod cluster;
mod environment;
mod error;
#[cfg(test)]
mod fake;
pub mod gcp;
pub mod github_app;
mod identities;
mod jwt;
mod key_call;
mod key_services;
mod observer;
mod pattern;
mod provider;
mod registry;
mod registry_login;
mod request;
mod service_account;
mod token_cache;

pub use account::{Account, TokenRequest, TokenRequestFuture};
pub use allowlist::HostAllowlist;
pub use cache_key::{CacheKey, KeyParts};
pub use cluster::{ClusterAccess, canonical_address};
pub use environment::Environment;
pub use error::IdentityError;
pub use github_app::GithubApp;
pub use identities::{AwsLocation, CloudCluster, Credential, Identities, Level};
pub use key_call::KeyCall;
pub use key_services::KeyServices;
pub use observer::{IdentityObserver, IdentityStep};
pub use provider::Provider;
pub use registry::CloudRegistry;
pub use registry_login::{LookupObserver, Owner, RegistryLogin};
pub use request::{Transport, redact};
pub use service_account::{ServiceAccount, UnknownAccount};
pub use token_cache::{Lookup, Token, TokenCache};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts that are close to valid ones, and arbitrary ones.
    fn texts() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            r"[0-9]{0,3}\.?dkr[.-]ecr(-fips)?\.[a-z]{0,5}(-[a-z0-9]{0,5}){0,5}\.(amazonaws\.com|evil\.io|on\.aws).{0,3}",
            r"https://[a-z.]{0,9}sts(\.[a-z0-9-]{0,9}){0,3}(\.vpce)?\.amazonaws\.com.{0,5}",
            r"arn:aws[a-z-]{0,4}:(eks|iam):[a-z0-9-]{0,9}:[0-9]{0,3}:(cluster|role)/.{0,9}",
            r#"\{"type":"(service_account|external_account|impersonated_service_account)".{0,40}\}"#,
            r"e30\.[A-Za-z0-9_-]{0,40}\.x",
        ]
    }

    proptest! {
        #[test]
        fn parsers_never_panic(text in texts(), more in any::<String>()) {
            for provider in ["aws", "azure", "gcp"] {
                let provider = Provider::parse(provider).unwrap();
                let parsed = CloudRegistry::parse(provider, &text, Some(&more));
                if let Ok(CloudRegistry::Ecr { region }) = parsed {
                    aws::check_region(&region).unwrap();
                }
            }
            let _checked = aws::check_sts_endpoint(&text);
            let _cluster = aws::Cluster::parse(&text);
            let _cluster = gcp::Cluster::parse(&text);
            let _cluster = azure::Cluster::parse(&text);
            let _address = canonical_address(&text);
            let _key = aws::KmsKey::parse(&text);
            let _key = gcp::KmsKey::parse(&text);
            let _key = gcp::Key::of_tenant(&text);
            let _claims = jwt::Claims::of_token(&text);
            let _owner = ServiceAccount::of_token(&text);
            let _account = Account::new(&text, &more, "", std::collections::BTreeMap::new());
            let _hosts = HostAllowlist::parse([text.as_str()]);
            let _message = request::redact(&text, &[&more]);
        }
    }
}
