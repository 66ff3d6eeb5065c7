//! The objects of an installation: generated, or built from a directory of the user.

use std::path::Path;
use std::sync::Arc;

use sluice_golang::error::chain;
use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::remote::Fetcher;
use sluice_manifests::Options;
use sluice_object::{Object, documents};

use crate::error::Error;

/// The objects of an installation.
#[derive(Clone, Debug)]
pub struct Package {
    /// The committed or printed text.
    pub text: String,
    /// The applied objects.
    pub objects: Vec<Object>,
    /// The names of the controllers' Deployments.
    pub deployments: Vec<String>,
    /// The version in labels.
    pub version: String,
}

impl Package {
    /// Generates the objects, or builds the directory if there is one.
    pub fn build(
        options: &Options,
        directory: Option<&Path>,
        fetcher: impl FnOnce() -> Arc<dyn Fetcher>,
    ) -> Result<Self, Error> {
        let generated =
            sluice_manifests::generate(options).map_err(|error| Error::user(chain(&error)))?;
        let version = generated.version().to_owned();
        let (text, objects) = match directory {
            None => (generated.to_yaml(), generated.objects),
            Some(directory) => {
                let text = overlay(directory, fetcher())?;
                let values = sluice_yaml::v2::documents(&text)
                    .map_err(|error| Error::internal(format!("read what was built: {error}")))?;
                (generated.header() + &text, documents::expand(values))
            }
        };
        let deployments = objects
            .iter()
            .filter(|object| object.is("apps", "Deployment"))
            .map(|object| object.name().to_owned())
            .collect();
        Ok(Self {
            text,
            objects,
            deployments,
            version,
        })
    }
}

fn overlay(directory: &Path, fetcher: Arc<dyn Fetcher>) -> Result<String, Error> {
    let options = sluice_kustomize::Options {
        fetcher: Some(fetcher),
        ..sluice_kustomize::Options::flux()
    };
    let directory = std::path::absolute(directory).map_err(|error| Error::user(chain(&error)))?;
    let built = sluice_kustomize::build(&DiskFs, &directory, &options)
        .map_err(|error| Error::user(format!("install failed: {error}")))?;
    Ok(built.to_yaml())
}
