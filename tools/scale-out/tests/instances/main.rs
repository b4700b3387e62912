//! Several instances of one server, with a real nginx and a real Redis.

mod chats;
mod client;
mod nginx;
mod redis_faults;
mod redis_sessions;
mod redis_tasks;
mod services;
