//! Container images of the controllers, and the vendor of an image.

use crate::component::Component;

/// Default registry of sluice images.
///
/// No image is published. Another party could register any public name, so the default is
/// `localhost`, which is never pulled from.
pub const DEFAULT_REGISTRY: &str = "localhost/sluice";

/// Registry of Flux's images.
pub const FLUX_REGISTRY: &str = "ghcr.io/fluxcd";

/// Registry and tag of the controllers' images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// Registry and path before the name of a controller, without a trailing slash.
    ///
    /// [`DEFAULT_REGISTRY`] has only sluice images, so Flux's come from [`FLUX_REGISTRY`]. Any
    /// other registry is a mirror of both.
    pub registry: String,
    /// Tag of the images.
    pub tag: Tag,
}

/// The tags of images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// One tag for all sluice controllers.
    Fixed(String),
    /// Flux's images for all controllers, with the tags of [`crate::FLUX_VERSION`].
    Flux,
}

/// The vendor of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// sluice.
    Sluice,
    /// Flux.
    Flux,
}

impl Images {
    /// Returns the image of a component.
    pub fn of(&self, component: &Component) -> String {
        let (maker, tag) = match &self.tag {
            Tag::Fixed(tag) => (Vendor::Sluice, tag.as_str()),
            Tag::Flux => (Vendor::Flux, component.flux_tag),
        };
        let registry = match self.registry.as_str() {
            DEFAULT_REGISTRY if maker == Vendor::Flux => FLUX_REGISTRY,
            registry => registry,
        };
        format!("{registry}/{}:{tag}", component.name)
    }

    /// Returns the image that runs all sluice controllers in one process.
    pub(crate) fn single(&self) -> String {
        let tag = match &self.tag {
            Tag::Fixed(tag) => tag.as_str(),
            Tag::Flux => crate::FLUX_VERSION,
        };
        format!("{}/{}:{tag}", self.registry, crate::SINGLE)
    }
}

impl Vendor {
    /// Derives the vendor from the tag of an image and the version label of its Deployment. Flux's
    /// controllers have their own versions; sluice controllers share one.
    ///
    /// Returns `None` for an image without a tag.
    pub fn of(tag: &str, distribution: &str) -> Option<Self> {
        match tag {
            "" => None,
            tag if tag.contains(':') => None,
            tag if tag == distribution => Some(Self::Sluice),
            _ => Some(Self::Flux),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_follow_from_registry_and_tag() {
        let ours = || Tag::Fixed("v0.1.0".to_owned());
        let source = Component::find("source-controller").unwrap();
        let cases = [
            (
                DEFAULT_REGISTRY,
                ours(),
                source,
                "localhost/sluice/source-controller:v0.1.0",
            ),
            (
                DEFAULT_REGISTRY,
                Tag::Flux,
                source,
                "ghcr.io/fluxcd/source-controller:v1.9.4",
            ),
            (
                "corp/mirror",
                ours(),
                source,
                "corp/mirror/source-controller:v0.1.0",
            ),
            (
                "corp/mirror",
                Tag::Flux,
                source,
                "corp/mirror/source-controller:v1.9.4",
            ),
        ];
        for (registry, tag, component, expected) in cases {
            let registry = registry.to_owned();
            assert_eq!(Images { registry, tag }.of(component), expected);
        }
    }

    #[test]
    fn vendor_follows_from_tag_and_version_label() {
        for (tag, distribution, maker) in [
            ("v0.1.0", "v0.1.0", Some(Vendor::Sluice)),
            ("v1.6.3", "v0.1.0", Some(Vendor::Flux)),
            ("v1.9.4", "v2.9.4", Some(Vendor::Flux)),
            ("", "v0.1.0", None),
            ("sha256:ab", "v0.1.0", None),
        ] {
            assert_eq!(Vendor::of(tag, distribution), maker, "{tag}");
        }
    }
}
