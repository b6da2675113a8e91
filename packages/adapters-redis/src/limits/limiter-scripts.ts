/** Milliseconds a slot is held without a renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** How often the process that holds a slot renews it: two renewals may fail before the slot is lost. */
export const RENEWAL_MILLISECONDS = 10_000;
/** How long the figures of a day and month are counted on before the source of truth is asked again. */
export const SEED_LIFETIME_MILLISECONDS = 300_000;
/** No cap refuses on figures older than this: a refusal that lasts until midnight deserves another look. */
export const REFUSING_SEED_MILLISECONDS = 10_000;

export const WINDOW_MILLISECONDS = 60_000;
/** Redis forgets a key this much later than the scripts do. */
export const FORGETTING_MILLISECONDS = 5_000;

/**
 * The time, whole Unix milliseconds: Redis's own, unless a caller passes one, as deterministic tests do.
 * One clock for every process, so that no two of them disagree about a window.
 */
export const CLOCK = `
local function timeFrom(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** A window: a hash of startedAt, requests and tokens, and a field for each count_tokens request in it. */
export const WINDOW = `
local noWindow = { startedAt = -1, requests = 0, tokens = 0 }

local function openWindow(key, now)
  local found = redis.call('HMGET', key, 'startedAt', 'requests', 'tokens')
  if not found[1] then return nil end
  local window = { startedAt = tonumber(found[1]), requests = tonumber(found[2]), tokens = tonumber(found[3]) }
  if math.abs(now - window.startedAt) >= ${WINDOW_MILLISECONDS} then return nil end
  return window
end
`;

/** Keys: window, and the incident limit's where there is one. Arguments: time. Answers {time, window's start or -1, its requests, its tokens, the same three of the other}. */
export const QUOTA_SCRIPT = `${CLOCK}${WINDOW}
local now = timeFrom(ARGV[1])
local plan = openWindow(KEYS[1], now) or noWindow
local model = KEYS[2] and openWindow(KEYS[2], now) or noWindow
return { now, plan.startedAt, plan.requests, plan.tokens, model.startedAt, model.requests, model.tokens }
`;

/** Keys: slots. Arguments: time, then members. Adds what is missing, so that slots are back soon after Redis has lost them. */
export const RENEW_SCRIPT = `${CLOCK}
local expiresAt = timeFrom(ARGV[1]) + ${LEASE_MILLISECONDS}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], expiresAt, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ${LEASE_MILLISECONDS + FORGETTING_MILLISECONDS})
`;
