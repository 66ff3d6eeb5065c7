//! Logs in with credentials that are issued on demand: the identity of a cloud.
//!
//! Public content costs no credentials, because the token service is asked without them first.
//! Credentials go to the registry's own host only, over TLS. Rejected ones are renewed once.

use http::StatusCode;
use sluice_dial::{OnDemand, Response};
use url::Url;

use super::{Client, RefusedCall, Scope, same_place};
use crate::challenge::Challenge;
use crate::error::Error;
use crate::keychain::Login;

impl Client {
    /// Repeats a call without credentials, and then with those of a source.
    pub(super) async fn log_in(
        &self,
        refused: &RefusedCall<'_>,
        on_demand: &OnDemand,
    ) -> Result<Option<Response>, Error> {
        check_host(refused)?;
        if matches!(refused.challenge, Challenge::Bearer { .. })
            && refused.call.scope == Scope::Pull
        {
            match self.authorize(refused, &Login::Anonymous).await {
                Err(error) if needs_credentials(&error) => {
                    self.access.revoke(refused.remote, refused.call.scope);
                }
                answer => return answer,
            }
        }
        let answer = self.with_credentials(refused, on_demand).await;
        match answer {
            Err(error) if error.is_unauthorized() && on_demand.source().reject() => {
                self.with_credentials(refused, on_demand).await
            }
            answer => answer,
        }
    }

    async fn with_credentials(
        &self,
        refused: &RefusedCall<'_>,
        on_demand: &OnDemand,
    ) -> Result<Option<Response>, Error> {
        let issued = on_demand.source().issue().await;
        let basic = issued.map_err(|source| Error::Login {
            issuer: on_demand.source().issuer(),
            source,
        })?;
        self.authorize(refused, &Login::Basic(basic)).await
    }
}

/// Whether a call without credentials failed because it had none.
fn needs_credentials(error: &Error) -> bool {
    matches!(
        error,
        Error::Status {
            status: StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::TOO_MANY_REQUESTS,
            ..
        }
    )
}

/// Checks that only the registry gets the credentials, and that nothing can read them on the way.
fn check_host(refused: &RefusedCall<'_>) -> Result<(), Error> {
    let refuse = |reason: &str| Error::Challenge {
        registry: refused.remote.repository.registry().to_owned(),
        reason: reason.to_owned(),
    };
    if refused.base.scheme() != "https" {
        return Err(refuse("an identity's credentials are sent over TLS only"));
    }
    if let Challenge::Bearer { realm, .. } = &refused.challenge {
        let is_own = Url::parse(realm).is_ok_and(|realm| same_place(refused.base, &realm));
        if !is_own {
            let reason = "an identity's credentials are not sent to a token service on another \
                          host";
            return Err(refuse(reason));
        }
    }
    Ok(())
}
