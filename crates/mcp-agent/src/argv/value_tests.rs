//! Tests of values that try to become a flag, a rule or another item of a list.

use super::*;
use crate::agent::Agent;
use crate::options::{AgentDefinition, SettingSource};
use proptest::prelude::*;

/// An option that takes this text.
type Option1 = (&'static str, fn(&str) -> Agent);

/// The options whose value is joined to a flag and nothing else.
const OPAQUE: [Option1; 4] = [
    ("model", |value| Agent::new().model(value)),
    ("fallback_model", |value| Agent::new().fallback_model(value)),
    ("add_dir", |value| Agent::new().add_dir(value)),
    ("extra_arg", |value| Agent::new().extra_arg("extra", Some(value))),
];

/// The options whose value becomes part of a list, a rule or a name.
const CHECKED: [Option1; 14] = [
    ("allow_tools", |value| Agent::new().allow_tools([value])),
    ("disallow_tools", |value| Agent::new().disallow_tools([value])),
    ("only_tools", |value| Agent::new().only_tools([value])),
    ("skills", |value| Agent::new().skills([value])),
    ("alias_tool", |value| Agent::new().alias_tool("a", value)),
    ("permission_prompt_tool", |value| Agent::new().permission_prompt_tool(value)),
    ("betas", |value| Agent::new().betas([value])),
    ("agent", |value| Agent::new().agent(value)),
    ("define_agent", |value| Agent::new().define_agent("a", AgentDefinition::new("", "").tools([value]))),
    ("setting_sources", |value| Agent::new().setting_sources([SettingSource::from(value)])),
    ("resume", |value| Agent::new().resume(value)),
    ("session_id", |value| Agent::new().session_id(value)),
    ("extra_arg", |value| Agent::new().extra_arg(value, None)),
    ("env", |value| Agent::new().env(value, "1")),
];

#[test]
fn a_value_cannot_become_another_item_rule_or_flag() {
    for (option, agent) in CHECKED {
        for value in ["a),Bash(*", "", "a,b)", "a)=b\0"] {
            let refused = invocation(&agent(value).options, false);
            let is_named = matches!(&refused, Err(OptionsError::InvalidValue { option: named, .. }) if *named == option);
            assert!(is_named || option == "env" && !value.contains(['=', '\0']) && !value.is_empty(), "{option}: {value:?}");
        }
    }
    let refused = |rule: &str| invocation(&Agent::new().allow_tools([rule]).options, false).is_err();
    assert!(
        ["Read Bash", "Read,Bash", "Bash(a) Bash(*)", "Bash(a),Bash(*)", "Bash(a", "(a)", "Bash(a\nb)"]
            .iter()
            .all(|r| refused(r))
    );
    assert!(["Read", "Bash(git *)", "mcp__a__*", "Edit(/src/**, x)", "Bash(echo ()"].iter().all(|rule| !refused(rule)));
    assert!(invocation(&Agent::new().resume("/tmp/other.jsonl").options, false).is_err());
}

#[test]
fn the_tools_of_a_server_cannot_be_taken_for_those_of_another_one() {
    let check = |external: &[&str]| check_servers(external.iter().copied(), ["words"].into_iter()).is_ok();
    assert!(check(&["db", "my-db", "claude.ai Gmail", "plugin:a:b"]));
    for external in [&["words"][..], &["words__count"], &["words_"], &["_x"], &["a..b"], &["a b", "a_b"], &["a),b"], &[""]] {
        assert!(!check(external), "{external:?}");
    }
}

proptest! {
    /// For any values, the flags and the number of arguments stay the same.
    #[test]
    fn no_value_becomes_a_flag(value in "(--?[a-z-]{0,12}(=.{0,5})?|.{0,20})") {
        for (_, agent) in OPAQUE.into_iter().chain(CHECKED) {
            // A value may be refused.
            let Ok(made) = invocation(&agent(&value).options, false) else { continue };
            let args: Vec<String> = made.args[3..].iter().map(|arg| arg.inline().to_string_lossy().into_owned()).collect();
            let flag = args.first().map(|arg| arg.split_once('=').map_or(arg.as_str(), |(flag, _)| flag).to_owned());
            let usual = invocation(&agent("harmless").options, false).expect("valid");
            let usual = usual.args.get(3).map(|arg| arg.inline().to_string_lossy().into_owned());
            let usual = usual.map(|arg| arg.split_once('=').map_or(arg.as_str(), |(flag, _)| flag).to_owned());
            prop_assert!(args.len() <= 1);
            if !matches!(&usual, Some(flag) if flag == "--harmless") {
                prop_assert_eq!(flag, usual);
            }
        }
    }
}

#[test]
fn the_name_of_a_skill_cannot_become_another_rule() {
    let refused = |name: &str| invocation(&Agent::new().skills([name]).options, false).is_err();
    assert!(["a),Bash(*", "", "a b", "a,b", "a\n", "*"].iter().all(|name| refused(name)));
    assert!(["review", "plugin:review", "team/review-2"].iter().all(|name| !refused(name)));
}
