//! Resources for tests, from text and back to it.

use std::sync::Arc;

use sluice_yaml::tree::{self, Indent};

use crate::facts::Schema;
use crate::resmap::ResMap;
use crate::resource::Resource;

/// The resources of a text.
pub(crate) fn resources(text: &str) -> ResMap {
    let schema = Arc::new(Schema::default());
    let mut resources = ResMap::new();
    for document in tree::parse_documents(text).unwrap() {
        let resource = Resource::new(document, Arc::clone(&schema));
        resources.append(resource).unwrap();
    }
    resources
}

/// The text of resources.
pub(crate) fn printed(resources: &ResMap) -> String {
    let documents = resources.iter().map(Resource::node);
    let texts = documents.map(|document| tree::to_string(document, Indent::Compact));
    texts.collect::<Vec<_>>().join("---\n")
}
