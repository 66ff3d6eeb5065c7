//! Flag values as pflag reads them, so that an invocation written for `flux` means the same.
//!
//! Booleans take an optional `=value` in Go's spellings, string slices are CSV records, durations
//! are Go's. Each type is a clap value parser; [`crate::cli`] words the errors.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, Resettable, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command};
use sluice_golang::duration;
use sluice_golang::quote::quote;

/// The heading of flags that Flux does not have.
pub const OURS: &str = "Flags that Flux does not have";

/// Adds the flags of `A` to a command. clap would replace the description, so it is restored.
pub fn add<A: clap::Args>(command: Command) -> Command {
    let about = command.get_about().cloned();
    let long_about = command.get_long_about().cloned();
    A::augment_args(command)
        .about(Resettable::from(about))
        .long_about(Resettable::from(long_about))
}

/// Creates a boolean flag as in pflag: `--x` or `--x=false`, never `--x false`.
pub fn switch(name: &'static str) -> Arg {
    Arg::new(name).long(name).switch(false)
}

/// Turns an argument into a boolean flag, also a derived one: `#[arg(long, switch = false)]`.
pub trait BooleanFlag {
    /// Makes this a pflag boolean with a default.
    #[must_use]
    fn switch(self, default: bool) -> Self;
}

impl BooleanFlag for Arg {
    fn switch(self, default: bool) -> Self {
        self.action(ArgAction::Set)
            .value_parser(boolean)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .default_value(if default { "true" } else { "false" })
            .value_name("BOOL")
    }
}

/// Parses the spellings that Go's `strconv.ParseBool` takes.
pub fn boolean(text: &str) -> Result<bool, String> {
    sluice_golang::boolean::parse(text).map_err(|error| error.to_string())
}

/// Parser for a closed list of values. Other values are rejected before the command runs, in Flux's
/// words for this flag.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    values: &'static [&'static str],
    /// Returns Flux's refusal, such as `… 'value' is not supported`. The supported values follow
    /// it.
    refusal: fn(&str) -> String,
    /// Flux's refusal of an empty value, if it has one.
    absence: Option<&'static str>,
    /// Separates the values in messages.
    separator: &'static str,
}

impl Choice {
    /// Creates a parser for these values, with Flux's refusal of others.
    pub const fn new(values: &'static [&'static str], refusal: fn(&str) -> String) -> Self {
        Self {
            values,
            refusal,
            absence: None,
            separator: ", ",
        }
    }

    /// Sets Flux's refusal of an empty value.
    #[must_use]
    pub const fn or_absent(self, absence: &'static str) -> Self {
        Self {
            absence: Some(absence),
            ..self
        }
    }

    /// Sets the separator of the values in messages.
    #[must_use]
    pub const fn separated_by(self, separator: &'static str) -> Self {
        Self { separator, ..self }
    }
}

impl TypedValueParser for Choice {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let Self {
            values,
            refusal,
            absence,
            separator,
        } = *self;
        let check = move |text: String| {
            if values.contains(&text.as_str()) {
                return Ok(text);
            }
            match absence {
                Some(absence) if text.trim().is_empty() => Err(absence.to_owned()),
                _ => Err(format!(
                    "{}, must be one of: {}",
                    refusal(&text),
                    values.join(separator)
                )),
            }
        };
        StringValueParser::new()
            .try_map(check)
            .parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().map(PossibleValue::new)))
    }
}

/// Parser that offers values to help and completion but accepts any text. The command checks it
/// later, where Flux's order or wording of errors requires it.
#[derive(Clone, Copy, Debug)]
pub struct Offer(pub &'static [&'static str]);

impl TypedValueParser for Offer {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// Log levels of the controllers.
pub const LOG_LEVELS: Choice = Choice::new(&["debug", "info", "error"], |value| {
    format!("unsupported log level '{value}'")
})
.or_absent("no log level given, must be one of: debug, info, error");

/// Parses a path, which may be empty.
pub fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    clap::builder::OsStringValueParser::new().map(PathBuf::from)
}

/// Parses an integer, with the errors of Go's `strconv`.
pub fn integer(text: &str) -> Result<i64, String> {
    sluice_golang::number::parse_int(text, 10).ok_or_else(|| {
        let digits = text.trim_start_matches(['+', '-']);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let fault = if is_number {
            "value out of range"
        } else {
            "invalid syntax"
        };
        format!("strconv.ParseInt: parsing {}: {fault}", quote(text))
    })
}

/// Parses a 32-bit integer, with the errors of Go's `strconv`.
pub fn small_integer(text: &str) -> Result<i32, String> {
    i32::try_from(integer(text)?).map_err(|_| {
        format!(
            "strconv.ParseInt: parsing {}: value out of range",
            quote(text)
        )
    })
}

/// Parses a float, with the errors of Go's `strconv`.
pub fn fraction(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| {
        format!(
            "strconv.ParseFloat: parsing {}: invalid syntax",
            quote(text)
        )
    })
}

/// Parses one use of a string slice flag as a CSV record: `a,"b,c"` has two values.
pub fn csv(text: &str) -> Result<Vec<String>, String> {
    let wrong = |column: usize, fault: &str| {
        Err(format!("parse error on line 1, column {column}: {fault}"))
    };
    let mut values = Vec::new();
    let mut rest = text;
    let column = |rest: &str| text.len() - rest.len() + 1;
    while !text.is_empty() {
        let (value, behind) = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                if let Some(at) = rest[..end].find('"') {
                    return wrong(column(rest) + at, "bare \" in non-quoted-field");
                }
                (rest[..end].to_owned(), &rest[end..])
            }
            Some(mut quoted) => {
                let mut value = String::new();
                loop {
                    let Some(end) = quoted.find('"') else {
                        return wrong(text.len() + 1, UNQUOTED);
                    };
                    value.push_str(&quoted[..end]);
                    let behind = &quoted[end + 1..];
                    match behind.strip_prefix('"') {
                        Some(more) => {
                            value.push('"');
                            quoted = more;
                        }
                        None if behind.is_empty() || behind.starts_with(',') => {
                            break (value, behind);
                        }
                        None => return wrong(column(&quoted[end..]), UNQUOTED),
                    }
                }
            }
        };
        values.push(value);
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None => break,
        }
    }
    Ok(values)
}

const UNQUOTED: &str = "extraneous or missing \" in quoted-field";

/// Parses a non-negative Go duration: `1h30m`, `300ms` or `0`, but not `-1m` or `5`.
pub fn length_of_time(text: &str) -> Result<Duration, String> {
    let parsed = duration::parse(text).map_err(|error| error.to_string())?;
    parsed
        .to_std()
        .ok_or_else(|| format!("a duration cannot be negative: {text}"))
}

/// Values of a string slice flag, over all its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice(Vec<Vec<String>>);

impl Slice {
    pub fn from_uses(uses: Vec<Vec<String>>) -> Self {
        Self(uses)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slice_value_is_a_csv_record() {
        let cases: [(&str, &[&str]); 6] = [
            (",", &["", ""]),
            ("", &[]),
            ("a", &["a"]),
            ("a,b", &["a", "b"]),
            ("a,\"b,c\"", &["a", "b,c"]),
            ("\"say \"\"hi\"\"\",", &["say \"hi\"", ""]),
        ];
        for (text, expected) in cases {
            assert_eq!(csv(text).unwrap(), expected, "{text}");
        }
        let refusals = [
            (
                "\"open",
                "column 6: extraneous or missing \" in quoted-field",
            ),
            (
                "a,\"b\"c",
                "column 5: extraneous or missing \" in quoted-field",
            ),
            ("a,b\"c", "column 4: bare \" in non-quoted-field"),
        ];
        for (text, told) in refusals {
            let told = format!("parse error on line 1, {told}");
            assert_eq!(csv(text).unwrap_err(), told);
        }
    }

    #[test]
    fn duration_needs_a_unit_and_no_sign() {
        assert_eq!(length_of_time("1m30s").unwrap(), Duration::from_secs(90));
        assert!(length_of_time("-1m").is_err());
        assert!(length_of_time("5").is_err());
    }

    proptest! {
        #[test]
        fn written_record_is_read_back(
            values in proptest::collection::vec("[a-z,\" =äß]{0,8}", 1..6)
        ) {
            let record: Vec<String> = values
                .iter()
                .map(|value| format!("\"{}\"", value.replace('"', "\"\"")))
                .collect();
            prop_assert_eq!(csv(&record.join(",")), Ok(values));
        }

        #[test]
        fn unquoted_values_are_split_at_commas(
            values in proptest::collection::vec("[a-z=./:äß]{1,8}", 1..6)
        ) {
            prop_assert_eq!(csv(&values.join(",")), Ok(values));
        }

        #[test]
        fn any_text_is_a_record_or_an_error(text in any::<String>()) {
            if let Err(told) = csv(&text) {
                prop_assert!(told.starts_with("parse error on line 1, column "), "{told}");
            }
        }

        #[test]
        fn duration_is_the_sum_of_its_parts(
            hours in 0u64..2_000, minutes in 0u64..600, seconds in 0u64..600, millis in 0u64..5_000
        ) {
            let text = format!("{hours}h{minutes}m{seconds}s{millis}ms");
            let sum = Duration::from_secs(hours * 3600 + minutes * 60 + seconds)
                + Duration::from_millis(millis);
            prop_assert_eq!(length_of_time(&text), Ok(sum));
            let printed = duration::GoDuration::from_std(sum).to_string();
            prop_assert_eq!(length_of_time(&printed), Ok(sum));
            let is_refused = length_of_time(&format!("-{printed}")).is_err();
            prop_assert_eq!(is_refused, !sum.is_zero());
        }

        #[test]
        fn any_text_is_a_duration_or_an_error(text in any::<String>()) {
            drop(length_of_time(&text));
        }
    }

    #[test]
    fn choice_is_refused_and_suggestion_is_not() {
        let choice = Choice::new(&["a", "b"], |value| {
            format!("letter '{value}' is not supported")
        })
        .or_absent("no letter given")
        .separated_by(" | ");
        let argument = |name: &'static str| Arg::new(name).long(name);
        let command = || {
            Command::new("test")
                .arg(argument("choice").value_parser(choice))
                .arg(argument("offer").value_parser(Offer(&["a", "b"])))
        };
        let parse = |line: &str| {
            let words = ["test"].into_iter().chain(line.split(' '));
            command().try_get_matches_from(words)
        };
        assert!(parse("--choice=b --offer=c").is_ok());
        let refused = parse("--choice=c").unwrap_err();
        let cause = std::error::Error::source(&refused).unwrap().to_string();
        assert_eq!(cause, "letter 'c' is not supported, must be one of: a | b");
        let refused = parse("--choice=").unwrap_err();
        let cause = std::error::Error::source(&refused).unwrap().to_string();
        assert_eq!(cause, "no letter given");
        for argument in command().get_arguments() {
            assert_eq!(argument.get_possible_values().len(), 2, "{argument}");
        }
    }
}
