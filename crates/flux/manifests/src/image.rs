//! Images: where each controller's comes from, and whose controller one holds.

use crate::component::Component;

/// Where our images come from unless told otherwise.
///
/// Nothing is published yet, and a name that someone else could publish under
/// must not become a default: `localhost` is never pulled from.
pub const DEFAULT_REGISTRY: &str = "localhost/sluice";

/// Where Flux publishes its images.
pub const FLUX_REGISTRY: &str = "ghcr.io/fluxcd";

/// The images of the controllers: one per name, below one registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// What stands before the name of a controller, without a slash at its end.
    ///
    /// [`DEFAULT_REGISTRY`] holds ours only: Flux's then come from
    /// [`FLUX_REGISTRY`]. Any other one is a mirror of both.
    pub registry: String,
    /// What stands after it.
    pub tag: Tag,
}

/// The tags of images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Our controllers have the same one; Flux's stand in for those that we do not have.
    Same(String),
    /// Flux's for all, each under the tag that [`crate::FLUX_VERSION`] released it with.
    Flux,
}

/// Who made a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Maker {
    /// It is in our binary.
    Sluice,
    /// It is Flux's own.
    Flux,
}

impl Images {
    /// Returns the image of a component.
    pub fn of(&self, component: &Component) -> String {
        let (maker, tag) = match &self.tag {
            Tag::Same(tag) if component.available => (Maker::Sluice, tag.as_str()),
            Tag::Same(_) | Tag::Flux => (Maker::Flux, component.flux_tag),
        };
        let registry = match self.registry.as_str() {
            DEFAULT_REGISTRY if maker == Maker::Flux => FLUX_REGISTRY,
            registry => registry,
        };
        format!("{registry}/{}:{tag}", component.name)
    }

    /// Returns the image of all our controllers in one process; Flux has none.
    pub(crate) fn single(&self) -> String {
        let tag = match &self.tag {
            Tag::Same(tag) => tag.as_str(),
            Tag::Flux => crate::FLUX_VERSION,
        };
        format!("{}/{}:{tag}", self.registry, crate::SINGLE)
    }
}

impl Maker {
    /// Tells by a controller's tag, and the version that its Deployment is labelled with. Flux's
    /// controllers have versions of their own; ours have that of the whole.
    ///
    /// `None` for an image without a tag.
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

    fn image(registry: &str, tag: Tag, name: &str) -> String {
        let images = Images {
            registry: registry.to_owned(),
            tag,
        };
        images.of(Component::find(name).unwrap())
    }

    #[test]
    fn what_we_do_not_have_is_fluxs_own_image() {
        let ours = || Tag::Same("v0.1.0".to_owned());
        let cases = [
            (
                DEFAULT_REGISTRY,
                ours(),
                "source-controller",
                "localhost/sluice/source-controller:v0.1.0",
            ),
            (
                DEFAULT_REGISTRY,
                ours(),
                "helm-controller",
                "ghcr.io/fluxcd/helm-controller:v1.6.3",
            ),
            (
                DEFAULT_REGISTRY,
                Tag::Flux,
                "source-controller",
                "ghcr.io/fluxcd/source-controller:v1.9.4",
            ),
            (
                "corp/mirror",
                ours(),
                "source-controller",
                "corp/mirror/source-controller:v0.1.0",
            ),
            (
                "corp/mirror",
                ours(),
                "helm-controller",
                "corp/mirror/helm-controller:v1.6.3",
            ),
        ];
        for (registry, tag, name, expected) in cases {
            assert_eq!(image(registry, tag, name), expected);
        }
    }

    #[test]
    fn a_maker_is_told_by_tag_and_distribution() {
        for (tag, distribution, maker) in [
            ("v0.1.0", "v0.1.0", Some(Maker::Sluice)),
            ("v1.6.3", "v0.1.0", Some(Maker::Flux)),
            ("v1.9.4", "v2.9.4", Some(Maker::Flux)),
            ("", "v0.1.0", None),
            ("sha256:ab", "v0.1.0", None),
        ] {
            assert_eq!(Maker::of(tag, distribution), maker, "{tag}");
        }
    }
}
