//! The health of an object of any kind, by the rules of the controllers' health checks.

use std::fmt;

use sluice_client::{Cluster, GroupKind};
use sluice_object::status::{self, Health, Status};
use sluice_object::{Object, ObjectId};
use sluice_system::{Clock as _, SystemClock};

use crate::error::Error;

/// The health of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectHealth {
    /// The object or its kind does not exist.
    Missing,
    /// The object cannot be read.
    Unreadable,
    /// The health by the object's status.
    Known(Health),
}

impl ObjectHealth {
    /// Whether the object is reconciled and healthy.
    pub fn is_current(&self) -> bool {
        matches!(self, Self::Known(health) if health.status == Status::Current)
    }
}

impl fmt::Display for ObjectHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Unreadable => f.write_str("not readable"),
            Self::Known(health) if self.is_current() || health.message.is_empty() => {
                write!(f, "{}", health.status)
            }
            Self::Known(health) => write!(f, "{}: {}", health.status, health.message),
        }
    }
}

/// Reads an object and its health.
pub async fn read(cluster: &Cluster, id: &ObjectId) -> Result<ObjectHealth, Error> {
    let kind = GroupKind {
        group: id.group.clone(),
        kind: id.kind.clone(),
    };
    let resource = match cluster.preferred(&kind).await {
        Ok(resource) => resource,
        Err(error) if error.has_no_match() => return Ok(ObjectHealth::Missing),
        Err(error) => return Err(error.into()),
    };
    let namespace = Some(id.namespace.as_str()).filter(|namespace| !namespace.is_empty());
    match cluster.get(&resource.gvk(), namespace, &id.name).await {
        Ok(Some(value)) => Ok(
            Object::try_from(value).map_or(ObjectHealth::Unreadable, |object| {
                ObjectHealth::Known(status::compute(&object, SystemClock.now()))
            }),
        ),
        Ok(None) => Ok(ObjectHealth::Missing),
        Err(error) if error.is_forbidden() => Ok(ObjectHealth::Unreadable),
        Err(error) => Err(error.into()),
    }
}
