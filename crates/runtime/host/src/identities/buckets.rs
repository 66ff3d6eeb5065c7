//! Credentials for object stores.

use sluice_dial::{Basic, Dial, Sensitive};
use sluice_identity::AwsLocation;
use sluice_identity::aws::AwsCredentials;
use sluice_identity::azure::{BLOBS, ServicePrincipal};
use sluice_identity::gcp::READ_BUCKETS;
use url::Url;

use super::{CloudError, CloudIdentities, IdentityUser, issuer_dial};

impl CloudIdentities {
    /// Returns keys of AWS for the identity of an object.
    pub async fn aws_keys(
        &self,
        user: IdentityUser<'_>,
        location: AwsLocation<'_>,
        dial: &Dial,
    ) -> Result<AwsCredentials, CloudError> {
        let owner = self.owner(user, None).await?;
        let dial = issuer_dial(dial);
        let found = self.identities().aws(owner.level(), location, &dial).await;
        self.counted(user, found)
    }

    /// Returns a token of Google Cloud for the identity of an object.
    pub async fn google_token(
        &self,
        user: IdentityUser<'_>,
        dial: &Dial,
    ) -> Result<Sensitive<String>, CloudError> {
        let owner = self.owner(user, None).await?;
        let dial = issuer_dial(dial);
        let found = self.identities().gcp(owner.level(), &dial).await;
        self.counted(user, found)
    }

    /// Returns a token for the blobs of Azure for the identity of an object.
    pub async fn blob_token(
        &self,
        user: IdentityUser<'_>,
        endpoint: &Url,
        dial: &Dial,
    ) -> Result<Sensitive<String>, CloudError> {
        let owner = self.owner(user, None).await?;
        let dial = issuer_dial(dial);
        let found = self
            .identities()
            .blobs(owner.level(), endpoint, &dial)
            .await;
        self.counted(user, found)
    }

    /// Returns keys of an object store for a user of LDAP. `dial` reaches the token service, which
    /// has certificates of its own.
    pub async fn ldap_keys(
        &self,
        user: IdentityUser<'_>,
        endpoint: &Url,
        login: &Basic,
        dial: &Dial,
    ) -> Result<AwsCredentials, CloudError> {
        let found = self.identities().ldap(endpoint, login, dial).await;
        self.counted(user, found)
    }

    /// Returns a token of Google Cloud for a key in a Secret.
    pub async fn google_key(
        &self,
        user: IdentityUser<'_>,
        key: &str,
        dial: &Dial,
    ) -> Result<Sensitive<String>, CloudError> {
        let dial = issuer_dial(dial);
        let found = self.identities().google_key(key, READ_BUCKETS, &dial).await;
        self.counted(user, found)
    }

    /// Returns a token for the blobs of Azure for a service principal in a Secret.
    pub async fn blob_principal(
        &self,
        user: IdentityUser<'_>,
        principal: &ServicePrincipal<'_>,
        dial: &Dial,
    ) -> Result<Sensitive<String>, CloudError> {
        let dial = issuer_dial(dial);
        let found = self.identities().service_principal(principal, BLOBS, &dial);
        self.counted(user, found.await)
    }

    /// Returns a token for the blobs of Azure for a managed identity of the node. It is not the
    /// tenant's, so there is none where the operator has a default account.
    pub async fn blob_managed(
        &self,
        user: IdentityUser<'_>,
        client: &str,
        endpoint: &Url,
    ) -> Result<Sensitive<String>, CloudError> {
        if self.accounts.has_default() {
            return Err(CloudError::NodeIdentity);
        }
        tracing::warn!(
            object = %user.key,
            "the Secret names a managed identity of the node, which all tenants can use"
        );
        let found = self.identities().managed_blobs(client, endpoint).await;
        self.counted(user, found)
    }
}
