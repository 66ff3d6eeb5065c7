//! The image of an `ImageRepository`: a name without scheme and tag.

use std::fmt;

use sluice_oci::{Reference, Repository};

/// The image cannot be scanned. The object stalls with the reason `ImageURLInvalid`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidImage {
    /// The name starts like a URL.
    #[error("image '{image}' should not include URL scheme; remove '{scheme}://'")]
    Scheme {
        /// The image.
        image: String,
        /// The part before `://`.
        scheme: String,
    },
    /// The name is malformed.
    #[error("could not parse reference: {0}")]
    Reference(String),
    /// The name ends with a tag or a digest.
    #[error("image '{image}' should not include a tag; remove ':{tag}'")]
    Tag {
        /// The image.
        image: String,
        /// The part after the colon.
        tag: String,
    },
}

/// A checked image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageName(Repository);

impl ImageName {
    /// Checks the image of a spec.
    pub fn parse(image: &str) -> Result<Self, InvalidImage> {
        if let Some((scheme, _)) = image.split_once("://") {
            return Err(InvalidImage::Scheme {
                image: image.to_owned(),
                scheme: scheme.to_owned(),
            });
        }
        let reference =
            Reference::parse(image).map_err(|_| InvalidImage::Reference(image.to_owned()))?;
        let repository = reference.repository;
        // The colon of a port belongs to the registry.
        let name = image.strip_prefix(repository.registry()).unwrap_or(image);
        if let Some((_, tag)) = name.split_once(':') {
            return Err(InvalidImage::Tag {
                image: image.to_owned(),
                tag: tag.split(':').next().unwrap_or_default().to_owned(),
            });
        }
        Ok(Self(repository))
    }

    /// Returns the repository to list.
    pub const fn repository(&self) -> &Repository {
        &self.0
    }
}

/// The canonical name, with the registry and `library/` that Docker Hub implies.
impl fmt::Display for ImageName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::ImageName;

    /// The messages are those of the reference's `ParseImageReference`.
    #[test]
    fn image_has_no_scheme_and_no_tag() {
        for (image, message) in [
            (
                "http://example.com/app",
                "image 'http://example.com/app' should not include URL scheme; remove 'http://'",
            ),
            (
                "app:v1",
                "image 'app:v1' should not include a tag; remove ':v1'",
            ),
            (
                "localhost:5000/app:v1",
                "image 'localhost:5000/app:v1' should not include a tag; remove ':v1'",
            ),
            (
                "ghcr.io/app@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "image 'ghcr.io/app@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' should not include a tag; remove ':e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
            ),
            ("App", "could not parse reference: App"),
            ("a//b", "could not parse reference: a//b"),
            ("", "could not parse reference: "),
            ("ghcr.io/", "could not parse reference: ghcr.io/"),
        ] {
            assert_eq!(
                ImageName::parse(image).unwrap_err().to_string(),
                message,
                "{image}"
            );
        }
    }

    #[test]
    fn canonical_name_is_fully_explicit() {
        for (image, canonical) in [
            ("app", "index.docker.io/library/app"),
            ("org/app", "index.docker.io/org/app"),
            ("docker.io/app", "index.docker.io/library/app"),
            ("ghcr.io/org/app", "ghcr.io/org/app"),
            ("localhost:5000/app", "localhost:5000/app"),
        ] {
            assert_eq!(ImageName::parse(image).unwrap().to_string(), canonical);
        }
    }
}
