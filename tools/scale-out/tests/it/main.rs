//! Servers of several instances, with real services around them.

mod client;
mod nginx;
mod redis_sessions;
mod redis_tasks;
mod services;
