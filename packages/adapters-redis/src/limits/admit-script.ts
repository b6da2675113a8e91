import {
  CLOCK, FORGETTING_MILLISECONDS, LEASE_MILLISECONDS, REFUSING_SEED_MILLISECONDS, SEED_LIFETIME_MILLISECONDS, WINDOW, WINDOW_MILLISECONDS,
} from './limiter-scripts.js';

/**
 * Decides about demands of one account in their order, each on what those before it were given, and counts what it admits.
 * Keys: window, slots, caps. Arguments: time; the day number, day, month and generation that the source of truth was read for, '' at a first attempt;
 * then of each demand kind, member, tokens and the five limits ('' for no cap).
 * Answers of each {status, time, window's start or -1, its requests, its tokens, generation}.
 * Members of the slots are named 'something:tokens', so that estimates in flight survive in the lease itself.
 * The window is written before the slots: whoever takes an admission back that had no answer gives requests back only where it finds a slot.
 */
export const ADMIT_SCRIPT = `${CLOCK}${WINDOW}
local windowKey, slotsKey, capsKey = KEYS[1], KEYS[2], KEYS[3]
local now = timeFrom(ARGV[1])
local today = math.floor(now / 86400000)
local window = openWindow(windowKey, now)
local opened = false
local slots, counted = {}, {}
local running, inFlight, caps

local function answer(status, generation)
  local found = window or { startedAt = -1, requests = 0, tokens = 0 }
  return { status, now, found.startedAt, found.requests, found.tokens, generation or '' }
end

local function slotsRunning()
  if running then return running end
  redis.call('ZREMRANGEBYSCORE', slotsKey, '-inf', now)
  running = redis.call('ZCARD', slotsKey)
  return running
end

local function tokensInFlight()
  if inFlight then return inFlight end
  inFlight = 0
  for _, slot in ipairs(redis.call('ZRANGE', slotsKey, 0, -1)) do inFlight = inFlight + tonumber(string.match(slot, ':(%d+)$')) end
  for index = 2, #slots, 2 do inFlight = inFlight + tonumber(string.match(slots[index], ':(%d+)$')) end
  return inFlight
end

local function knownCaps()
  if caps then return caps end
  local found = redis.call('HMGET', capsKey, 'dayNumber', 'day', 'month', 'seededAt', 'generation')
  caps = { dayNumber = tonumber(found[1] or nil), day = tonumber(found[2] or nil), month = tonumber(found[3] or nil), seededAt = tonumber(found[4] or nil), generation = found[5] }
  return caps
end

-- From now on releases change the generation, so that a seed read before one of them is known to be out of date.
local function askForSeed(generation)
  if not generation then
    generation = string.format('%.0f', now)
    redis.call('DEL', capsKey)
    redis.call('HSET', capsKey, 'generation', generation)
    caps = { generation = generation }
  end
  redis.call('PEXPIRE', capsKey, ${WINDOW_MILLISECONDS})
  return answer('unseeded', generation)
end

local function plant(day, month)
  caps = { dayNumber = today, day = day, month = month, seededAt = now }
  redis.call('DEL', capsKey)
  redis.call('HSET', capsKey, 'dayNumber', today, 'day', day, 'month', month, 'seededAt', now)
  redis.call('PEXPIRE', capsKey, ${SEED_LIFETIME_MILLISECONDS + FORGETTING_MILLISECONDS})
end

local function refusalByCaps(wanted, dayCap, monthCap)
  local known = knownCaps()
  local age = known.dayNumber == today and math.abs(now - known.seededAt)
  if not age or age >= ${SEED_LIFETIME_MILLISECONDS} then
    local seedIsCurrent = tonumber(ARGV[2]) == today and (ARGV[5] == '' or ARGV[5] == known.generation)
    if not seedIsCurrent then return askForSeed(known.generation) end
    plant(tonumber(ARGV[3]), tonumber(ARGV[4]))
    known, age = caps, 0
  end
  local exceeded = nil
  if dayCap and known.day + tokensInFlight() + wanted > dayCap then exceeded = 'tokens-per-day'
  elseif monthCap and known.month + tokensInFlight() + wanted > monthCap then exceeded = 'tokens-per-month' end
  if not exceeded then return nil end
  if age >= ${REFUSING_SEED_MILLISECONDS} then return askForSeed(nil) end
  return answer(exceeded)
end

local function refusal(kind, wanted, limits)
  if (window and window.requests or 0) + 1 > tonumber(limits[1]) then return answer('requests-per-minute') end
  if kind ~= 'generation' then return nil end
  if (window and window.tokens or 0) + wanted > tonumber(limits[2]) then return answer('tokens-per-minute') end
  if slotsRunning() + 1 > tonumber(limits[3]) then return answer('concurrent-requests') end
  if limits[4] == '' and limits[5] == '' then return nil end
  return refusalByCaps(wanted, tonumber(limits[4]), tonumber(limits[5]))
end

local function admit(kind, member, wanted)
  if not window then
    window = { startedAt = now, requests = 0, tokens = 0 }
    opened = true
  end
  window.requests = window.requests + 1
  if kind == 'generation' then
    window.tokens = window.tokens + wanted
    running = running + 1
    if inFlight then inFlight = inFlight + wanted end
    slots[#slots + 1] = now + ${LEASE_MILLISECONDS}
    slots[#slots + 1] = member
  else
    counted[#counted + 1] = 'count:' .. member
    counted[#counted + 1] = 1
  end
  return answer('admitted')
end

local answers = {}
for first = 6, #ARGV, 8 do
  local kind, member, wanted = ARGV[first], ARGV[first + 1], tonumber(ARGV[first + 2])
  local limits = { ARGV[first + 3], ARGV[first + 4], ARGV[first + 5], ARGV[first + 6], ARGV[first + 7] }
  answers[#answers + 1] = refusal(kind, wanted, limits) or admit(kind, member, wanted)
end

if #slots + #counted > 0 then
  if opened then redis.call('DEL', windowKey) end
  redis.call('HSET', windowKey, 'startedAt', window.startedAt, 'requests', window.requests, 'tokens', window.tokens, unpack(counted))
  if opened then redis.call('PEXPIRE', windowKey, ${WINDOW_MILLISECONDS + FORGETTING_MILLISECONDS}) end
end
if #slots > 0 then
  redis.call('ZADD', slotsKey, unpack(slots))
  redis.call('PEXPIRE', slotsKey, ${LEASE_MILLISECONDS + FORGETTING_MILLISECONDS})
end
return answers
`;
