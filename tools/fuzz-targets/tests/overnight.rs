//! The script that runs the fuzzer for hours.
// Not on Windows: the script is for a shell, and the fuzzer does not run there.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

#[test]
fn a_target_that_does_not_start_is_reported_and_the_others_still_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overnight");
    fs::create_dir_all(&folder).unwrap();
    let cargo = folder.join("cargo");
    fs::write(&cargo, "#!/bin/sh\necho 'error: no such command: `fuzz`' >&2\nexit 101\n").unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("fuzz/overnight");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new(script).arg("0").env("PATH", path).env("TMPDIR", &folder).output().unwrap();

    let printed = String::from_utf8(output.stdout).unwrap();
    for (name, _) in fuzz_targets::ALL {
        assert!(printed.contains(&format!("== {name}\nerror: no such command")), "{name}:\n{printed}");
    }
    assert_eq!(output.status.code(), Some(1));
}
