//! Evaluates the expressions that select the objects of a call.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use sluice_api::notification::Receiver;
use sluice_cel::{CelError, Expression, Type, Variables};

use super::call::Call;
use super::outcome::VerifiedCall;
use super::payload::{first_value, media_type};

/// Error of a filter. The response is 500.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// An expression is invalid or failed.
    #[error(transparent)]
    Expression(#[from] CelError),
    /// The body is not JSON, although its media type says so.
    #[error("failed to parse request body as JSON: {0}")]
    Body(String),
    /// The expressions cost too much for all objects of the call.
    #[error("the filters cost more than {MAX_COST} steps for the objects of a call")]
    TooExpensive,
}

/// Maximum cost of the filters of one call, about a second. The last object may exceed it.
const MAX_COST: usize = 10_000_000;

/// The filters of a Receiver for one call.
#[derive(Debug, Default)]
pub struct Filters {
    variables: Variables,
    common: Option<Expression>,
    /// Filters per entry of `spec.resources`.
    own: Vec<Option<Expression>>,
    /// Cost of all evaluations so far.
    cost: AtomicUsize,
}

impl Filters {
    /// Compiles the filters. Parses the body if there are any.
    pub fn compile(
        receiver: &Receiver,
        verified: &VerifiedCall<'_>,
        call: &Call<'_>,
    ) -> Result<Self, FilterError> {
        let spec = &receiver.spec;
        let resources = &spec.resources;
        let has_own = resources.iter().any(|resource| resource.filter.is_some());
        if spec.resource_filter.is_none() && !has_own {
            return Ok(Self {
                own: vec![None; resources.len()],
                ..Self::default()
            });
        }
        let mut variables = Variables::new();
        variables.insert("req".to_owned(), read(call, &verified.body)?);
        if let Some(claims) = &verified.claims {
            variables.insert("claims".to_owned(), Value::Object(claims.clone()));
        }
        let read = |filter: &Option<String>| {
            let filter = filter.as_ref();
            let compiled = filter.map(|filter| compile(filter, verified.claims.is_some()));
            compiled.transpose()
        };
        let own = resources.iter().map(|resource| read(&resource.filter));
        Ok(Self {
            variables,
            common: read(&spec.resource_filter)?,
            own: own.collect::<Result<_, _>>()?,
            cost: AtomicUsize::default(),
        })
    }

    /// Whether `spec.resources[index]` has no filters, so that objects need not be read.
    pub fn is_empty(&self, index: usize) -> bool {
        self.common.is_none() && self.own.get(index).is_none_or(Option::is_none)
    }

    /// Whether the call reconciles an object of `spec.resources[index]`.
    pub fn accepts(&self, index: usize, object: &Value) -> Result<bool, FilterError> {
        self.evaluate(index, object, &mut self.variables.clone())
    }

    /// The names of the objects that the call reconciles, and the error that ended the search.
    pub fn select(
        &self,
        index: usize,
        objects: &[Value],
    ) -> (Vec<String>, Result<(), FilterError>) {
        let (mut names, mut variables) = (Vec::new(), self.variables.clone());
        for object in objects {
            match self.evaluate(index, object, &mut variables) {
                Ok(true) => {
                    let name = object["metadata"]["name"].as_str();
                    names.push(name.unwrap_or_default().to_owned());
                }
                Ok(false) => {}
                Err(error) => return (names, Err(error)),
            }
        }
        (names, Ok(()))
    }

    fn evaluate(
        &self,
        index: usize,
        object: &Value,
        variables: &mut Variables,
    ) -> Result<bool, FilterError> {
        let own = self.own.get(index).and_then(Option::as_ref);
        let expressions: Vec<_> = [self.common.as_ref(), own].into_iter().flatten().collect();
        if expressions.is_empty() {
            return Ok(true);
        }
        variables.insert("res".to_owned(), object.clone());
        for expression in expressions {
            if self.cost.load(Ordering::Relaxed) > MAX_COST {
                return Err(FilterError::TooExpensive);
            }
            let (accepts, cost) = expression.evaluate_boolean_with_cost(variables);
            self.cost.fetch_add(cost, Ordering::Relaxed);
            if !accepts? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Compiles a filter. Its type must be bool.
pub(super) fn compile(filter: &str, has_claims: bool) -> Result<Expression, CelError> {
    let names = ["res", "req", "claims"];
    let names = if has_claims { &names[..] } else { &names[..2] };
    Expression::compile(filter, names, &Type::Bool)
}

/// Parses a body with a JSON media type. Other bodies count as empty.
fn read(call: &Call<'_>, body: &[u8]) -> Result<Value, FilterError> {
    let content_type = call.text("Content-Type");
    let is_json = content_type
        .split(',')
        .map_while(media_type)
        .any(|name| name == "application/json");
    if !is_json {
        return Ok(Value::Object(Variables::new()));
    }
    match first_value(body).map_err(FilterError::Body)? {
        Value::Null => Ok(Value::Object(Variables::new())),
        value @ Value::Object(_) => Ok(value),
        _ => Err(FilterError::Body("it is not an object".to_owned())),
    }
}
