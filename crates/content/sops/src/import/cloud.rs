//! Cloud credentials in entries of a Secret.

use serde_json::Value;
use sluice_dial::Sensitive;

/// Why credentials are rejected. Never contains a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloudError {
    /// Invalid YAML or JSON.
    #[error("failed to unmarshal {0}")]
    Syntax(&'static str),
    /// Neither UTF-8 nor UTF-16.
    #[error("failed to decode Azure authentication file bytes")]
    Encoding,
    /// The fields do not identify a principal.
    #[error(
        "invalid data: requires a 'clientId' field, a combination of 'tenantId', 'clientId' and \
         'clientSecret', or 'tenantId', 'clientId' and 'clientCertificate'"
    )]
    Azure,
    /// Not a service account key.
    #[error("the credentials name no 'type'")]
    Gcp,
}

/// An AWS access key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwsCredentials {
    /// `aws_access_key_id`
    pub access_key_id: String,
    /// `aws_secret_access_key`
    pub secret_access_key: Sensitive<String>,
    /// `aws_session_token`, for temporary credentials.
    pub session_token: Option<Sensitive<String>>,
}

/// An Azure identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AzureCredentials {
    /// A service principal with a secret.
    Secret {
        /// The tenant.
        tenant: String,
        /// The client.
        client: String,
        /// Its secret.
        secret: Sensitive<String>,
        /// The authority to authenticate at, unless it is the public cloud.
        authority: Option<String>,
    },
    /// A service principal with a certificate.
    Certificate {
        /// The tenant.
        tenant: String,
        /// The client.
        client: String,
        /// Certificate and key, PEM or PKCS 12.
        certificate: Sensitive<String>,
        /// The password of the key.
        password: Option<Sensitive<String>>,
        /// Whether to send the certificate chain.
        send_chain: bool,
        /// The authority to authenticate at, unless it is the public cloud.
        authority: Option<String>,
    },
    /// The managed identity of a client.
    Managed {
        /// The client.
        client: String,
    },
}

/// A service account key of Google Cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GcpCredentials {
    /// The key as JSON.
    pub json: Sensitive<String>,
}

/// The text fields of a mapping; empty for other values.
struct Fields(Value);

impl Fields {
    fn parse(text: &str, what: &'static str) -> Result<Self, CloudError> {
        match sluice_yaml::v2::from_str(text) {
            Ok(value @ (Value::Object(_) | Value::Null)) => Ok(Self(value)),
            _ => Err(CloudError::Syntax(what)),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        let text = self.0.get(name).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    }

    fn secret(&self, name: &str) -> Option<Sensitive<String>> {
        self.text(name).map(Sensitive::new)
    }
}

impl AwsCredentials {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, CloudError> {
        const WHAT: &str = "AWS credentials file";
        let text = str::from_utf8(bytes).map_err(|_| CloudError::Syntax(WHAT))?;
        let fields = Fields::parse(text, WHAT)?;
        Ok(Self {
            access_key_id: fields.text("aws_access_key_id").unwrap_or_default(),
            secret_access_key: fields
                .secret("aws_secret_access_key")
                .unwrap_or_else(|| Sensitive::new(String::new())),
            session_token: fields.secret("aws_session_token"),
        })
    }
}

impl AzureCredentials {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, CloudError> {
        let text = Sensitive::new(decoded(bytes)?);
        let fields = Fields::parse(text.expose(), "Azure authentication file")?;
        let authority = fields.text("authorityHost");
        let client = fields.text("clientId");
        if let (Some(tenant), Some(client)) = (fields.text("tenantId"), client.clone()) {
            if let Some(secret) = fields.secret("clientSecret") {
                return Ok(Self::Secret {
                    tenant,
                    client,
                    secret,
                    authority,
                });
            }
            if let Some(certificate) = fields.secret("clientCertificate") {
                let send_chain = fields.0.get("clientCertificateSendChain");
                return Ok(Self::Certificate {
                    tenant,
                    client,
                    certificate,
                    password: fields.secret("clientCertificatePassword"),
                    send_chain: send_chain == Some(&Value::Bool(true)),
                    authority,
                });
            }
        }
        // The format that the Azure command line writes.
        let principal = (
            fields.text("tenant"),
            fields.text("appId"),
            fields.secret("password"),
        );
        match (principal, client) {
            ((Some(tenant), Some(client), Some(secret)), _) => Ok(Self::Secret {
                tenant,
                client,
                secret,
                authority,
            }),
            (_, Some(client)) => Ok(Self::Managed { client }),
            _ => Err(CloudError::Azure),
        }
    }
}

impl GcpCredentials {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, CloudError> {
        const WHAT: &str = "GCP service account";
        let text = str::from_utf8(bytes).map_err(|_| CloudError::Syntax(WHAT))?;
        let value: Value = serde_json::from_str(text).map_err(|_| CloudError::Syntax(WHAT))?;
        if value.get("type").and_then(Value::as_str).is_none() {
            return Err(CloudError::Gcp);
        }
        Ok(Self {
            json: Sensitive::from(text.trim()),
        })
    }
}

/// Decodes text that may be UTF-16, as written on Windows.
fn decoded(bytes: &[u8]) -> Result<String, CloudError> {
    let wide = |bytes: &[u8], order: fn([u8; 2]) -> u16| {
        let (units, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = units.iter().map(|unit| order(*unit)).collect();
        if rest.is_empty() {
            String::from_utf16(&units).map_err(|_| CloudError::Encoding)
        } else {
            Err(CloudError::Encoding)
        }
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => {
            let text = str::from_utf8(rest).map_err(|_| CloudError::Encoding)?;
            Ok(text.to_owned())
        }
    }
}
