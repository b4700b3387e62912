//! Checks the prepared toolchain: unwinding, random numbers and output. See `toolchain`.

fn main() {
    let caught = std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new(1))).is_err();
    // A hash set takes random numbers from the system.
    let set: std::collections::HashSet<u8> = [1, 1].into();
    println!("hello from {}, {caught}, {}", std::env::consts::OS, set.len());
}
