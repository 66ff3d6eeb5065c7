//! `images`: names, tags and digests of images.
//!
//! The first pass looks at each list called `containers` or `initContainers`, at
//! any depth of any resource; the second follows the table. Both look at most
//! images twice, so that a `tagSuffix` comes out doubled there, as it does
//! upstream. Definitions of types are left alone.
//!
//! The name of an image is a regular expression, anchored at both ends but not
//! grouped: of `a|b` the first branch is open at its end and the second at its
//! start. One that is invalid panics upstream as soon as there is an image to
//! compare; here it is an error then. Most names mean themselves, and their expressions are not
//! compiled, which takes longer than all else that is done with a few images.
//!
//! Parity: kustomize: `api/filters/imagetag`, `api/internal/image`.

use regex::Regex;
use sluice_yaml::tree::{Content, Node, Tag, Text};

use crate::error::Error;
use crate::facts::FieldSpec;
use crate::growth::Growth;
use crate::kustomization::fields::Image;
use crate::pattern;
use crate::resmap::ResMap;
use crate::transform::fault::{Fault, Kind, expect_kind};
use crate::transform::fieldspec::{Field, set_scalar};

/// Changes images wherever they are used, one after the other.
pub(crate) fn apply(
    resources: &mut ResMap,
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

/// Is there anything for the first pass to do? Asked first because a document
/// that is shared is copied when it is edited.
fn has_containers(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(entries) => entries
            .iter()
            .any(|(key, value)| (is_containers(key) && value.is_seq()) || has_containers(value)),
        Content::Sequence(items) => items.iter().any(has_containers),
        Content::Scalar(_) | Content::Alias(_) => false,
    }
}

fn in_containers(node: &mut Node, change: &Change<'_>) -> Result<(), Fault> {
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

fn of_elements(list: &mut Node, change: &Change<'_>) -> Result<(), Fault> {
    let Some(containers) = list.items_mut() else {
        return Ok(());
    };
    for container in containers {
        expect_kind(container, Kind::Mapping)?;
        if let Some(image) = container.get_mut("image") {
            change.make(image)?;
        }
    }
    Ok(())
}

/// A change to an image, ready to be made.
struct Change<'a> {
    image: &'a Image,
    name: Name<'a>,
    growth: &'a Growth,
}

/// Whose images are changed.
enum Name<'a> {
    /// Of an expression without any but plain characters and points.
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

/// What the expression of a plain name says of an image.
fn is_plainly(name: &str, image: &str) -> bool {
    let mut rest = image.chars();
    let begins = name.chars().all(|wanted| {
        let found = rest.next();
        // A point stands for any character of a line.
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
    fn new(image: &'a Image, growth: &'a Growth) -> Self {
        Self {
            image,
            name: Name::new(&image.name),
            growth,
        }
    }

    fn make(&self, node: &mut Node) -> Result<(), Fault> {
        expect_kind(node, Kind::Scalar)?;
        let value = node.as_str().unwrap_or_default();
        let is_meant = self.name.matches(value).map_err(|error| {
            let name = &self.image.name;
            Fault::new(format!(
                "images name {name:?} is no regular expression: {error}"
            ))
        })?;
        if !is_meant {
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
            // Either one alone clears the other.
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

/// Name, tag and digest of an image; what is not there is empty.
fn split(image: &str) -> (&str, &str, &str) {
    // The port of a registry is no tag. A slash in front belongs to no registry.
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
    use crate::error::Error;
    use crate::kustomization::fields::Image;
    use crate::transform::tables;
    use crate::transform::testing::{printed, resources};

    #[test]
    fn an_image_is_a_name_a_tag_and_a_digest() {
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

    /// All texts of up to so many pieces.
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
    fn a_plain_name_means_what_its_expression_means() {
        let images = texts(&["a", "b", ".", ":", "@sha256:", "@", "\n", "{", "é"], 4);
        for name in texts(&["a", ".", ":", "@sha256:"], 2) {
            assert!(matches!(Name::new(&name), Name::Plain(_)), "{name}");
            // Grouped, it is an expression of the same meaning.
            let grouped = format!("(?:{name})");
            let expression = Name::new(&grouped);
            for image in &images {
                let meant = expression.matches(image).unwrap();
                assert_eq!(is_plainly(&name, image), meant, "{name:?} of {image:?}");
            }
        }
    }

    /// The image of a container that only the first pass finds.
    fn changed(image: &Image, value: &str) -> Result<String, Error> {
        let text = format!("kind: Mine\nmetadata:\n  name: x\ncontainers:\n- image: {value}\n");
        let mut resources = resources(&text);
        apply(
            &mut resources,
            std::slice::from_ref(image),
            &tables::defaults().images,
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
    fn what_is_given_is_changed_and_tag_and_digest_clear_each_other() {
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
            // Other names, other digests.
            ("ab:1", image("a", "", "2", "", ""), "ab:1"),
            ("x/a:1", image("a", "", "2", "", ""), "x/a:1"),
            ("a@sha512:x", image("a", "", "2", "", ""), "a@sha512:x"),
            // A name is an expression, whose branches are not grouped.
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
    fn an_invalid_expression_is_an_error_once_there_is_an_image() {
        let broken = image("a(", "", "2", "", "");
        assert!(changed(&broken, "a").is_err());
        let mut none = resources("kind: ConfigMap\nmetadata:\n  name: x\n");
        assert!(
            apply(
                &mut none,
                std::slice::from_ref(&broken),
                &tables::defaults().images
            )
            .is_ok()
        );
    }

    #[test]
    fn both_passes_see_the_containers_of_a_pod() {
        let pod = "kind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n  - image: a:1\n";
        let mut resources = resources(pod);
        let suffix = image("a", "", "", "", "-z");
        apply(
            &mut resources,
            std::slice::from_ref(&suffix),
            &tables::defaults().images,
        )
        .unwrap();
        assert!(printed(&resources).ends_with("- image: a:1-z-z\n"));
    }

    #[test]
    fn a_null_list_becomes_an_empty_one_and_definitions_stay() {
        let changes = image("a", "", "2", "", "");
        let both = "kind: CustomResourceDefinition\nmetadata:\n  name: x\nspec:\n  containers:\n  - image: a\n\
                    ---\nkind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n";
        let mut resources = resources(both);
        apply(
            &mut resources,
            std::slice::from_ref(&changes),
            &tables::defaults().images,
        )
        .unwrap();
        let printed = printed(&resources);
        assert!(printed.contains("  - image: a\n"), "{printed}");
        assert!(printed.ends_with("  containers: []\n"), "{printed}");
    }

    #[test]
    fn a_container_that_is_no_map_is_an_error() {
        let text = "kind: Mine\nmetadata:\n  name: x\ncontainers: [a]\n";
        let mut resources = resources(text);
        let changes = image("a", "", "2", "", "");
        let error = apply(
            &mut resources,
            std::slice::from_ref(&changes),
            &tables::defaults().images,
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "wrong node kind: expected MappingNode but got ScalarNode: node contents:\na\n"
        );
    }
}
