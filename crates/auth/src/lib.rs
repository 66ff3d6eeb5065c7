//! Who we are and how we dial: credentials, TLS, proxies and the one HTTP client.
