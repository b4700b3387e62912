//! Values that match none of several forms: what to say depends on which form was meant.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::explain::{Explainer, described, one_of};
use super::glimpse::{glimpse, listed};

/// Explains a failed choice by the one form that was meant, or else by all that were possible.
pub(super) fn lines(
    explainer: Explainer<'_>,
    error: &ValidationError<'_>,
    forms: &[Vec<ValidationError<'static>>],
) -> Vec<String> {
    let meant: Vec<_> = forms.iter().filter(|violations| !violations.iter().any(|found| rules_out(error, found))).collect();
    if let [violations] = meant[..] {
        return violations.iter().flat_map(|violation| explainer.lines(violation)).collect();
    }
    if let Some(line) = wrong_tag(explainer, forms) {
        return vec![line];
    }
    let schema = explainer.schema_at(error);
    let branches = schema.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let expected: Vec<String> = branches.iter().filter_map(|branch| described(explainer.root(), branch)).collect();
    let got = glimpse(error.instance());
    let text = match &expected[..] {
        [] => format!("{got} matches none of the forms that are allowed here"),
        forms => format!("expected {}, got {got}", listed(forms.iter().cloned(), ", or ")),
    };
    vec![explainer.line(error, &text)]
}

/// Whether a violation shows that its form was not meant: another type, or another tag.
fn rules_out(choice: &ValidationError<'_>, violation: &ValidationError<'_>) -> bool {
    let at_the_value = violation.instance_path().as_str() == choice.instance_path().as_str();
    match violation.kind() {
        Kind::Type { .. } | Kind::Enum { .. } => at_the_value,
        Kind::Constant { .. } => true,
        // An enum variant is told by its only key.
        Kind::Required { .. } => at_the_value && choice.instance().as_object().is_some_and(|members| members.len() <= 1),
        _ => false,
    }
}

/// The line for a tag that no form has, when all forms look at the same one.
fn wrong_tag(explainer: Explainer<'_>, forms: &[Vec<ValidationError<'static>>]) -> Option<String> {
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
