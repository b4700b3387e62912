//! Memory, descriptors and threads of a process.

use std::fmt;
use std::fs;

/// Memory, descriptors and threads of a process at one moment.
#[derive(Debug)]
pub(crate) struct Health {
    memory_kib: u64,
    peak_kib: u64,
    pub(crate) descriptors: usize,
    threads: u64,
}

impl Health {
    /// Measures a process now.
    pub(crate) fn of(pid: u32) -> Health {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        Health { memory_kib: field("VmRSS"), peak_kib: field("VmHWM"), descriptors, threads: field("Threads") }
    }

    /// By how much the memory has grown since `first`.
    pub(crate) fn grown_kib_since(&self, first: &Health) -> u64 {
        self.memory_kib.saturating_sub(first.memory_kib)
    }

    /// Whether neither memory (beyond some slack) nor descriptors have grown since `first`.
    pub(crate) fn is_level_with(&self, first: &Health, slack_kib: u64) -> bool {
        self.memory_kib > 0 && self.memory_kib <= first.memory_kib + slack_kib && self.descriptors <= first.descriptors
    }
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |kib: u64| kib as f64 / 1024.0;
        let Health { descriptors, threads, .. } = self;
        let (now, peak) = (mib(self.memory_kib), mib(self.peak_kib));
        write!(f, "{now:6.1} MiB (peak {peak:.1}), {descriptors} descriptors, {threads} threads")
    }
}
