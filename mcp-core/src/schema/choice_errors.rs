//! Error messages for values that match no branch of `anyOf` or `oneOf`.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::expected::{described, one_of};
use super::explain::{Explainer, Line};
use super::short_text::{describe_value, listed};

/// Explains a failed choice by the errors of the branch that was probably intended, otherwise by listing all branches.
pub(super) fn lines(
    explainer: Explainer<'_>,
    error: &ValidationError<'_>,
    forms: &[Vec<ValidationError<'static>>],
) -> Vec<Line> {
    if let Some(violations) = meant(error, forms) {
        return violations.iter().flat_map(|violation| explainer.lines(violation)).collect();
    }
    if let Some(line) = wrong_tag(explainer, forms) {
        return vec![line];
    }
    let schema = explainer.schema_at(error);
    let branches = schema.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let expected: Vec<String> =
        branches.iter().filter_map(|branch| described(explainer.root(), branch)).filter(|form| form != "null").collect();
    let got = describe_value(error.instance());
    let text = match &expected[..] {
        [] => format!("{got} matches none of the forms that are allowed here"),
        forms => format!("expected {}, got {got}", listed(forms.iter().cloned(), ", or ")),
    };
    vec![explainer.line(error, &text)]
}

/// Returns the only branch that may have been intended. Excludes `null` and branches with another type, tag or other keys.
fn meant<'a>(
    choice: &ValidationError<'_>,
    forms: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a [ValidationError<'static>]> {
    let here = |violation: &ValidationError<'_>| violation.instance_path().as_str() == choice.instance_path().as_str();
    let tests: [&dyn Fn(&ValidationError<'static>) -> bool; 3] = [
        &|violation| here(violation) && matches!(violation.kind(), Kind::Type { kind: TypeKind::Single(JsonType::Null) }),
        &|violation| match violation.kind() {
            Kind::Type { .. } | Kind::Enum { .. } => here(violation),
            kind => matches!(kind, Kind::Constant { .. }),
        },
        &|violation| here(violation) && matches!(violation.kind(), Kind::Required { .. }),
    ];
    let mut left: Vec<&Vec<ValidationError<'static>>> = forms.iter().collect();
    for rules_out in tests {
        left.retain(|violations| !violations.iter().any(rules_out));
        if let [only] = left[..] {
            return Some(only);
        }
    }
    None
}

/// Returns the line for an invalid tag, if all branches use the same tag key.
fn wrong_tag(explainer: Explainer<'_>, forms: &[Vec<ValidationError<'static>>]) -> Option<Line> {
    let tag = |violation: &&ValidationError<'static>| matches!(violation.kind(), Kind::Constant { .. });
    let tags: Vec<&ValidationError<'static>> = forms.iter().map(|form| form.iter().find(tag)).collect::<Option<_>>()?;
    let first = *tags.first()?;
    if tags.iter().any(|tag| tag.instance_path().as_str() != first.instance_path().as_str()) {
        return None;
    }
    let allowed = tags.iter().filter_map(|tag| match tag.kind() {
        Kind::Constant { expected_value } => Some(expected_value.clone()),
        _ => None,
    });
    Some(explainer.line(first, &one_of(&allowed.collect::<Vec<_>>(), first.instance())))
}
