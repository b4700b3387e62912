//! Replays the corpora and all inputs that the fuzzer found, on the stable toolchain.

use std::fs;
use std::path::Path;

#[test]
fn no_input_of_the_corpora_makes_a_target_panic() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("fuzz");
    for (name, target) in fuzz_targets::ALL {
        let mut inputs = 0;
        for folder in ["corpus", "regressions"] {
            let Ok(entries) = fs::read_dir(fuzz.join(folder).join(name)) else { continue };
            for entry in entries {
                let path = entry.expect("a file").path();
                let bytes = fs::read(&path).expect("readable");
                if let Err(panic) = std::panic::catch_unwind(|| target(&bytes)) {
                    let why = panic.downcast_ref::<String>().map_or("", String::as_str);
                    panic!("{}: {why}", path.display());
                }
                inputs += 1;
            }
        }
        assert!(inputs > 20, "{name} has only {inputs} inputs");
    }
}
