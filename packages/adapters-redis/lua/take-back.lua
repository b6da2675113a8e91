-- Keys: a count.
-- Arguments: units.
-- Lowers the count, to zero at the lowest. Returns {total, milliseconds to the end of its window}.
local held = tonumber(redis.call('GET', KEYS[1]) or '0')
if held <= 0 then return { 0, 0 } end
local left = math.max(0, held - tonumber(ARGV[1]))
redis.call('DECRBY', KEYS[1], held - left)
return { left, redis.call('PTTL', KEYS[1]) }
