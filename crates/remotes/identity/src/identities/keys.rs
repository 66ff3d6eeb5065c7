//! Clients of key services, with the settings of the identities.

use std::sync::Arc;

use sluice_dial::Dial;

use super::Identities;
use crate::key_services::KeyServices;

impl Identities {
    /// Returns the clients of key services.
    pub fn key_services(&self) -> KeyServices {
        KeyServices {
            clients: Arc::clone(&self.clients),
            clock: Arc::clone(&self.clock),
            environment: self.environment.clone(),
            listed_hosts: self.listed_hosts.clone(),
            dial: Dial::default(),
        }
    }
}
