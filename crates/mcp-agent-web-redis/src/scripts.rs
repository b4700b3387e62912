//! The scripts that Redis runs. Each is atomic, so the lease that it checks is held while it writes.

/// Appends an event to a chat. Keys: state, events, lease, snapshot. Arguments: lease, event, busy, time to live, channel, epoch of a new chat.
pub(crate) const APPEND: &str = "
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
redis.call('HSETNX', KEYS[1], 'epoch', ARGV[6])
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
if number == 1 then redis.call('DEL', KEYS[2], KEYS[4]) end
redis.call('HSET', KEYS[1], 'busy', ARGV[3])
redis.call('XADD', KEYS[2], number .. '-0', 'event', ARGV[2])
for _, key in ipairs({KEYS[1], KEYS[2], KEYS[4]}) do redis.call('PEXPIRE', key, ARGV[4]) end
redis.call('PUBLISH', ARGV[5], '')
return number";

/// Saves the snapshot of a chat. Keys: state, events, lease, snapshot. Arguments: lease, position, transcript, first event to keep, time to live.
pub(crate) const SAVE: &str = "
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[4], 'at', ARGV[2], 'transcript', ARGV[3])
redis.call('PEXPIRE', KEYS[4], ARGV[5])
redis.call('HSET', KEYS[1], 'first', ARGV[4])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[4] .. '-0')
return 1";

/// Returns a page of events. Keys: events. Arguments: range after which to read, maximum number of events, maximum size of all but the first.
pub(crate) const READ: &str = "
local page, size = {}, 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])) do
  size = size + #entry[2][2]
  if #page > 0 and size > tonumber(ARGV[3]) then break end
  page[#page + 1] = entry
end
return page";

/// Ends a chat. Keys: state, lease, commands. Arguments: lease, channel.
pub(crate) const END: &str = "
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'ended', 1)
redis.call('DEL', KEYS[3])
redis.call('PUBLISH', ARGV[2], '')
return 1";

/// Claims the lease of a chat. Keys: lease. Arguments: lease, time.
pub(crate) const CLAIM: &str = "
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1";

/// Releases the lease of a chat. Keys: lease. Arguments: lease, channel.
pub(crate) const RELEASE: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], '')
return 1";

/// Queues a command for the runner of a chat. Keys: commands, the used id. Arguments: command, maximum number of commands, time to live, channel, whether there is an id.
pub(crate) const SEND: &str = "
if ARGV[5] == '1' and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then return -1 end
if ARGV[5] == '1' then redis.call('SET', KEYS[2], '', 'PX', ARGV[3]) end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], '')
return 1";

/// Returns the next queued command of a chat: nil if the lease is lost, otherwise a list with at most one command. Keys: commands,
/// lease. Arguments: lease.
pub(crate) const NEXT_COMMAND: &str = "
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
return redis.call('LRANGE', KEYS[1], 0, 0)";

/// Removes the next queued command of a chat. Keys: commands, lease. Arguments: lease.
pub(crate) const REMOVE_COMMAND: &str = "
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('LPOP', KEYS[1])
return 1";
