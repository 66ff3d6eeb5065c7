//! Classifies provider types.

use sluice_api::notification::ProviderType;

/// Whether the type sets the status of a commit.
pub const fn sets_commit_status(type_: &ProviderType) -> bool {
    matches!(
        type_,
        ProviderType::Github
            | ProviderType::Gitlab
            | ProviderType::Gitea
            | ProviderType::BitbucketServer
            | ProviderType::Bitbucket
            | ProviderType::AzureDevOps
    )
}

/// Whether the type comments on a pull request or merge request.
pub const fn comments_on_changes(type_: &ProviderType) -> bool {
    matches!(
        type_,
        ProviderType::GithubPullRequestComment
            | ProviderType::GitlabMergeRequestComment
            | ProviderType::GiteaPullRequestComment
    )
}

/// Whether the type sends the event unchanged to a webhook.
pub const fn is_generic(type_: &ProviderType) -> bool {
    matches!(type_, ProviderType::Generic | ProviderType::GenericHmac)
}

/// Whether the type can authenticate with a cloud identity, also with the one of a service account.
pub const fn has_cloud_identity(type_: &ProviderType) -> bool {
    matches!(
        type_,
        ProviderType::AzureEventHub | ProviderType::AzureDevOps | ProviderType::GooglePubSub
    )
}
