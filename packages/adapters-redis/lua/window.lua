-- The time in whole Unix milliseconds: Redis's own, unless a caller passes one, as deterministic tests do.
-- One clock for every process, so that no two of them disagree about a window.
local function timeFrom(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A window: a hash of startedAt, requests and tokens, and a field for each count_tokens request in it.
local noWindow = { startedAt = -1, requests = 0, tokens = 0 }

local function openWindow(key, now)
  local found = redis.call('HMGET', key, 'startedAt', 'requests', 'tokens')
  if not found[1] then return nil end
  local window = { startedAt = tonumber(found[1]), requests = tonumber(found[2]), tokens = tonumber(found[3]) }
  if math.abs(now - window.startedAt) >= WINDOW then return nil end
  return window
end
