//! Shows notifications instead of sending them.

use std::fmt;
use std::sync::Arc;

use crate::config::ProviderConfig;
use crate::request::Request;

/// Maximum length of a shown body, in characters.
const MAX_BODY_CHARS: usize = 2000;

/// A notification that was not sent. It contains no secret of the Provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Namespace and name of the Provider.
    pub provider: String,
    /// Name of the Alert.
    pub alert: String,
    /// Type of the Provider.
    pub type_: String,
    /// Requests to the service: method and host, or subject, then the body.
    pub requests: Vec<String>,
}

/// Receives the notifications.
pub type Show = Arc<dyn Fn(&Preview) + Send + Sync>;

impl Preview {
    pub(crate) fn new(config: &ProviderConfig, requests: &[Request]) -> Self {
        let identity = &config.identity;
        Self {
            provider: format!("{}/{}", identity.namespace, identity.name),
            alert: config.alert.name.clone(),
            type_: config.type_.as_str().to_owned(),
            requests: requests.iter().map(|it| describe(config, it)).collect(),
        }
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            provider,
            alert,
            type_,
            ..
        } = self;
        write!(f, "Alert {alert} to Provider {provider} ({type_})")?;
        self.requests
            .iter()
            .try_for_each(|request| write!(f, "\n  {request}"))
    }
}

/// Describes a request in one line.
fn describe(config: &ProviderConfig, request: &Request) -> String {
    let (target, body) = match request {
        Request::Http(request) => (http(request), &request.body),
        Request::CommitStatus(status) => (http(&status.create), &status.create.body),
        Request::Comment(comment) => (http(&comment.create), &comment.create.body),
        Request::Nats(message) => (format!("PUB {}", message.subject), &message.body),
        Request::EventHub(message) => ("event hub".to_owned(), &message.body),
    };
    let text = String::from_utf8_lossy(body);
    format!("{target} {}", shorten(&config.hide(&text)))
}

/// Returns a body without control characters and with limited length.
fn shorten(body: &str) -> String {
    let text = sluice_dial::printable_within(body, MAX_BODY_CHARS);
    if text.is_empty() {
        return "(empty body)".to_owned();
    }
    text
}

/// Paths of many services are secrets, so only the host is shown.
fn http(request: &crate::request::HttpRequest) -> String {
    let host = request.url.host_str().unwrap_or_default();
    format!("{} {host}", request.method)
}

#[cfg(test)]
mod tests {
    use http::Method;
    use url::Url;

    use super::*;
    use crate::request::HttpRequest;

    #[test]
    fn preview_shows_host_and_body_without_secrets() {
        let config = ProviderConfig {
            token: b"canary-token".to_vec().into(),
            ..ProviderConfig::default()
        };
        let url = Url::parse("https://hooks.example.com/canary-path").unwrap();
        let body = r#"{"text":"canary-token","ok":true}"#;
        let mut request = HttpRequest::new(Method::POST, url);
        request.body = body.as_bytes().to_vec();
        let preview = Preview::new(&config, &[request.into()]);
        assert_eq!(
            preview.requests,
            [r#"POST hooks.example.com {"text":"*****","ok":true}"#]
        );
        assert!(!preview.to_string().contains("canary"));
    }

    #[test]
    fn shown_body_has_up_to_2000_plain_characters() {
        let long = "ä".repeat(1000) + "\u{1b}[31m\n" + &"b".repeat(2000);
        let shown = shorten(&long);
        assert_eq!(shown.chars().count(), 2000);
        assert!(shown.contains("ä[31mb"), "{shown}");
        assert_eq!(shorten("\n"), "(empty body)");
    }
}
