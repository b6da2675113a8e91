import { CLOCK } from './limiter-scripts.js';

/**
 * Takes admissions of one account back, one after the other.
 * Keys: window, slots, caps. Arguments: time; then of each admission kind, member, tokens, window's start ('' when it is not known), ending, tokens used.
 * A slot or count that is no longer there was released before, or its lease ended: nothing is given back then,
 * and the day is read from the source of truth again rather than counted twice or not at all.
 */
export const RELEASE_SCRIPT = `${CLOCK}
local windowKey, slotsKey, capsKey = KEYS[1], KEYS[2], KEYS[3]
local now = timeFrom(ARGV[1])

local function giveBack(startedAt, requests, tokens)
  local found = redis.call('HMGET', windowKey, 'startedAt', 'requests')
  if not found[1] or (startedAt ~= '' and startedAt ~= found[1]) then return end
  if tonumber(found[2]) <= requests then
    redis.call('DEL', windowKey)
    return
  end
  -- Not -requests: that of 0 is written '-0', which Redis takes for no number.
  redis.call('HINCRBY', windowKey, 'requests', 0 - requests)
  redis.call('HINCRBY', windowKey, 'tokens', 0 - tokens)
end

local function countUsed(isHeld, used)
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

local function release(kind, member, tokens, startedAt, ending, used)
  if kind == 'count' then
    local isCounted = redis.call('HDEL', windowKey, 'count:' .. member) == 1
    if isCounted and ending == 'undone' then giveBack(startedAt, 1, 0) end
    return
  end
  local isHeld = redis.call('ZREM', slotsKey, member) == 1
  if ending == 'served' then
    countUsed(isHeld, used)
  elseif isHeld then
    giveBack(startedAt, ending == 'undone' and 1 or 0, tokens)
  end
end

for first = 2, #ARGV, 6 do
  release(ARGV[first], ARGV[first + 1], tonumber(ARGV[first + 2]), ARGV[first + 3], ARGV[first + 4], tonumber(ARGV[first + 5]))
end
`;
