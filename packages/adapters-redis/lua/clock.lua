-- The time in whole Unix milliseconds: Redis's own, unless a caller passes one, as deterministic tests do.
-- One clock for every process, so that no two of them disagree about a window.
local function timeFrom(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
