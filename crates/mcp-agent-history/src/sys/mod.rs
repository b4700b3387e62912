//! Everything that depends on the operating system: processes and private files.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{create_private_file, is_running, start_time};
#[cfg(windows)]
pub(crate) use windows::{create_private_file, is_running, start_time};

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_runs_until_it_has_ended() {
        assert!(is_running(std::process::id()));
        // Any program that ends by itself.
        let mut child = Command::new(std::env::current_exe().unwrap()).arg("--list").stdout(Stdio::null()).spawn().unwrap();
        let id = child.id();
        child.wait().unwrap();
        // On Windows the open handle of a process that has ended keeps its id.
        drop(child);
        assert!(!is_running(id));
    }

    #[test]
    fn numbers_that_are_not_process_ids_are_not_running() {
        assert!(!is_running(u32::MAX));
        assert!(!is_running(u32::MAX / 2));
    }
}
