-- Decides about demands of one account in their order, each on what those before it were given, and counts what it admits.
-- The same rule as decideAdmission of the core, which a test compares it with.
--
-- Keys: window, slots, caps; then window and slots of each incident limit that a demand names.
-- Arguments: time; the day number, day, month and generation that the ledger was read for, '' at a first attempt;
-- then of each demand kind, member, tokens, the five limits of the plan ('' for no cap), the number of its incident limit among the keys
-- (0 for none) and that one's three limits ('' for what it does not limit).
-- Returns of each {status, time, window's start or -1, its requests, its tokens, generation, the same three of the incident limit's window,
-- what was used of the limit that refuses or -1}.
-- The status of a refusal by an incident limit is the limit's name after 'incident:'; 'unseeded' asks for the ledger to be read.
--
-- Members of the slots are named 'something:tokens', so that estimates in flight survive in the lease itself.
-- Windows are written before slots: a process that undoes an admission without an answer gives requests back only where it finds a slot.

local capsKey = KEYS[3]
local now = timeFrom(ARGV[1])
local today = math.floor(now / 86400000)
local inFlight, caps

-- What is counted in a window and its slots: the account's, or an incident limit's.
local function counterOf(windowKey, slotsKey)
  return { windowKey = windowKey, slotsKey = slotsKey, window = openWindow(windowKey, now), opened = false, slots = {}, counted = {} }
end

local plan = counterOf(KEYS[1], KEYS[2])
local incidents = {}
for key = 4, #KEYS, 2 do incidents[#incidents + 1] = counterOf(KEYS[key], KEYS[key + 1]) end

local function answer(status, incident, generation, used)
  local found = plan.window or noWindow
  local model = incident and incident.window or noWindow
  return { status, now, found.startedAt, found.requests, found.tokens, generation or '', model.startedAt, model.requests, model.tokens, used or -1 }
end

local function slotsRunning(counter)
  if counter.running then return counter.running end
  redis.call('ZREMRANGEBYSCORE', counter.slotsKey, '-inf', now)
  counter.running = redis.call('ZCARD', counter.slotsKey)
  return counter.running
end

local function tokensInFlight()
  if inFlight then return inFlight end
  inFlight = 0
  for _, slot in ipairs(redis.call('ZRANGE', plan.slotsKey, 0, -1)) do inFlight = inFlight + tonumber(string.match(slot, ':(%d+)$')) end
  for index = 2, #plan.slots, 2 do inFlight = inFlight + tonumber(string.match(plan.slots[index], ':(%d+)$')) end
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
  redis.call('PEXPIRE', capsKey, WINDOW)
  return 'unseeded', generation
end

local function plant(day, month)
  caps = { dayNumber = today, day = day, month = month, seededAt = now }
  redis.call('DEL', capsKey)
  redis.call('HSET', capsKey, 'dayNumber', today, 'day', day, 'month', month, 'seededAt', now)
  redis.call('PEXPIRE', capsKey, CALENDAR_LIFETIME + EXPIRY_MARGIN)
end

local function refusalByCaps(wanted, dayCap, monthCap)
  local known = knownCaps()
  local age = known.dayNumber == today and math.abs(now - known.seededAt)
  if not age or age >= CALENDAR_LIFETIME then
    local seedIsCurrent = tonumber(ARGV[2]) == today and (ARGV[5] == '' or ARGV[5] == known.generation)
    if not seedIsCurrent then return askForSeed(known.generation) end
    plant(tonumber(ARGV[3]), tonumber(ARGV[4]))
    known, age = caps, 0
  end
  local exceeded = nil
  if dayCap and known.day + tokensInFlight() + wanted > dayCap then exceeded = 'tokens-per-day'
  elseif monthCap and known.month + tokensInFlight() + wanted > monthCap then exceeded = 'tokens-per-month' end
  if not exceeded then return nil end
  if age >= REFUSING_CALENDAR then return askForSeed(nil) end
  return exceeded
end

local function exceedsRequests(counter, limit)
  return limit and (counter.window and counter.window.requests or 0) + 1 > limit
end

local function exceedsTokens(counter, limit, wanted)
  return limit and (counter.window and counter.window.tokens or 0) + wanted > limit
end

local function exceedsSlots(counter, limit)
  return limit and slotsRunning(counter) + 1 > limit
end

-- Returns a status, and a generation where the source of truth must be read first; nil when all limits have room.
local function refusal(first, kind, wanted, incident)
  local function limit(place) return tonumber(ARGV[first + place]) end
  if exceedsRequests(plan, limit(3)) then return 'requests-per-minute' end
  if kind ~= 'generation' then return nil end
  if incident and exceedsRequests(incident, limit(9)) then return 'incident:requests-per-minute' end
  if exceedsTokens(plan, limit(4), wanted) then return 'tokens-per-minute' end
  if incident and exceedsTokens(incident, limit(10), wanted) then return 'incident:tokens-per-minute' end
  if exceedsSlots(plan, limit(5)) then return 'concurrent-requests' end
  if incident and exceedsSlots(incident, limit(11)) then return 'incident:concurrent-requests' end
  local dayCap, monthCap = limit(6), limit(7)
  if dayCap or monthCap then return refusalByCaps(wanted, dayCap, monthCap) end
  return nil
end

-- What was used of the limit that a status names; nil where it names none.
local function usedOf(status, incident)
  local counter, limit = plan, status
  if string.sub(status, 1, 9) == 'incident:' then counter, limit = incident, string.sub(status, 10) end
  if limit == 'requests-per-minute' then return counter.window and counter.window.requests or 0 end
  if limit == 'tokens-per-minute' then return counter.window and counter.window.tokens or 0 end
  if limit == 'concurrent-requests' then return slotsRunning(counter) end
  if limit == 'tokens-per-day' then return caps.day + tokensInFlight() end
  if limit == 'tokens-per-month' then return caps.month + tokensInFlight() end
  return nil
end

local function countRequest(counter, wanted)
  if not counter.window then
    counter.window = { startedAt = now, requests = 0, tokens = 0 }
    counter.opened = true
  end
  counter.window.requests = counter.window.requests + 1
  counter.window.tokens = counter.window.tokens + wanted
  counter.isChanged = true
end

local function takeSlot(counter, member)
  counter.running = slotsRunning(counter) + 1
  counter.slots[#counter.slots + 1] = now + LEASE
  counter.slots[#counter.slots + 1] = member
end

local function admit(kind, member, wanted, incident)
  if kind ~= 'generation' then
    countRequest(plan, 0)
    plan.counted[#plan.counted + 1] = 'count:' .. member
    plan.counted[#plan.counted + 1] = 1
    return
  end
  countRequest(plan, wanted)
  takeSlot(plan, member)
  if inFlight then inFlight = inFlight + wanted end
  if incident then
    countRequest(incident, wanted)
    takeSlot(incident, member)
  end
end

local function write(counter)
  if not counter.isChanged then return end
  local window, windowKey, slotsKey = counter.window, counter.windowKey, counter.slotsKey
  if counter.opened then redis.call('DEL', windowKey) end
  redis.call('HSET', windowKey, 'startedAt', window.startedAt, 'requests', window.requests, 'tokens', window.tokens, unpack(counter.counted))
  if counter.opened then redis.call('PEXPIRE', windowKey, WINDOW + EXPIRY_MARGIN) end
  if #counter.slots == 0 then return end
  redis.call('ZADD', slotsKey, unpack(counter.slots))
  redis.call('PEXPIRE', slotsKey, LEASE + EXPIRY_MARGIN)
end

local answers = {}
for first = 6, #ARGV, DEMAND_ARGUMENTS do
  local kind, member, wanted, incident = ARGV[first], ARGV[first + 1], tonumber(ARGV[first + 2]), incidents[tonumber(ARGV[first + 8])]
  local status, generation = refusal(first, kind, wanted, incident)
  local used = status and usedOf(status, incident)
  if not status then
    admit(kind, member, wanted, incident)
    status = 'admitted'
  end
  answers[#answers + 1] = answer(status, incident, generation, used)
end

write(plan)
for _, incident in ipairs(incidents) do write(incident) end
return answers
