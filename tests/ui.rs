//! What authors see: mistakes are told once, where they are made, with what to write instead.
//!
//! The toolchain is pinned, so that the compiler's words are the same everywhere. `TRYBUILD=overwrite` rewrites them.

#[test]
fn mistakes_are_told_and_right_code_compiles() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
