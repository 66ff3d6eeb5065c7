//! Reads the Secrets of a `Bucket`, and gets the credentials of its store.

use sluice_api::meta::{LocalObjectReference, reason};
use sluice_api::source::Bucket;
use sluice_api::source::condition::FETCH_FAILED;
use sluice_bucket::azure::{Access, Container, SharedKey};
use sluice_bucket::{Credentials, GoogleBucket, Remote};
use sluice_client::typed::ResourceExt;
use sluice_dial::{Basic, Bearer, Dial, Sensitive, Tls};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_host::secrets::SecretData;
use sluice_host::{CloudError, IdentityUser};
use sluice_identity::AwsLocation;
use sluice_identity::azure::{ClientCertificate, PrincipalProof, ServicePrincipal};
use url::Url;

use super::BucketKind;
use super::spec::{S3Store, Spec, StoreSpec, TokenService};
use crate::fault::{FailureCondition, Fault};

/// The Secrets of an object.
#[derive(Default)]
struct Secrets {
    login: Option<SecretData>,
    sts: Option<SecretData>,
    /// The connection to the store.
    dial: Dial,
    sts_tls: Tls,
}

impl BucketKind {
    /// Configures the store of an object.
    pub(super) async fn remote(&self, object: &Bucket, spec: &Spec) -> Result<Remote, Fault> {
        let account = object.spec.service_account_name.as_deref();
        if spec.store.has_identities() {
            let allowed = self.identities.check_gate(account);
            let condition = FailureCondition::True(FETCH_FAILED);
            allowed.map_err(|error| Fault::gate_disabled(error, condition))?;
        }
        let secrets = self.read(object).await?;
        let key = ObjectKey::of(object);
        let user = IdentityUser {
            kind: self.source_storage.kind(),
            key: &key,
            namespace: key.namespace(),
            account,
        };
        match &spec.store {
            StoreSpec::S3(store) => self.s3(user, spec, store, secrets).await,
            StoreSpec::Google => self.google(user, spec, secrets).await,
            StoreSpec::Azure { endpoint } => self.azure(user, spec, endpoint, secrets).await,
        }
    }

    async fn read(&self, object: &Bucket) -> Result<Secrets, Fault> {
        let namespace = object.namespace().unwrap_or_default();
        let fields = &object.spec;
        let read = async |reference: Option<&LocalObjectReference>, action: &str| {
            let Some(LocalObjectReference { name }) = reference else {
                return Ok(None);
            };
            let secret = self.secrets.get(&namespace, name).await;
            secret.map(Some).map_err(|error| {
                // Flux reads the login without the helper that it uses for other Secrets. So their
                // errors differ.
                let why = if action.contains("NAME") {
                    error.server_message()
                } else {
                    chain(&error)
                };
                let action = action.replace("NAME", &format!("{namespace}/{name}"));
                unauthenticated(format!("failed to {action}: {why}"))
            })
        };
        let sts = fields.sts.as_ref();
        let login = read(fields.secret_ref.as_ref(), "get secret 'NAME'").await?;
        let sts_login = sts.and_then(|sts| sts.secret_ref.as_ref());
        let sts_login = read(sts_login, "get STS secret 'NAME'").await?;
        let action = "get proxy URL";
        let proxy = match read(fields.proxy_secret_ref.as_ref(), action).await? {
            None => None,
            Some(secret) => Some(secret.proxy().map_err(|error| failed(action, &error))?),
        };
        let tls = async |reference: Option<&LocalObjectReference>, action: &str| match read(
            reference, action,
        )
        .await?
        {
            None => Ok(None),
            Some(secret) => {
                let tls = secret.required_tls();
                tls.map(Some).map_err(|error| failed(action, &error))
            }
        };
        let own = tls(fields.cert_secret_ref.as_ref(), "get TLS config").await?;
        let sts_tls = sts.and_then(|sts| sts.cert_secret_ref.as_ref());
        let sts_tls = tls(sts_tls, "get STS TLS config").await?;
        Ok(Secrets {
            login,
            sts: sts_login,
            dial: Dial {
                // Plain HTTP has no use for certificates.
                tls: own.filter(|_| !fields.insecure).unwrap_or_default(),
                proxy,
                ..Dial::default()
            },
            sts_tls: sts_tls.unwrap_or_default(),
        })
    }

    async fn s3(
        &self,
        user: IdentityUser<'_>,
        spec: &Spec,
        store: &S3Store,
        secrets: Secrets,
    ) -> Result<Remote, Fault> {
        let dial = &secrets.dial;
        let credentials = match (&secrets.login, &store.token_service) {
            (Some(secret), _) => static_keys(secret)?,
            (None, Some(TokenService::Ldap { endpoint })) => {
                let login = ldap_login(secrets.sts.as_ref())?;
                let dial = Dial {
                    tls: secrets.sts_tls.clone(),
                    ..dial.clone()
                };
                let keys = self.identities.ldap_keys(user, endpoint, &login, &dial);
                let keys = keys.await.map_err(|error| refused("LDAP", &error))?;
                Some(keys)
            }
            (None, service) if store.is_aws => {
                let location = AwsLocation {
                    region: store.region.as_deref().or_else(|| store.endpoint.region()),
                    sts_endpoint: match service {
                        Some(TokenService::Aws { endpoint }) => Some(endpoint),
                        _ => None,
                    },
                };
                let keys = self.identities.aws_keys(user, location, dial).await;
                Some(keys.map_err(|error| refused("AWS", &error))?)
            }
            _ => None,
        };
        Ok(Remote::S3(sluice_bucket::Bucket {
            endpoint: store.endpoint.clone(),
            name: spec.bucket.clone(),
            region: store.region.clone(),
            credentials,
            dial: secrets.dial,
        }))
    }

    async fn google(
        &self,
        user: IdentityUser<'_>,
        spec: &Spec,
        secrets: Secrets,
    ) -> Result<Remote, Fault> {
        // Certificates are for stores of the tenant.
        let dial = public_dial(secrets.dial);
        let token = match &secrets.login {
            None => self.identities.google_token(user, &dial).await,
            Some(secret) => {
                let Some(key) = secret.entry("serviceaccount") else {
                    return Err(invalid_secret(secret, "required fields 'serviceaccount'"));
                };
                let key = Sensitive::new(String::from_utf8_lossy(key).into_owned());
                self.identities.google_key(user, key.expose(), &dial).await
            }
        };
        let token = token.map_err(|error| refused("GCP", &error))?;
        Ok(Remote::Google(GoogleBucket {
            service: self.google_service.clone(),
            name: spec.bucket.clone(),
            token: bearer(&token)?,
            dial,
        }))
    }

    async fn azure(
        &self,
        user: IdentityUser<'_>,
        spec: &Spec,
        endpoint: &Url,
        secrets: Secrets,
    ) -> Result<Remote, Fault> {
        let dial = public_dial(secrets.dial);
        let access = match &secrets.login {
            Some(secret) => self.azure_secret(user, endpoint, secret, &dial).await?,
            None => {
                let token = self.identities.blob_token(user, endpoint, &dial).await;
                let token = token.map_err(|error| refused("Azure", &error))?;
                Access::Bearer(bearer(&token)?)
            }
        };
        Ok(Remote::Azure(Container {
            endpoint: endpoint.clone(),
            name: spec.bucket.clone(),
            access,
            dial,
        }))
    }

    /// The first credentials of a Secret count, in the order of Flux.
    async fn azure_secret(
        &self,
        user: IdentityUser<'_>,
        endpoint: &Url,
        secret: &SecretData,
        dial: &Dial,
    ) -> Result<Access, Fault> {
        let text = |key: &str| {
            let value = secret.entry(key)?;
            Some(Sensitive::new(String::from_utf8_lossy(value).into_owned()))
        };
        let (tenant, client) = (text("tenantId"), text("clientId"));
        let filled = |key: &str| text(key).filter(|value| !value.expose().is_empty());
        let client_secret = filled("clientSecret");
        let certificate = secret.entry("clientCertificate");
        let certificate = certificate.filter(|bytes| !bytes.is_empty());
        let certificate = certificate.map(|bytes| {
            let sent = text("clientCertificateSendChain");
            let is_true = |value: &str| value == "1" || value.eq_ignore_ascii_case("true");
            ClientCertificate {
                bytes: Sensitive::new(bytes.to_vec()),
                password: filled("clientCertificatePassword"),
                is_chain_sent: sent.is_some_and(|sent| is_true(sent.expose())),
            }
        });
        let proof = match (&client_secret, &certificate) {
            (Some(secret), _) => Some(PrincipalProof::Secret(secret)),
            (None, Some(certificate)) => Some(PrincipalProof::Certificate(certificate)),
            (None, None) => None,
        };
        let authority = text("authorityHost");
        let token = match (&tenant, &client, proof) {
            (Some(tenant), Some(client), Some(proof)) => {
                let principal = ServicePrincipal {
                    tenant: tenant.expose(),
                    client: client.expose(),
                    authority: authority.as_ref().map(|host| host.expose().as_str()),
                    proof,
                };
                let token = self.identities.blob_principal(user, &principal, dial);
                Some(token.await)
            }
            (_, Some(client), _) => {
                let client = client.expose();
                let token = self.identities.blob_managed(user, client, endpoint);
                Some(token.await)
            }
            _ => None,
        };
        if let Some(token) = token {
            let name = secret.key().name();
            let token = token.map_err(|error| {
                unauthenticated(format!(
                    "failed to create token credential from '{name}' Secret: {error}"
                ))
            })?;
            let is_https = endpoint.scheme() == "https";
            if !is_https {
                return Err(unauthenticated(
                    "a token of Azure needs an https endpoint".to_owned(),
                ));
            }
            return Ok(Access::Bearer(bearer(&token)?));
        }
        if let Some(key) = text("accountKey") {
            let key = SharedKey::of_endpoint(endpoint, key.expose());
            let name = secret.key().name();
            return key.map(Access::SharedKey).map_err(|error| {
                unauthenticated(format!(
                    "failed to create shared credential from '{name}' Secret data: {error}"
                ))
            });
        }
        match text("sasKey") {
            Some(signature) => Ok(Access::Signature(signature)),
            None => Err(invalid_secret(
                secret,
                "requires a 'clientId' or 'accountKey' field, a combination of 'tenantId', \
                 'clientId' and 'clientSecret', or 'tenantId', 'clientId' and 'clientCertificate'",
            )),
        }
    }
}

/// The keys of a Secret. Empty ones mean anonymous access, as in Flux.
fn static_keys(secret: &SecretData) -> Result<Option<Credentials>, Fault> {
    let entry = |key| {
        secret
            .entry(key)
            .map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let (Some(access_key), Some(secret_key)) = (entry("accesskey"), entry("secretkey")) else {
        return Err(invalid_secret(
            secret,
            "required fields 'accesskey' and 'secretkey'",
        ));
    };
    let is_anonymous = access_key.is_empty() || secret_key.is_empty();
    Ok((!is_anonymous).then(|| Credentials {
        access_key,
        secret_key: Sensitive::new(secret_key),
        session_token: None,
        expires: None,
    }))
}

/// The user of LDAP. Without a Secret, both fields are empty, as in Flux.
fn ldap_login(secret: Option<&SecretData>) -> Result<Basic, Fault> {
    let Some(secret) = secret else {
        return Ok(Basic::new("", String::new()));
    };
    let entry = |key| {
        let value = secret.entry(key).filter(|value| !value.is_empty())?;
        Some(String::from_utf8_lossy(value).into_owned())
    };
    let (Some(username), Some(password)) = (entry("username"), entry("password")) else {
        let name = secret.key().name();
        return Err(unauthenticated(format!(
            "invalid '{name}' secret data for 'ldap' STS provider: required fields username, \
             password"
        )));
    };
    Ok(Basic::new(username, password))
}

/// The connection to a public store: by the object's proxy, without its certificates.
fn public_dial(dial: Dial) -> Dial {
    Dial {
        tls: Tls::default(),
        ..dial
    }
}

fn bearer(token: &Sensitive<String>) -> Result<Bearer, Fault> {
    Bearer::new(token.expose())
        .map_err(|_| unauthenticated("the token of the cloud cannot be sent".to_owned()))
}

fn invalid_secret(secret: &SecretData, why: &str) -> Fault {
    let name = secret.key().name();
    unauthenticated(format!("invalid '{name}' secret data: {why}"))
}

fn refused(cloud: &str, error: &CloudError) -> Fault {
    unauthenticated(format!("{cloud} authentication failed: {error}"))
}

fn failed(action: &str, error: &dyn std::error::Error) -> Fault {
    unauthenticated(format!("failed to {action}: {}", chain(error)))
}

fn unauthenticated(message: String) -> Fault {
    Fault::retry(reason::AUTHENTICATION_FAILED, message)
}
