//! TLS for protocols other than HTTP, which start it on an open connection.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

pub use tokio_rustls::client::TlsStream;

use crate::tls::Tls;

/// A connection that could not be encrypted.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The options are not usable.
    #[error("invalid TLS options: {0}")]
    Settings(String),
    /// The handshake failed.
    #[error("TLS handshake with {host}: {reason}")]
    Handshake {
        /// The host.
        host: String,
        /// The cause.
        reason: String,
    },
}

/// Starts TLS on a connection to a host, and verifies its certificate.
pub async fn start_tls(
    tls: &Tls,
    host: &str,
    stream: TcpStream,
) -> Result<TlsStream<TcpStream>, TlsError> {
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| TlsError::Settings(format!("'{host}' is not the name of a host")))?;
    let connector = TlsConnector::from(Arc::new(client_config(tls)?));
    let connected = connector.connect(name, stream).await;
    connected.map_err(|error| TlsError::Handshake {
        host: host.to_owned(),
        reason: error.to_string(),
    })
}

fn client_config(tls: &Tls) -> Result<ClientConfig, TlsError> {
    let failed = |error: rustls::Error| TlsError::Settings(error.to_string());
    let pem = |error: rustls_pki_types::pem::Error| TlsError::Settings(error.to_string());
    if tls.insecure {
        return Err(TlsError::Settings(
            "the certificate of the server must be verified".to_owned(),
        ));
    }
    let mut roots = RootCertStore::empty();
    if let Some(ca) = &tls.ca {
        for certificate in CertificateDer::pem_slice_iter(ca) {
            roots.add(certificate.map_err(pem)?).map_err(failed)?;
        }
    }
    if tls.ca.is_none() || !tls.replaces_system {
        // Certificates of the system that rustls cannot read are skipped, as for HTTP.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .with_root_certificates(roots);
    let Some(identity) = &tls.certificate else {
        return Ok(builder.with_no_client_auth());
    };
    let chain = CertificateDer::pem_slice_iter(identity.chain());
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(pem)?;
    let key = PrivateKeyDer::from_pem_slice(identity.key().expose()).map_err(pem)?;
    builder.with_client_auth_cert(chain, key).map_err(failed)
}
