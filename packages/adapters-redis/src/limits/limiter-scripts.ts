/** Milliseconds a slot is held without a renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** How often the process that holds a slot renews it: two renewals may fail before the slot is lost. */
export const RENEWAL_MILLISECONDS = 10_000;
/** How long the figures of a day and month are counted on before the source of truth is asked again. */
export const SEED_LIFETIME_MILLISECONDS = 300_000;
/** No cap refuses on figures older than this: a refusal that lasts until midnight deserves another look. */
export const REFUSING_SEED_MILLISECONDS = 10_000;

const WINDOW_MILLISECONDS = 60_000;
/** Redis forgets a key this much later than the scripts do. */
const FORGETTING_MILLISECONDS = 5_000;

/**
 * The time, whole Unix milliseconds: Redis's own, unless a caller passes one, as deterministic tests do.
 * One clock for every process, so that no two of them disagree about a window.
 */
const CLOCK = `
local function timeFrom(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** An account's window: a hash of startedAt, requests and tokens, and a field for each count_tokens request in it. */
const WINDOW = `
local function openWindow(key, now)
  local found = redis.call('HMGET', key, 'startedAt', 'requests', 'tokens')
  if not found[1] then return nil end
  local window = { startedAt = tonumber(found[1]), requests = tonumber(found[2]), tokens = tonumber(found[3]) }
  if math.abs(now - window.startedAt) >= ${WINDOW_MILLISECONDS} then return nil end
  return window
end
`;

/**
 * Keys: window, slots, caps. Arguments: time, kind, member, tokens, the five limits ('' for no cap),
 * then of a second attempt: the day number, day, month and generation that the source of truth was read for.
 * Answers {status, time, window's start or -1, its requests, its tokens, generation}.
 * Members of the slots are named 'something:tokens', so that estimates in flight survive in the lease itself.
 */
export const ADMIT_SCRIPT = `${CLOCK}${WINDOW}
local windowKey, slotsKey, capsKey = KEYS[1], KEYS[2], KEYS[3]
local now = timeFrom(ARGV[1])
local kind, member, wanted = ARGV[2], ARGV[3], tonumber(ARGV[4])
local window = openWindow(windowKey, now)

local function answer(status, generation)
  local found = window or { startedAt = -1, requests = 0, tokens = 0 }
  return { status, now, found.startedAt, found.requests, found.tokens, generation or '' }
end

local function tokensInFlight()
  local sum = 0
  for _, slot in ipairs(redis.call('ZRANGE', slotsKey, 0, -1)) do sum = sum + tonumber(string.match(slot, ':(%d+)$')) end
  return sum
end

-- From now on releases change the generation, so that a seed read before one of them is known to be out of date.
local function askForSeed(generation)
  if not generation then
    generation = string.format('%.0f', now)
    redis.call('DEL', capsKey)
    redis.call('HSET', capsKey, 'generation', generation)
  end
  redis.call('PEXPIRE', capsKey, ${WINDOW_MILLISECONDS})
  return answer('unseeded', generation)
end

local function plant(day, month, dayNumber)
  redis.call('DEL', capsKey)
  redis.call('HSET', capsKey, 'dayNumber', dayNumber, 'day', day, 'month', month, 'seededAt', now)
  redis.call('PEXPIRE', capsKey, ${SEED_LIFETIME_MILLISECONDS + FORGETTING_MILLISECONDS})
end

local function refusalByCaps(dayCap, monthCap)
  local today = math.floor(now / 86400000)
  local known = redis.call('HMGET', capsKey, 'dayNumber', 'day', 'month', 'seededAt', 'generation')
  local day, month, age
  if known[1] and tonumber(known[1]) == today then
    day, month, age = tonumber(known[2]), tonumber(known[3]), math.abs(now - known[4])
  end
  if not age or age >= ${SEED_LIFETIME_MILLISECONDS} then
    local seedIsCurrent = tonumber(ARGV[10]) == today and (ARGV[13] == '' or ARGV[13] == known[5])
    if not seedIsCurrent then return askForSeed(known[5]) end
    day, month, age = tonumber(ARGV[11]), tonumber(ARGV[12]), 0
    plant(day, month, today)
  end
  local inFlight = tokensInFlight()
  local exceeded = nil
  if dayCap and day + inFlight + wanted > dayCap then exceeded = 'tokens-per-day'
  elseif monthCap and month + inFlight + wanted > monthCap then exceeded = 'tokens-per-month' end
  if not exceeded then return nil end
  if age >= ${REFUSING_SEED_MILLISECONDS} then return askForSeed(nil) end
  return answer(exceeded)
end

if (window and window.requests or 0) + 1 > tonumber(ARGV[5]) then return answer('requests-per-minute') end
if kind == 'generation' then
  if (window and window.tokens or 0) + wanted > tonumber(ARGV[6]) then return answer('tokens-per-minute') end
  redis.call('ZREMRANGEBYSCORE', slotsKey, '-inf', now)
  if redis.call('ZCARD', slotsKey) + 1 > tonumber(ARGV[7]) then return answer('concurrent-requests') end
  if ARGV[8] ~= '' or ARGV[9] ~= '' then
    local refused = refusalByCaps(tonumber(ARGV[8]), tonumber(ARGV[9]))
    if refused then return refused end
  end
end

if not window then
  redis.call('DEL', windowKey)
  window = { startedAt = now, requests = 0, tokens = 0 }
end
local opens = window.requests == 0
window.requests = window.requests + 1
if kind == 'generation' then window.tokens = window.tokens + wanted end
redis.call('HSET', windowKey, 'startedAt', window.startedAt, 'requests', window.requests, 'tokens', window.tokens)
if opens then redis.call('PEXPIRE', windowKey, ${WINDOW_MILLISECONDS + FORGETTING_MILLISECONDS}) end
if kind == 'generation' then
  redis.call('ZADD', slotsKey, now + ${LEASE_MILLISECONDS}, member)
  redis.call('PEXPIRE', slotsKey, ${LEASE_MILLISECONDS + FORGETTING_MILLISECONDS})
else
  redis.call('HSET', windowKey, 'count:' .. member, 1)
end
return answer('admitted')
`;

/**
 * Keys: window, slots, caps. Arguments: time, kind, member, tokens, window's start ('' when it is not known), ending, tokens used.
 * A slot or count that is no longer there was released before, or its lease ended: nothing is given back then,
 * and the day is read from the source of truth again rather than counted twice or not at all.
 */
export const RELEASE_SCRIPT = `${CLOCK}
local windowKey, slotsKey, capsKey = KEYS[1], KEYS[2], KEYS[3]
local now = timeFrom(ARGV[1])
local kind, member, tokens, startedAt, ending, used = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7])

local function giveBack(requests, given)
  local found = redis.call('HMGET', windowKey, 'startedAt', 'requests')
  if not found[1] or (startedAt ~= '' and startedAt ~= found[1]) then return end
  if tonumber(found[2]) <= requests then
    redis.call('DEL', windowKey)
    return
  end
  -- Not -requests: that of 0 is written '-0', which Redis takes for no number.
  redis.call('HINCRBY', windowKey, 'requests', 0 - requests)
  redis.call('HINCRBY', windowKey, 'tokens', 0 - given)
end

local function countUsed(isHeld)
  local known = redis.call('HMGET', capsKey, 'dayNumber', 'generation')
  if known[2] then
    redis.call('HINCRBY', capsKey, 'generation', 1)
  elseif known[1] and not isHeld then
    redis.call('DEL', capsKey)
  elseif known[1] and tonumber(known[1]) == math.floor(now / 86400000) then
    redis.call('HINCRBY', capsKey, 'day', used)
    redis.call('HINCRBY', capsKey, 'month', used)
  end
end

if kind == 'count' then
  local isCounted = redis.call('HDEL', windowKey, 'count:' .. member) == 1
  if isCounted and ending == 'undone' then giveBack(1, 0) end
  return
end
local isHeld = redis.call('ZREM', slotsKey, member) == 1
if ending == 'served' then
  countUsed(isHeld)
elseif isHeld then
  giveBack(ending == 'undone' and 1 or 0, tokens)
end
`;

/** Keys: window. Arguments: time. Answers {time, window's start or -1, its requests, its tokens}. */
export const QUOTA_SCRIPT = `${CLOCK}${WINDOW}
local now = timeFrom(ARGV[1])
local window = openWindow(KEYS[1], now) or { startedAt = -1, requests = 0, tokens = 0 }
return { now, window.startedAt, window.requests, window.tokens }
`;

/** Keys: slots. Arguments: time, then members. Adds what is missing, so that slots are back soon after Redis has lost them. */
export const RENEW_SCRIPT = `${CLOCK}
local expiresAt = timeFrom(ARGV[1]) + ${LEASE_MILLISECONDS}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], expiresAt, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ${LEASE_MILLISECONDS + FORGETTING_MILLISECONDS})
`;
