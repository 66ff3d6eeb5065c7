//! `images`: changes names, tags and digests of images.
//!
//! The first pass visits all lists `containers` and `initContainers` at any depth of any
//! resource. The second pass follows the field table. Most images are visited by both, so a
//! `tagSuffix` is added twice, as in upstream. CRDs are skipped.
//!
//! The name of an image is a regular expression, anchored at both ends but not grouped. So in
//! `a|b`, only the start of `a` and the end of `b` are anchored. An invalid expression panics
//! in upstream once there is an image to compare; here it is an error. Most names are plain
//! texts and are compared without an expression, because compiling one is slow.
//!
//! Parity: kustomize: `api/filters/imagetag`, `api/internal/image`.

use regex::Regex;
use sluice_yaml::tree::{Content, Node, Tag, Text};

use crate::configuration::FieldSpec;
use crate::error::Error;
use crate::growth::GrowthBudget;
use crate::kustomization::fields::Image;
use crate::pattern;
use crate::resource_map::ResourceMap;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::fieldspec::{Field, set_scalar};

/// Applies all image changes to all resources.
pub(crate) fn apply(
    resources: &mut ResourceMap,
    images: &[Image],
    fields: &[FieldSpec],
) -> Result<(), Error> {
    let growth = resources.growth();
    let changes: Vec<Change<'_>> = images
        .iter()
        .map(|image| Change::new(image, &growth))
        .collect();
    let fields = Field::all(fields, &growth);
    let keeps_ids = Field::all_keep_identity(&fields);
    for resource in resources.iter_mut_keeping(keeps_ids) {
        let gvk = resource.gvk();
        if gvk.kind() == "CustomResourceDefinition" {
            continue;
        }
        let has_containers = has_containers(resource.node());
        let fields: Vec<&Field> = fields.iter().filter(|field| field.is_in(&gvk)).collect();
        for change in &changes {
            if has_containers {
                in_containers(resource.node_mut(), change)?;
            }
            for field in &fields {
                field.visit(resource, None, &mut |node| change.make(node))?;
            }
        }
    }
    Ok(())
}

fn is_containers(key: &Node) -> bool {
    matches!(key.key_text(), "containers" | "initContainers")
}

/// Whether the first pass may change anything. Avoids copying a shared document.
fn has_containers(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(entries) => entries
            .iter()
            .any(|(key, value)| (is_containers(key) && value.is_seq()) || has_containers(value)),
        Content::Sequence(items) => items.iter().any(has_containers),
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

fn in_containers(node: &mut Node, change: &Change<'_>) -> Result<(), FieldError> {
    match &mut node.content {
        Content::Mapping(entries) => {
            for (key, value) in entries {
                in_containers(value, change)?;
                if is_containers(key) {
                    of_elements(value, change)?;
                }
            }
            Ok(())
        }
        Content::Sequence(items) => items
            .iter_mut()
            .try_for_each(|item| in_containers(item, change)),
        Content::Scalar(_) | Content::Alias(_) => Ok(()),
    }
}

fn of_elements(list: &mut Node, change: &Change<'_>) -> Result<(), FieldError> {
    let Some(containers) = list.items_mut() else {
        return Ok(());
    };
    for container in containers {
        expect_kind(container, NodeKind::Mapping)?;
        if let Some(image) = container.get_mut("image") {
            change.make(image)?;
        }
    }
    Ok(())
}

/// A prepared change of an image.
struct Change<'a> {
    image: &'a Image,
    name: Name<'a>,
    growth: &'a GrowthBudget,
}

/// The name of the images to change.
enum Name<'a> {
    /// An expression of plain characters and dots.
    Plain(&'a str),
    Expression(Result<Regex, String>),
}

impl<'a> Name<'a> {
    fn new(name: &'a str) -> Self {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"./-_:@".contains(&byte);
        if name.bytes().all(is_plain) {
            return Self::Plain(name);
        }
        let expression = format!("^{name}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$");
        Self::Expression(pattern::compile(&expression))
    }

    fn matches(&self, image: &str) -> Result<bool, &String> {
        match self {
            Self::Plain(name) => Ok(is_plainly(name, image)),
            Self::Expression(pattern) => Ok(pattern.as_ref()?.is_match(image)),
        }
    }
}

/// Whether the expression of a plain name matches an image.
fn is_plainly(name: &str, image: &str) -> bool {
    let mut rest = image.chars();
    let begins = name.chars().all(|wanted| {
        let found = rest.next();
        // A dot matches any character but a line feed.
        found.is_some_and(|found| found == wanted || (wanted == '.' && found != '\n'))
    });
    let is_word = |found: char| found.is_ascii_alphanumeric() || "_.{}-".contains(found);
    let rest = rest.as_str();
    let tag = rest.strip_prefix(':');
    let rest = tag.map_or(rest, |tag| tag.trim_start_matches(is_word));
    let digest = rest.strip_prefix("@sha256:");
    let rest = digest.map_or(rest, |digest| digest.trim_start_matches(is_word));
    begins && rest.is_empty()
}

impl<'a> Change<'a> {
    fn new(image: &'a Image, growth: &'a GrowthBudget) -> Self {
        Self {
            image,
            name: Name::new(&image.name),
            growth,
        }
    }

    fn make(&self, node: &mut Node) -> Result<(), FieldError> {
        expect_kind(node, NodeKind::Scalar)?;
        let value = node.as_str().unwrap_or_default();
        let is_match = self.name.matches(value).map_err(|error| {
            let name = &self.image.name;
            FieldError::new(format!(
                "images name {name:?} is not a regular expression: {error}"
            ))
        })?;
        if !is_match {
            return Ok(());
        }
        let changed = self.changed(value);
        let more = changed.len().saturating_sub(value.len());
        self.growth.add(more as u64)?;
        set_scalar(node, Text::from(changed), Tag::Unset)
    }

    fn changed(&self, value: &str) -> String {
        let image = self.image;
        let (name, tag, digest) = split(value);
        let name = match image.new_name.as_str() {
            "" => name,
            name => name,
        };
        let (tag, digest) = match (image.new_tag.as_str(), image.digest.as_str()) {
            ("", "") if image.tag_suffix.is_empty() => (tag.to_owned(), digest),
            ("", "") => (format!("{tag}{}", image.tag_suffix), ""),
            // A tag clears the digest, and a digest clears the tag.
            (tag, digest) => (tag.to_owned(), digest),
        };
        let mut changed = name.to_owned();
        if !tag.is_empty() {
            changed.push(':');
            changed.push_str(&tag);
        }
        if !digest.is_empty() {
            changed.push('@');
            changed.push_str(digest);
        }
        changed
    }
}

/// Splits an image into name, tag and digest; missing parts are empty.
fn split(image: &str) -> (&str, &str, &str) {
    // The port of a registry is not a tag. A leading slash does not end a registry.
    let start = image.find('/').filter(|&slash| slash > 0).unwrap_or(0);
    let at = image[start..].find('@').map(|at| at + start);
    let colon = image[start..].find(':').map(|colon| colon + start);
    match (colon, at) {
        (None, None) => (image, "", ""),
        (Some(colon), None) => (&image[..colon], &image[colon + 1..], ""),
        (Some(colon), Some(at)) if colon < at => {
            (&image[..colon], &image[colon + 1..at], &image[at + 1..])
        }
        (_, Some(at)) => (&image[..at], "", &image[at + 1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, apply, is_plainly, split};
    use crate::configuration;
    use crate::error::Error;
    use crate::kustomization::fields::Image;
    use crate::transform::testing::{printed, resources};

    #[test]
    fn image_is_split_into_name_tag_and_digest() {
        for (image, parts) in [
            ("nginx", ("nginx", "", "")),
            ("nginx:1", ("nginx", "1", "")),
            ("nginx@sha256:a", ("nginx", "", "sha256:a")),
            ("nginx:1@sha256:a", ("nginx", "1", "sha256:a")),
            ("host:5000/nginx", ("host:5000/nginx", "", "")),
            ("host:5000/nginx:1", ("host:5000/nginx", "1", "")),
            (
                "host:5000/a/nginx@sha256:a",
                ("host:5000/a/nginx", "", "sha256:a"),
            ),
            ("/nginx:1", ("/nginx", "1", "")),
        ] {
            assert_eq!(split(image), parts, "{image}");
        }
    }

    /// All texts of up to `most` pieces.
    fn texts(pieces: &[&str], most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut newest = all.clone();
        for _ in 0..most {
            let longer = |text: &String| {
                pieces
                    .iter()
                    .map(move |piece| format!("{text}{piece}"))
                    .collect::<Vec<_>>()
            };
            newest = newest.iter().flat_map(longer).collect();
            all.extend_from_slice(&newest);
        }
        all
    }

    #[test]
    fn plain_name_matches_like_its_expression() {
        let images = texts(&["a", "b", ".", ":", "@sha256:", "@", "\n", "{", "é"], 4);
        for name in texts(&["a", ".", ":", "@sha256:"], 2) {
            assert!(matches!(Name::new(&name), Name::Plain(_)), "{name}");
            // A group makes it an expression with the same meaning.
            let grouped = format!("(?:{name})");
            let expression = Name::new(&grouped);
            for image in &images {
                let meant = expression.matches(image).unwrap();
                assert_eq!(is_plainly(&name, image), meant, "{name:?} of {image:?}");
            }
        }
    }

    /// Changes the image of a container that only the first pass finds.
    fn changed(image: &Image, value: &str) -> Result<String, Error> {
        let text = format!("kind: Mine\nmetadata:\n  name: x\ncontainers:\n- image: {value}\n");
        let mut resources = resources(&text);
        apply(
            &mut resources,
            std::slice::from_ref(image),
            &configuration::defaults().images,
        )?;
        let containers = resources.get(0).node().get("containers").unwrap();
        Ok(containers.items()[0]
            .text_at(&["image"])
            .unwrap()
            .to_owned())
    }

    fn image(name: &str, new_name: &str, new_tag: &str, digest: &str, suffix: &str) -> Image {
        Image {
            name: name.to_owned(),
            new_name: new_name.to_owned(),
            new_tag: new_tag.to_owned(),
            digest: digest.to_owned(),
            tag_suffix: suffix.to_owned(),
        }
    }

    #[test]
    fn tag_and_digest_clear_each_other() {
        for (value, changes, result) in [
            ("a:1", image("a", "", "2", "", ""), "a:2"),
            ("a:1", image("a", "b", "", "", ""), "b:1"),
            ("a:1@sha256:x", image("a", "b", "", "", ""), "b:1@sha256:x"),
            ("a:1@sha256:x", image("a", "", "2", "", ""), "a:2"),
            ("a:1", image("a", "", "", "sha256:y", ""), "a@sha256:y"),
            ("a:1", image("a", "", "2", "sha256:y", ""), "a:2@sha256:y"),
            ("a:1@sha256:x", image("a", "", "", "", "-z"), "a:1-z"),
            ("a", image("a", "", "", "", "-z"), "a:-z"),
            ("a:1", image("a", "", "2", "", "-z"), "a:2"),
            // Images with other names or digests do not match.
            ("ab:1", image("a", "", "2", "", ""), "ab:1"),
            ("x/a:1", image("a", "", "2", "", ""), "x/a:1"),
            ("a@sha512:x", image("a", "", "2", "", ""), "a@sha512:x"),
            // A name is an expression, whose alternatives are not grouped.
            ("host/a:1", image("host/.*", "", "2", "", ""), "host/a:2"),
            ("abc", image("a|b", "", "2", "", ""), "abc:2"),
            ("a{x}", image("a", "", "2", "", ""), "a{x}"),
        ] {
            assert_eq!(
                changed(&changes, value).unwrap(),
                result,
                "{value} {changes:?}"
            );
        }
    }

    #[test]
    fn invalid_expression_fails_once_there_is_an_image() {
        let broken = image("a(", "", "2", "", "");
        assert!(changed(&broken, "a").is_err());
        let mut none = resources("kind: ConfigMap\nmetadata:\n  name: x\n");
        assert!(
            apply(
                &mut none,
                std::slice::from_ref(&broken),
                &configuration::defaults().images
            )
            .is_ok()
        );
    }

    #[test]
    fn both_passes_change_containers_of_a_pod() {
        let pod = "kind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n  - image: a:1\n";
        let mut resources = resources(pod);
        let suffix = image("a", "", "", "", "-z");
        apply(
            &mut resources,
            std::slice::from_ref(&suffix),
            &configuration::defaults().images,
        )
        .unwrap();
        assert!(printed(&resources).ends_with("- image: a:1-z-z\n"));
    }

    #[test]
    fn null_list_becomes_empty_and_crds_are_skipped() {
        let changes = image("a", "", "2", "", "");
        let both = "kind: CustomResourceDefinition\nmetadata:\n  name: x\nspec:\n  containers:\n  - image: a\n\
                    ---\nkind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n";
        let mut resources = resources(both);
        apply(
            &mut resources,
            std::slice::from_ref(&changes),
            &configuration::defaults().images,
        )
        .unwrap();
        let printed = printed(&resources);
        assert!(printed.contains("  - image: a\n"), "{printed}");
        assert!(printed.ends_with("  containers: []\n"), "{printed}");
    }

    #[test]
    fn container_that_is_not_a_map_is_an_error() {
        let text = "kind: Mine\nmetadata:\n  name: x\ncontainers: [a]\n";
        let mut resources = resources(text);
        let changes = image("a", "", "2", "", "");
        let error = apply(
            &mut resources,
            std::slice::from_ref(&changes),
            &configuration::defaults().images,
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "wrong node kind: expected MappingNode but got ScalarNode: node contents:\na\n"
        );
    }
}
