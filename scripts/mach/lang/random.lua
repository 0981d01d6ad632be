-- Random numbers of each worker: xorshift32, whose state is one word per worker. The machine's own
-- random16 cannot be used: it begins alike on all PEs and takes no seed. Must never draw for an
-- element that is not written, so that numbers depend on the program alone.
local random = {}

local function mix(h)
  h = ((h ~ (h >> 16)) * 0x85ebca6b) & 0xffffffff
  h = ((h ~ (h >> 13)) * 0xc2b2ae35) & 0xffffffff
  return h ~ (h >> 16)
end

-- The first state of worker (x, y); never 0, where the generator would stay.
function random.first_state(seed, x, y)
  local h = mix((seed & 0xffffffff) ~ 0x9e3779b9)
  h = mix((h + x * 0x9e3779b1 + 1) & 0xffffffff)
  h = mix((h + y * 0x85ebca77 + 1) & 0xffffffff)
  return h == 0 and 0x6d2b79f5 or h
end

-- The state after it, unsigned.
function random.next_state(s)
  s = s ~ ((s << 13) & 0xffffffff)
  s = s ~ (s >> 17)
  return s ~ ((s << 5) & 0xffffffff)
end

-- How a state becomes an element: 24 bits below 1 as f32, rounded once after the multiplication by
-- the span and once after the addition; 31 bits modulo the span as i32.
function random.drawing(type_name, low, span, round)
  if type_name == "i32" then
    return function(s) return low + (s >> 1) % span end
  end
  return function(s) return round(round((s >> 8) * 2.0 ^ -24 * span) + low) end
end

return random
