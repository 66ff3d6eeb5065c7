//! Converts resources from and to text, for tests.

use std::sync::Arc;

use sluice_yaml::tree::{self, Indent};

use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::schema::Schema;

/// Parses the resources of a text.
pub(crate) fn resources(text: &str) -> ResourceMap {
    let schema = Arc::new(Schema::default());
    let mut resources = ResourceMap::new();
    for document in tree::parse_documents(text).unwrap() {
        let resource = Resource::new(document, Arc::clone(&schema));
        resources.append(resource).unwrap();
    }
    resources
}

/// Renders resources as text.
pub(crate) fn printed(resources: &ResourceMap) -> String {
    let documents = resources.iter().map(Resource::node);
    let texts = documents.map(|document| tree::to_string(document, Indent::Compact));
    texts.collect::<Vec<_>>().join("---\n")
}
