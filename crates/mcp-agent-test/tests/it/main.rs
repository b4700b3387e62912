//! The stand-ins against the real CLI, and the runner against the stand-ins.
#![cfg(unix)]

mod costs;
mod direct;
mod failures;
mod faults;
mod hooks;
mod live;
mod mount_wire;
mod mounts;
mod options;
mod permissions;
mod requests;
mod rig;
mod rules;
mod scripted;
mod turns;
mod watching;
