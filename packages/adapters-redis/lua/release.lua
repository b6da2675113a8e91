-- Takes admissions of one account back, one after the other.
--
-- Keys: window, slots, caps; then window and slots of each incident limit that an admission counts for.
-- Arguments: time; then of each admission kind, member, tokens, window's start ('' when it is not known), ending, tokens used,
-- the number of its incident limit among the keys (0 for none) and the start of that one's window.
--
-- A slot or count that is no longer there was released before, or its lease ended: nothing is given back then,
-- and the day is read from the ledger again rather than counted twice or not at all.

local planWindow, planSlots, capsKey = KEYS[1], KEYS[2], KEYS[3]
local now = timeFrom(ARGV[1])

local function giveBack(windowKey, startedAt, requests, tokens)
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

local function endCount(member, startedAt, ending)
  local isCounted = redis.call('HDEL', planWindow, 'count:' .. member) == 1
  if isCounted and ending == 'undone' then giveBack(planWindow, startedAt, 1, 0) end
end

-- Frees a slot; answers whether it was there.
local function vacate(windowKey, slotsKey, member, tokens, startedAt, ending)
  local isHeld = redis.call('ZREM', slotsKey, member) == 1
  if isHeld and ending ~= 'served' then giveBack(windowKey, startedAt, ending == 'undone' and 1 or 0, tokens) end
  return isHeld
end

for first = 2, #ARGV, RELEASE_ARGUMENTS do
  local kind, member, tokens, startedAt, ending = ARGV[first], ARGV[first + 1], tonumber(ARGV[first + 2]), ARGV[first + 3], ARGV[first + 4]
  local incident = tonumber(ARGV[first + 6])
  if kind == 'count' then
    endCount(member, startedAt, ending)
  else
    local isHeld = vacate(planWindow, planSlots, member, tokens, startedAt, ending)
    if ending == 'served' then countUsed(isHeld, tonumber(ARGV[first + 5])) end
    if incident > 0 then vacate(KEYS[2 + 2 * incident], KEYS[3 + 2 * incident], member, tokens, ARGV[first + 7], ending) end
  end
end
