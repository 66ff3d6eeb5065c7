//! Common properties of all kinds.

use super::{Conditions, annotation};

/// A custom resource of Flux.
///
/// Code that serves every kind uses this trait instead of naming the kinds.
pub trait ToolkitResource: kube::Resource<DynamicType = ()> {
    /// Reports whether the object is suspended.
    fn suspended(&self) -> bool;

    /// Returns the conditions; empty without a status.
    fn conditions(&self) -> &Conditions;

    /// Returns the observed generation.
    fn observed_generation(&self) -> Option<i64>;

    /// Returns the last handled reconciliation request.
    fn last_handled_reconcile_at(&self) -> Option<&str>;

    /// Returns the requested reconciliation.
    fn reconcile_requested_at(&self) -> Option<&str> {
        let annotations = self.meta().annotations.as_ref()?;
        annotations
            .get(annotation::RECONCILE_REQUESTED_AT)
            .map(String::as_str)
    }
}

/// A status with conditions and an observed generation.
pub trait CommonStatus {
    /// Returns the conditions.
    fn conditions_mut(&mut self) -> &mut Conditions;
    /// Returns the observed generation.
    fn observed_generation_mut(&mut self) -> &mut Option<i64>;
}

/// A status that records the last handled reconciliation request.
pub trait HandledRequest {
    /// Records a request.
    fn set_handled_request(&mut self, request: Option<String>);
}

/// Implements [`ToolkitResource`] for a kind with the usual fields, and [`HandledRequest`] for its
/// status.
macro_rules! toolkit_resource {
    (@suspended $self:ident, spec.suspend) => { $self.spec.suspend };
    (@suspended $self:ident, is_disabled) => { $self.is_disabled() };
    (@suspended $self:ident, never) => { false };
    (@observed $self:ident, status) => {
        $self.status.as_ref().and_then(|status| status.observed_generation)
    };
    (@observed $self:ident, never) => { None };
    (@handled $self:ident, status) => {
        $self.status.as_ref().and_then(|status| status.last_handled_reconcile_at.as_deref())
    };
    (@handled $self:ident, never) => { None };
    (@request $kind:ty, status) => {
        impl $crate::meta::HandledRequest for <$kind as kube::core::object::HasStatus>::Status {
            fn set_handled_request(&mut self, request: Option<String>) {
                self.last_handled_reconcile_at = request;
            }
        }
    };
    (@request $kind:ty, never) => {};
    (@conditions $self:ident, status) => {{
        static NONE: $crate::meta::Conditions = $crate::meta::Conditions::new();
        $self.status.as_ref().map_or(&NONE, |status| &status.conditions)
    }};
    (@conditions $self:ident, never) => {{
        static NONE: $crate::meta::Conditions = $crate::meta::Conditions::new();
        &NONE
    }};
    ($kind:ty) => {
        $crate::meta::resource::toolkit_resource!(
            $kind, suspended: spec.suspend, conditions: status, observed: status, handled: status
        );

        impl $crate::meta::CommonStatus for <$kind as kube::core::object::HasStatus>::Status {
            fn conditions_mut(&mut self) -> &mut $crate::meta::Conditions {
                &mut self.conditions
            }

            fn observed_generation_mut(&mut self) -> &mut Option<i64> {
                &mut self.observed_generation
            }
        }
    };
    (
        $kind:ty, suspended: $($suspended:ident).+,
        conditions: $conditions:ident, observed: $observed:ident, handled: $handled:ident
    ) => {
        $crate::meta::resource::toolkit_resource!(@request $kind, $handled);

        impl $crate::meta::ToolkitResource for $kind {
            fn suspended(&self) -> bool {
                $crate::meta::resource::toolkit_resource!(@suspended self, $($suspended).+)
            }

            fn conditions(&self) -> &$crate::meta::Conditions {
                $crate::meta::resource::toolkit_resource!(@conditions self, $conditions)
            }

            fn observed_generation(&self) -> Option<i64> {
                $crate::meta::resource::toolkit_resource!(@observed self, $observed)
            }

            fn last_handled_reconcile_at(&self) -> Option<&str> {
                $crate::meta::resource::toolkit_resource!(@handled self, $handled)
            }
        }
    };
}

pub(crate) use toolkit_resource;
