//! Reads the results of the official conformance suite.

use test_env::Finished;

/// Returns whether a scenario for clients has passed.
///
/// The suite also ends with success if it has skipped the scenario or all of its checks. Then one of the two lines says so.
pub fn scenario_passed(finished: &Finished) -> bool {
    let output = format!("{}{}", finished.stdout, finished.stderr);
    finished.status.success() && output.contains("OVERALL: PASSED") && !output.contains("Passed: 0/")
}
