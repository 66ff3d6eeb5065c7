//! The providers of identities.

use std::fmt;

/// A provider, as `spec.provider` of Flux's kinds names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Amazon Web Services.
    Aws,
    /// Microsoft Azure.
    Azure,
    /// Google Cloud.
    Gcp,
    /// A GitHub App.
    GitHub,
    /// The tokens of service accounts themselves.
    Generic,
}

impl Provider {
    const ALL: [Self; 5] = [
        Self::Aws,
        Self::Azure,
        Self::Gcp,
        Self::GitHub,
        Self::Generic,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Azure => "azure",
            Self::Gcp => "gcp",
            Self::GitHub => "github",
            Self::Generic => "generic",
        }
    }

    /// Returns the provider of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.name() == name)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
