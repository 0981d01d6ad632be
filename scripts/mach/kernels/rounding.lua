-- How Lua rounds as the machine does: to nearest, ties to even, subnormals kept.
local abs, floor, log, huge = math.abs, math.floor, math.log, math.huge

local rounding = {}

function rounding.f32(v) return (string.unpack("<f", string.pack("<f", v))) end

-- The f16 nearest to v.
function rounding.f16(v)
  if v == 0 or v ~= v or abs(v) == huge then return v + 0.0 end
  local magnitude = abs(v)
  local exponent = floor(log(magnitude, 2))
  if 2.0 ^ exponent > magnitude then exponent = exponent - 1 end
  if 2.0 ^ (exponent + 1) <= magnitude then exponent = exponent + 1 end
  local unit = 2.0 ^ (math.max(exponent, -14) - 10)
  local rounded = (magnitude / unit + 2.0 ^ 52 - 2.0 ^ 52) * unit
  if rounded >= 65536.0 then rounded = huge end
  return v < 0 and -rounded or rounded
end

-- The 16 bits of v, which is an f16.
function rounding.f16_bits(v)
  local sign = (v < 0 or 1 / v < 0) and 0x8000 or 0
  if v ~= v then return 0x7e00 end
  v = abs(v)
  if v == huge then return sign | 0x7c00 end
  if v < 2.0 ^ -14 then return sign | (v * 2.0 ^ 24) // 1 | 0 end
  local exponent = floor(log(v, 2))
  if 2.0 ^ exponent > v then exponent = exponent - 1 end
  if 2.0 ^ (exponent + 1) <= v then exponent = exponent + 1 end
  return sign | (exponent + 15) << 10 | ((v / 2.0 ^ exponent - 1) * 1024) // 1 | 0
end

return rounding
