//! Go's dialects, exactly: semver, RE2 regexps, durations, number and quote forms.
