//! The versions of Kubernetes that the controllers support.

/// The oldest supported version.
const MINIMUM: (u32, u32) = (1, 33);

/// Whether the controllers support a version; `None` if the text is not a version.
pub fn is_supported(version: &str) -> Option<bool> {
    parse(version).map(|found| found >= MINIMUM)
}

/// The message for an unsupported version, without its `v`.
pub fn too_old(version: &str) -> String {
    let required = required();
    format!("Kubernetes version {version} does not match {required}")
}

/// The supported versions as a constraint.
pub fn required() -> String {
    let (major, minor) = MINIMUM;
    format!(">={major}.{minor}.0-0")
}

/// Major and minor of `v1.36.3+suffix`.
fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_version_is_parsed_in_every_form() {
        assert_eq!(parse("v1.36.3"), Some((1, 36)));
        assert_eq!(parse("v1.33.0-rc.1+k3s1"), Some((1, 33)));
        assert_eq!(parse("unknown"), None);
    }
}
