//! Generic webhooks, which receive the event itself, plain or signed.

use aws_lc_rs::hmac;
use http::{HeaderName, HeaderValue};
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::wire;
use crate::request::{HttpRequest, Request, secret_header};

/// Header that names the controller of the event.
const COMPONENT: &str = "gotk-component";
/// Header with the signature of the body.
const SIGNATURE: &str = "x-signature";

pub(super) fn plain(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    Ok(vec![forward(config, event)?.into()])
}

pub(super) fn signed(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let mut request = forward(config, event)?;
    if config.token.expose().is_empty() {
        return Err(Error::Missing {
            message: "HMAC key is empty",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        });
    }
    let key = hmac::Key::new(hmac::HMAC_SHA256, config.token.expose());
    let signature = format!("sha256={}", hex::encode(hmac::sign(&key, &request.body)));
    // The signature is set last, so that a header of the Secret cannot replace it.
    let signature = secret_header("the signature", signature.as_bytes())?;
    request
        .headers
        .insert(HeaderName::from_static(SIGNATURE), signature);
    Ok(vec![request.into()])
}

fn forward(config: &ProviderConfig, event: &Event) -> Result<HttpRequest, Error> {
    let url = http_url("hook URL", config.address.expose())?;
    let mut request = HttpRequest::post(url, &wire(event));
    let component = HeaderValue::from_str(&event.reporting_controller);
    let component = component.map_err(|_| Error::Unsendable {
        what: "the reporting controller of the event".to_owned(),
    })?;
    request
        .headers
        .insert(HeaderName::from_static(COMPONENT), component);
    for (name, value) in &config.headers {
        let what = || format!("header {name:?} of the Secret");
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Error::Unsendable { what: what() })?;
        let value = secret_header(&what(), value.expose().as_bytes())?;
        request.headers.insert(header, value);
    }
    Ok(request)
}
