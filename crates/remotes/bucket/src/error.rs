//! Errors of object stores, with the texts that `minio-go` shows.

use http::{HeaderMap, StatusCode};
use sluice_dial::{Sensitive, printable};
use sluice_identity::redact;

use crate::xml::ErrorDocument;

/// The region of a bucket, in the answer to a request without a body.
const REGION_HEADER: &str = "x-amz-bucket-region";

/// An object store refused a request, or could not be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: String,
    message: String,
    status: Option<StatusCode>,
    region: Option<String>,
}

/// The reaction that an error needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The object does not exist.
    NoSuchKey,
    /// The bucket does not exist.
    NoSuchBucket,
    /// The object has another entity tag.
    Changed,
    /// Credentials are missing, wrong or insufficient.
    Denied,
    /// Any other failure.
    Other,
}

impl Error {
    /// The reaction that the error needs.
    pub fn kind(&self) -> ErrorKind {
        match (self.code.as_str(), self.status) {
            ("NoSuchKey", _) => ErrorKind::NoSuchKey,
            ("NoSuchBucket", _) => ErrorKind::NoSuchBucket,
            (_, Some(StatusCode::PRECONDITION_FAILED)) => ErrorKind::Changed,
            (_, Some(StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED)) => ErrorKind::Denied,
            _ => ErrorKind::Other,
        }
    }

    /// The region in which the bucket is, if the store says so.
    pub(crate) fn region(&self) -> Option<&str> {
        let is_wrong_region = match self.code.as_str() {
            "AuthorizationHeaderMalformed"
            | "PermanentRedirect"
            | "TemporaryRedirect"
            | "InvalidRegion" => true,
            // The answer to `HEAD` has no document.
            "" => matches!(
                self.status,
                Some(
                    StatusCode::MOVED_PERMANENTLY
                        | StatusCode::TEMPORARY_REDIRECT
                        | StatusCode::BAD_REQUEST
                )
            ),
            _ => false,
        };
        self.region.as_deref().filter(|_| is_wrong_region)
    }

    /// Whether the store does not implement the request.
    pub(crate) fn is_unimplemented(&self) -> bool {
        self.code == "NotImplemented"
    }

    /// The code of the store.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The status of the answer.
    pub(crate) fn status(&self) -> Option<StatusCode> {
        self.status
    }

    /// The error of a request for an object: what is missing is the object.
    pub(crate) fn for_key(mut self) -> Self {
        if self.status == Some(StatusCode::NOT_FOUND) {
            "NoSuchKey".clone_into(&mut self.code);
        }
        self
    }

    /// Adds an explanation before the message.
    pub(crate) fn within(mut self, explanation: &str) -> Self {
        self.message = format!("{explanation}: {}", self.message);
        self
    }

    /// Cuts credentials out of the message, which is a store's.
    pub(crate) fn redacted(mut self, secrets: &[Sensitive<String>]) -> Self {
        let secrets: Vec<&str> = secrets.iter().map(|it| it.expose().as_str()).collect();
        self.message = redact(&self.message, &secrets);
        self
    }

    /// The error of an answer whose document was read.
    pub(crate) fn refused(code: &str, message: String, status: StatusCode) -> Self {
        Self {
            code: code.to_owned(),
            message,
            status: Some(status),
            region: None,
        }
    }

    pub(crate) fn local(message: impl Into<String>) -> Self {
        Self {
            code: String::new(),
            message: message.into(),
            status: None,
            region: None,
        }
    }

    /// The error of a response, with its document if the body was one.
    pub(crate) fn response(
        status: StatusCode,
        headers: &HeaderMap,
        document: Option<ErrorDocument>,
        has_key: bool,
    ) -> Self {
        let document = document.unwrap_or_default();
        let region = headers.get(REGION_HEADER);
        let region = region.and_then(|region| region.to_str().ok());
        let region = region.unwrap_or_default().to_owned();
        let (code, message) = match status {
            StatusCode::NOT_FOUND if has_key => {
                ("NoSuchKey", "The specified key does not exist.".to_owned())
            }
            StatusCode::NOT_FOUND => (
                "NoSuchBucket",
                "The specified bucket does not exist.".to_owned(),
            ),
            StatusCode::FORBIDDEN => ("AccessDenied", "Access Denied.".to_owned()),
            StatusCode::PRECONDITION_FAILED => {
                let message = "At least one of the pre-conditions you specified did not hold.";
                ("PreconditionFailed", message.to_owned())
            }
            status => ("", status.to_string()),
        };
        let given = |text: String, otherwise: String| {
            if text.is_empty() { otherwise } else { text }
        };
        Self {
            code: given(document.code, code.to_owned()),
            message: given(printable(&document.message), message),
            status: Some(status),
            region: Some(given(document.region, region)).filter(|region| !region.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_without_document_has_minio_text() {
        let error = |status, has_key| Error::response(status, &HeaderMap::new(), None, has_key);
        let missing = error(StatusCode::NOT_FOUND, true);
        assert_eq!(missing.kind(), ErrorKind::NoSuchKey);
        assert_eq!(missing.to_string(), "The specified key does not exist.");
        assert_eq!(
            error(StatusCode::NOT_FOUND, false).kind(),
            ErrorKind::NoSuchBucket
        );
        let denied = error(StatusCode::FORBIDDEN, false);
        assert_eq!(
            (denied.kind(), denied.to_string()),
            (ErrorKind::Denied, "Access Denied.".to_owned())
        );
        let busy = error(StatusCode::SERVICE_UNAVAILABLE, false);
        assert_eq!(busy.to_string(), "503 Service Unavailable");
    }

    #[test]
    fn document_outweighs_status() {
        let document = ErrorDocument {
            code: "NoSuchBucket".to_owned(),
            message: "gone\u{1b}[0m".to_owned(),
            region: "eu-west-1".to_owned(),
        };
        let headers = HeaderMap::new();
        let error = Error::response(StatusCode::NOT_FOUND, &headers, Some(document), true);
        assert_eq!(error.kind(), ErrorKind::NoSuchBucket);
        assert_eq!(error.to_string(), "gone[0m");
        assert_eq!(
            error.region(),
            None,
            "only some errors are about the region"
        );
    }

    #[test]
    fn answer_without_body_names_region_in_header() {
        let mut headers = HeaderMap::new();
        headers.insert(REGION_HEADER, "eu-west-1".parse().unwrap());
        for (status, region) in [
            (StatusCode::MOVED_PERMANENTLY, Some("eu-west-1")),
            (StatusCode::BAD_REQUEST, Some("eu-west-1")),
            (StatusCode::FORBIDDEN, None),
        ] {
            let error = Error::response(status, &headers, None, false);
            assert_eq!(error.region(), region, "{status}");
        }
    }
}
