//! How an object of the cluster fares, whatever its kind, by the rules that controllers wait by.

use std::fmt;

use sluice_client::GroupKind;
use sluice_object::status::{self, Health, Status};
use sluice_object::{Object, ObjectId};
use sluice_system::{Clock as _, SystemClock};

use crate::cluster::{Context, refusal};
use crate::error::CommandError;

/// How it fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fares {
    /// It is not there, or its kind is not.
    Missing,
    /// It may not be read.
    Hidden,
    So(Health),
}

impl Fares {
    pub(super) fn is_well(&self) -> bool {
        matches!(self, Self::So(health) if health.status == Status::Current)
    }
}

impl fmt::Display for Fares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Hidden => f.write_str("not readable"),
            Self::So(health) if self.is_well() || health.message.is_empty() => {
                write!(f, "{}", health.status)
            }
            Self::So(health) => write!(f, "{}: {}", health.status, health.message),
        }
    }
}

/// Reads an object and judges it.
pub(super) async fn of(context: &Context, id: &ObjectId) -> Result<Fares, CommandError> {
    let cluster = context.cluster()?;
    let kind = GroupKind {
        group: id.group.clone(),
        kind: id.kind.clone(),
    };
    let resource = match cluster.preferred(&kind).await {
        Ok(resource) => resource,
        Err(error) if error.is_no_match() => return Ok(Fares::Missing),
        Err(error) => return Err(refusal(&error)),
    };
    let namespace = Some(id.namespace.as_str()).filter(|namespace| !namespace.is_empty());
    match cluster.get(&resource.gvk(), namespace, &id.name).await {
        Ok(Some(value)) => Ok(Object::try_from(value).map_or(Fares::Hidden, |object| {
            Fares::So(status::compute(&object, SystemClock.now()))
        })),
        Ok(None) => Ok(Fares::Missing),
        Err(error) if error.is_forbidden() => Ok(Fares::Hidden),
        Err(error) => Err(refusal(&error)),
    }
}
