//! A namespace of one test, and the command line in it. What a test does there besides stands with
//! that test.

use sluice_client::Cluster;
use sluice_testkit::Testbed;

use crate::binary::{Ended, sluice};

pub(crate) struct Scene {
    pub(crate) bed: &'static Testbed,
    pub(crate) cluster: Cluster,
    pub(crate) namespace: String,
}

impl Scene {
    pub(crate) async fn new(prefix: &str) -> Self {
        let bed = sluice_testkit::cluster().await;
        Self {
            bed,
            cluster: bed.connect().await,
            namespace: bed.namespace(prefix).await,
        }
    }

    /// Runs a command in the namespace.
    pub(crate) fn run(&self, line: &str) -> Ended {
        let line = format!("{line} -n {}", self.namespace);
        sluice(&self.bed.kubeconfig(), &line)
    }
}
