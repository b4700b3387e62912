//! Hostile servers: each case must end in time, in bounded memory, with the right result or a clear error, and without a panic.
//!
//! The cases run one after the other, because each is measured: the greatest memory of the process must not grow by more than
//! [`MEMORY`] while it runs.

mod answers;
mod asking;
mod catalogue;
mod floods;
mod handshakes;
mod http;
mod stateless;
mod web;
mod wire;

use std::pin::Pin;
use std::time::{Duration, Instant};

/// The maximum growth of the process's memory during a case, including the server of the case.
const MEMORY: u64 = 48 << 20;

/// The time limit of a case on a loaded machine.
const LIMIT: Duration = Duration::from_secs(60);

type Case = (&'static str, fn() -> Pin<Box<dyn Future<Output = ()>>>);

/// Makes a table of cases from functions.
macro_rules! cases {
    ($($module:ident: $($name:ident)*;)*) => {
        [$($((stringify!($name), (|| Box::pin($module::$name())) as fn() -> Pin<Box<dyn Future<Output = ()>>>)),*),*]
    };
}

fn cases() -> Vec<Case> {
    cases! {
        answers: an_oversized_answer an_endless_line an_answer_with_an_unknown_id an_answer_with_the_id_as_text
            an_answer_with_a_fractional_id an_answer_with_a_huge_id a_duplicate_answer a_result_and_an_error
            neither_result_nor_error an_error_that_is_not_an_object garbage_between_answers an_answer_that_is_not_utf_8
            a_lone_surrogate deep_nesting a_duplicate_id_key look_alike_keys a_result_of_another_shape nul_bytes_and_blank_lines
            an_answer_in_a_batch the_end_in_the_middle_of_a_call an_error_with_a_huge_message;
        floods: log_messages progress_of_one_call progress_of_unknown_calls pings_from_a_server_that_does_not_read
            questions_all_at_once batches_of_notifications calls_to_a_server_that_does_not_read unknown_notifications;
        asking: a_question_that_was_not_offered a_question_with_a_duplicate_id a_question_that_is_taken_back
            questions_that_never_existed_are_taken_back a_form_of_another_shape;
        catalogue: ten_thousand_pages pages_that_are_too_large_together the_same_cursor_for_ever tools_that_are_not_tools a_list_that_is_not_a_list a_list_without_items
            an_output_schema_that_refers_to_itself an_output_schema_with_hidden_references an_output_schema_that_doubles
            an_output_that_is_too_large_for_its_schema output_against_its_schema output_that_is_missing a_capability_that_is_a_lie a_subscription_that_is_a_lie
            a_subscription_without_an_answer;
        handshakes: an_unknown_revision a_stateless_revision_from_a_handshake no_revision_at_all silence a_slow_start a_lie_about_versions
            nonsense_instead_of_discovery;
        stateless: input_required_for_ever input_required_for_nothing input_required_from_an_unknown_method
            thousands_of_questions_at_once an_unknown_result_type a_task_without_end a_task_about_another_task
            a_poll_interval_of_nothing a_lifetime_of_an_age a_request_to_the_client;
        http: a_redirect_to_loopback a_redirect_to_a_metadata_address a_body_over_the_limit a_body_that_ends_early
            an_endless_event an_endless_stream_of_comments events_for_other_requests html accepted_but_not_answered
            an_answer_to_another_request a_compressed_bomb an_error_page_without_end headers_without_end
            a_session_that_is_always_forgotten a_session_id_of_garbage a_refusal_without_a_challenge
            an_event_stream_that_ends_at_once a_stream_that_is_resumed_again_and_again messages_at_another_origin
            no_address_for_messages;
    }
    .into()
}

#[test]
#[expect(clippy::print_stdout, reason = "the measurements are for who looks for a slow or large case")]
fn every_hostile_server_is_survived() {
    let wanted = std::env::var("CASE").ok();
    let mut failed = Vec::new();
    for (name, case) in cases().into_iter().filter(|(name, _)| wanted.as_deref().is_none_or(|wanted| *name == wanted)) {
        let (before, began) = (reset_peak(), Instant::now());
        let outcome = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            let ended = runtime.block_on(async { tokio::time::timeout(LIMIT, case()).await });
            runtime.shutdown_background();
            ended.is_ok()
        });
        let outcome = outcome.expect("a thread").join();
        let grown = peak().saturating_sub(before);
        println!("{name}: {:?}, {} KiB", began.elapsed(), grown >> 10);
        match outcome {
            Ok(true) if grown <= MEMORY => {}
            Ok(true) => failed.push(format!("{name}: took {} MiB", grown >> 20)),
            Ok(false) => failed.push(format!("{name}: did not end within {LIMIT:?}")),
            Err(_) => failed.push(format!("{name}: failed, see above")),
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_page_says_how_many_cases_there_are_and_no_two_have_one_name() {
    let mut names: Vec<_> = cases().iter().map(|(name, _)| *name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/client.md");
    let page = std::fs::read_to_string(page).expect("the page about the client");
    assert!(page.contains(&format!("The tests run {count} cases")), "docs/client.md has another number than {count}");
}

/// Resets the peak memory. Returns the current memory.
fn reset_peak() -> u64 {
    // Only Linux can do this. Elsewhere memory is not measured.
    let reset = std::fs::write("/proc/self/clear_refs", "5");
    assert!(reset.is_ok() || !cfg!(target_os = "linux"), "the peak memory cannot be reset: {reset:?}");
    status("VmRSS:")
}

/// Returns the peak memory since the last reset.
fn peak() -> u64 {
    status("VmHWM:")
}

/// Returns a number of bytes from the status of this process, or 0 on systems other than Linux.
fn status(field: &str) -> u64 {
    if !cfg!(target_os = "linux") {
        return 0;
    }
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has the status of a process");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the status has the memory");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes");
    assert_ne!(kilobytes, 0, "{field}");
    kilobytes * 1024
}
