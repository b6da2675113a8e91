-- Keys: window, and the incident limit's where there is one.
-- Arguments: time.
-- Returns {time, window's start or -1, its requests, its tokens, the same three of the other}.
local now = timeFrom(ARGV[1])
local plan = openWindow(KEYS[1], now) or noWindow
local model = KEYS[2] and openWindow(KEYS[2], now) or noWindow
return { now, plan.startedAt, plan.requests, plan.tokens, model.startedAt, model.requests, model.tokens }
