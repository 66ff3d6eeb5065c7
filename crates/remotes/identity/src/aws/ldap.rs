//! Keys of an object store for a user of LDAP, by the protocol of `MinIO`.

use std::time::SystemTime;

use sluice_dial::Basic;
use url::Url;

use super::AwsCredentials;
use super::sts::{FORM, VERSION, error_message, read_credentials};
use crate::error::IdentityError;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer, form};
use crate::token_cache::Token;

/// Requests keys. The endpoint is the tenant's own, as are user and password.
pub(crate) async fn ldap_keys(
    transport: Transport<'_>,
    endpoint: &Url,
    user: &Basic,
    now: SystemTime,
) -> Result<Token<AwsCredentials>, IdentityError> {
    let form = form(&[
        ("Action", "AssumeRoleWithLDAPIdentity"),
        ("Version", VERSION),
        ("LDAPUsername", &user.username),
        ("LDAPPassword", user.password.expose()),
    ]);
    let host = endpoint.host_str().unwrap_or_default();
    let action = format!("get keys for an LDAP user at {host}");
    let secrets = [user.password.expose().as_str()];
    let purpose = Purpose {
        secrets: &secrets,
        ..Purpose::new(&action, error_message)
    };
    let request = transport
        .remote()?
        .post(endpoint.clone())
        .header(http::header::CONTENT_TYPE, FORM)
        .timeout(TIMEOUT)
        .body(form);
    let body = answer(request, &purpose, RETRY).await?;
    let credentials = read_credentials(body.expose(), &purpose)?;
    Ok(Token {
        // Keys without an expiry are used once.
        expires: credentials.expires.unwrap_or(now),
        value: credentials,
    })
}
