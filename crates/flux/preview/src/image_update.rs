//! The edit that an `ImageUpdateAutomation` would commit, from a working copy.
//!
//! The automation, its policies and their repositories come from files. Only registries are asked:
//! for the tags of policies that a marker names. Git is not used, and nothing is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use futures::{StreamExt as _, TryStreamExt as _};
use serde::de::DeserializeOwned;
use sluice_api::image::{
    DigestReflectionPolicy, ImagePolicy, ImageRef, ImageRepository, ImageUpdateAutomation,
};
use sluice_api::source::RegistryProvider;
use sluice_golang::error::chain;
use sluice_images::budget::Budget;
use sluice_images::digest::{self, DigestStep, image_text};
use sluice_images::dry_run::{Automation, DryRun, dry_run};
use sluice_images::edit::FindingKind;
use sluice_images::image::ImageName;
use sluice_images::policy::{Selector, explain};
use sluice_images::scan::{Exclusions, ScannedTags, exclusions};
use sluice_images::selector::policy_selector;
use sluice_images::setter::Setters;
use sluice_images::update::{FileProblem, update_directory};
use sluice_object::Object;
use sluice_oci::{Client, ErrorKind, Remote, Repository, Version};

use crate::charts::registry::{client, wait};
use crate::release::objects::Objects;
use crate::{Error, Host};

/// Kind of the automation.
pub const KIND: &str = "ImageUpdateAutomation";
const POLICY: &str = "ImagePolicy";
const REPOSITORY: &str = "ImageRepository";
/// Registries that are asked at once.
const CONCURRENT_REQUESTS: usize = 8;

/// Finds the credentials of this machine for a repository: its provider, and whether it is
/// insecure.
pub type OpenRepository<'a> = &'a dyn Fn(Repository, Option<&str>, bool) -> Result<Remote, Error>;

/// The selection of a policy.
struct Selection {
    /// The policy as `NAMESPACE/NAME`.
    key: String,
    /// Its image, or why it selects none.
    image: Result<ImageRef, String>,
    /// Advice to its author.
    hints: Vec<String>,
}

/// A tag of a registry, or why a policy selects none, with advice to its author.
struct LatestTag {
    tag: Result<String, String>,
    hints: Vec<String>,
}

impl LatestTag {
    fn none(why: &impl ToString) -> Self {
        Self {
            tag: Err(why.to_string()),
            hints: Vec::new(),
        }
    }
}

/// Inputs of an update.
pub struct ImageUpdateRequest<'a> {
    /// Namespace of the automation.
    pub namespace: String,
    /// Name of the automation.
    pub name: &'a str,
    /// Objects of files.
    pub objects: Objects<'a>,
    /// Root of the working copy.
    pub root: &'a Path,
    /// Tags that are used without a registry, by `NAMESPACE/POLICY`.
    pub tags: BTreeMap<String, String>,
    /// Finds credentials.
    pub open: OpenRepository<'a>,
}

/// An update that is not committed.
#[derive(Debug)]
pub struct ImageUpdate {
    /// The diff, the message and the new files.
    pub run: DryRun,
    /// The images of the policies, by `NAMESPACE/POLICY`.
    pub images: BTreeMap<String, String>,
    /// Policies that select no tag, with the reason. The controller leaves them out, too.
    pub unselected: BTreeMap<String, String>,
    /// Advice to the authors of policies, by `NAMESPACE/POLICY`.
    pub hints: BTreeMap<String, Vec<String>>,
}

/// A policy that a marker names.
struct MarkedPolicy {
    key: String,
    policy: ImagePolicy,
    repository: ImageRepository,
    image: ImageName,
}

impl ImageUpdateRequest<'_> {
    /// Makes the update.
    pub fn run(&self, host: &impl Host) -> Result<ImageUpdate, Error> {
        let automation: ImageUpdateAutomation = self.only(KIND, &self.namespace, self.name)?;
        let mut policies = self.policies(&automation)?;
        let update = automation.spec.update.clone().unwrap_or_default();
        let path = update.path.unwrap_or_default();
        let marked = self.marked(&policies, &path)?;
        let mut images = BTreeMap::new();
        let mut unselected = BTreeMap::new();
        let mut hints = BTreeMap::new();
        for selection in self.select(marked, host)? {
            let key = selection.key;
            if !selection.hints.is_empty() {
                hints.insert(key.clone(), selection.hints);
            }
            match selection.image {
                Ok(image) => {
                    images.insert(key.clone(), image_text(&image));
                    let policy = policies.get_mut(&key);
                    if let Some(policy) = policy {
                        policy.status.get_or_insert_default().latest_ref = Some(image);
                    }
                }
                Err(why) => {
                    unselected.insert(key, why);
                }
            }
        }
        let setters =
            Setters::of(policies.values()).map_err(|error| Error::user(error.to_string()))?;
        let commit = automation.spec.git.map(|git| git.commit);
        let commit = commit.unwrap_or_default();
        let settings = Automation {
            namespace: &self.namespace,
            name: self.name,
            path: &path,
            template: commit.message_template.as_deref().unwrap_or_default(),
            values: &commit.message_template_values,
        };
        let run = dry_run(self.root, &setters, &settings);
        Ok(ImageUpdate {
            run: run.map_err(|error| Error::user(chain(&error)))?,
            images,
            unselected,
            hints,
        })
    }

    /// Returns the selected policies by `NAMESPACE/NAME`, without images.
    fn policies(
        &self,
        automation: &ImageUpdateAutomation,
    ) -> Result<BTreeMap<String, ImagePolicy>, Error> {
        let selector = policy_selector(automation.spec.policy_selector.as_ref());
        let selector = selector
            .map_err(|why| Error::user(format!("failed to parse policy selector: {why}")))?;
        let own = self.objects.all(POLICY);
        let own = own.filter(|object| is_in(object, &self.namespace));
        let names: BTreeSet<&str> = own.map(Object::name).collect();
        let mut policies = BTreeMap::new();
        for name in names {
            let mut policy: ImagePolicy = self.only(POLICY, &self.namespace, name)?;
            let labels = policy.metadata.labels.clone().unwrap_or_default();
            if selector.matches(|label| labels.get(label).map(String::as_str)) {
                policy.metadata.namespace = Some(self.namespace.clone());
                policy.status = None;
                policies.insert(format!("{}/{name}", self.namespace), policy);
            }
        }
        Ok(policies)
    }

    /// Returns the policies that markers below the path name.
    fn marked(
        &self,
        policies: &BTreeMap<String, ImagePolicy>,
        path: &str,
    ) -> Result<Vec<MarkedPolicy>, Error> {
        let setters =
            Setters::of(policies.values()).map_err(|error| Error::user(error.to_string()))?;
        let update = update_directory(self.root, path, &setters)
            .map_err(|error| Error::user(chain(&error)))?;
        // No policy has an image yet, so each marker of a known one has this finding.
        let names = update.findings.iter().filter_map(|finding| {
            let FileProblem::Marker {
                kind: FindingKind::NoImage(marker),
                ..
            } = &finding.problem
            else {
                return None;
            };
            Some(format!("{}/{}", marker.namespace, marker.policy))
        });
        let names: BTreeSet<String> = names.collect();
        let marked = names.into_iter().filter_map(|key| {
            let policy = policies.get(&key)?.clone();
            Some(self.repository_of(key, policy))
        });
        marked.collect()
    }

    /// Adds the repository of a policy.
    fn repository_of(&self, key: String, policy: ImagePolicy) -> Result<MarkedPolicy, Error> {
        let reference = &policy.spec.image_repository_ref;
        let namespace = reference.namespace.as_deref().unwrap_or(&self.namespace);
        let repository: ImageRepository = self.only(REPOSITORY, namespace, &reference.name)?;
        if namespace != self.namespace && repository.spec.access_from.is_none() {
            return Err(Error::user(format!(
                "{POLICY} '{key}' must not use {REPOSITORY} '{namespace}/{}'",
                reference.name
            ))
            .hint("set spec.accessFrom of the ImageRepository"));
        }
        let image = ImageName::parse(&repository.spec.image)
            .map_err(|error| Error::user(format!("{POLICY} '{key}': {error}")))?;
        Ok(MarkedPolicy {
            key,
            policy,
            repository,
            image,
        })
    }

    /// Selects the images of policies.
    fn select(&self, marked: Vec<MarkedPolicy>, host: &impl Host) -> Result<Vec<Selection>, Error> {
        let client = client();
        let mut selections = Vec::new();
        let mut requests = Vec::new();
        for policy in marked {
            match self.tags.get(&policy.key) {
                Some(tag) if policy.is_complete(tag) => {
                    selections.push(Selection {
                        key: policy.key.clone(),
                        image: Ok(policy.image_with_tag(tag)),
                        hints: Vec::new(),
                    });
                }
                tag => {
                    let spec = &policy.repository.spec;
                    let provider = spec.provider.as_ref().map(RegistryProvider::as_str);
                    let repository = policy.image.repository().clone();
                    let remote = (self.open)(repository, provider, spec.insecure)?;
                    requests.push((policy, tag.cloned(), remote));
                }
            }
        }
        if requests.is_empty() {
            return Ok(selections);
        }
        let asked = wait(host, async {
            let asking = requests
                .iter()
                .map(|(policy, tag, remote)| policy.ask(&client, remote, tag.as_deref()));
            let asked = futures::stream::iter(asking).buffered(CONCURRENT_REQUESTS);
            asked.try_collect::<Vec<_>>().await
        })?;
        selections.extend(asked);
        Ok(selections)
    }

    /// Returns an object of files. Several different ones are an error.
    fn only<T: DeserializeOwned>(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Result<T, Error> {
        let all = self.objects.all(kind);
        let mut same = all.filter(|object| object.name() == name && is_in(object, namespace));
        if let Some(first) = same.next()
            && same.any(|other| other != first)
        {
            return Err(Error::user(format!(
                "files have different {kind} objects '{name}' in \"{namespace}\" namespace"
            ))
            .hint("set --automation-file to the directory of one cluster"));
        }
        self.objects.required(kind, namespace, name)
    }
}

/// Reports whether an object is in a namespace. One without a namespace is in each.
fn is_in(object: &Object, namespace: &str) -> bool {
    [namespace, ""].contains(&object.namespace())
}

impl MarkedPolicy {
    /// Reports whether a given tag needs no registry.
    fn is_complete(&self, tag: &str) -> bool {
        let reflection = self.policy.spec.digest_reflection_policy.as_ref();
        let is_reflected = reflection.is_some_and(|it| *it != DigestReflectionPolicy::Never);
        !is_reflected || tag.contains('@')
    }

    /// Returns the image with a given tag, `TAG` or `TAG@DIGEST`.
    fn image_with_tag(&self, tag: &str) -> ImageRef {
        let (tag, digest) = match tag.split_once('@') {
            Some((tag, digest)) => (tag, Some(digest.to_owned())),
            None => (tag, None),
        };
        ImageRef {
            digest,
            name: self.repository.spec.image.clone(),
            tag: tag.to_owned(),
        }
    }

    /// Asks the registry for the image: its tags unless one is given, and the digest.
    async fn ask(
        &self,
        client: &Client,
        remote: &Remote,
        given: Option<&str>,
    ) -> Result<Selection, Error> {
        let latest = match given {
            Some(tag) => LatestTag {
                tag: Ok(tag.to_owned()),
                hints: Vec::new(),
            },
            None => self.latest(client, remote).await?,
        };
        let selection = |image| Selection {
            key: self.key.clone(),
            image,
            hints: latest.hints,
        };
        let tag = match latest.tag {
            Ok(tag) => tag,
            Err(why) => return Ok(selection(Err(why))),
        };
        let spec = &self.policy.spec;
        let image = &self.repository.spec.image;
        let step = digest::plan(spec.digest_reflection_policy.as_ref(), None, image, &tag);
        let selected = match step {
            DigestStep::Use(selected) => selected,
            DigestStep::Fetch(selected) => {
                let version = Version::Tag(selected.tag.clone());
                let digest = client.resolve(remote, &version).await;
                let digest =
                    digest.map_err(|error| self.refused("get the digest", remote, &error))?;
                ImageRef {
                    digest: Some(digest.to_string()),
                    ..selected
                }
            }
        };
        Ok(selection(Ok(selected)))
    }

    /// Returns the latest tag of the registry by the policy, or why there is none.
    async fn latest(&self, client: &Client, remote: &Remote) -> Result<LatestTag, Error> {
        let selector = Selector::parse(
            &self.policy.spec.policy,
            self.policy.spec.filter_tags.as_ref(),
        );
        let selector = match selector {
            Ok(selector) => selector,
            Err(error) => return Ok(LatestTag::none(&error)),
        };
        let exclusions = Exclusions::compile(&exclusions(&self.repository.spec));
        let exclusions = match exclusions {
            Ok(exclusions) => exclusions,
            Err(error) => return Ok(LatestTag::none(&error)),
        };
        let listed = client.tags(remote).await;
        let listed = listed.map_err(|error| self.refused("list the tags", remote, &error))?;
        let budget = Budget::begin();
        let scanned = match ScannedTags::of(listed, &exclusions, budget) {
            Ok(scanned) => scanned,
            Err(error) => return Ok(LatestTag::none(&error)),
        };
        let tags = scanned.tags.iter().map(|tag| budget.check().map(|()| tag));
        Ok(match explain(&selector, tags) {
            Ok(explanation) => LatestTag {
                tag: explanation.outcome.map_err(|error| error.to_string()),
                hints: explanation.hints.iter().map(ToString::to_string).collect(),
            },
            Err(error) => LatestTag::none(&error),
        })
    }

    /// Returns the error of a registry, with a hint.
    fn refused(&self, action: &str, remote: &Remote, error: &sluice_oci::Error) -> Error {
        let image = &self.image;
        let message = format!("failed to {action} of image '{image}': {}", chain(error));
        let refused = Error::cluster(message);
        let is_open = remote.plain && !remote.repository.is_local();
        match error.kind() {
            ErrorKind::Denied if is_open => refused.hint(
                "credentials are not sent to an insecure registry: set --tags to preview a tag",
            ),
            ErrorKind::Denied => refused.hint("run docker login"),
            _ => refused.hint("set --tags to preview a tag without its registry"),
        }
    }
}
