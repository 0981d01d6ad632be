-- The types of a product: instructions, bytes, and how Lua rounds as they do.
local host = require "wse.host"
local format, abs, floor, log = string.format, math.abs, math.floor, math.log

local elements = {}

-- The number of `digits` binary digits nearest to v, ties to even; `least`: the smallest exponent,
-- below which numbers are subnormal; from `too_large` on it is infinite.
local function round(v, digits, least, too_large)
  if v == 0 or v ~= v or abs(v) == math.huge then return v end
  local magnitude = abs(v)
  local exponent = floor(log(magnitude, 2))
  if 2.0 ^ exponent > magnitude then exponent = exponent - 1 end
  if 2.0 ^ (exponent + 1) <= magnitude then exponent = exponent + 1 end
  local unit = 2.0 ^ (math.max(exponent, least) - digits + 1)
  local rounded = (magnitude / unit + 2.0 ^ 52 - 2.0 ^ 52) * unit
  if rounded >= too_large then rounded = math.huge end
  return v < 0 and -rounded or rounded
end

function elements.f16(v) return round(v, 11, -14, 65536.0) end
function elements.f32(v) return round(v, 24, -126, 2.0 ^ 128) end

-- `unit`: half the distance of neighbours, of numbers from 1 to 2. `most_exact`: integers up to it
-- are exact. `rate`: which entry of a profile says how many multiply-adds there are in a cycle.
local kTypes = {
  f16 = {bytes = 2, unit = 2.0 ^ -11, most_exact = 2048, move = "fmovh", add = "faddh",
         round = elements.f16},
  f32 = {bytes = 4, unit = 2.0 ^ -24, most_exact = 1 << 24, move = "fmovs", add = "fadds",
         round = elements.f32},
}

local kMultiplyAdd = {
  f16 = {f16 = {name = "fmach", rate = "simd_16bit"}, f32 = {name = "fmachs", rate = "simd_32bit"}},
  f32 = {f32 = {name = "fmacs", rate = "simd_other"}},
}

-- {input =, sum = rows of kTypes with `name`, multiply_add =, rate =}
function elements.of(type_name, accumulate)
  local input, sum = kTypes[type_name], kTypes[accumulate]
  if not input then host.raise(format("type = %s: f16 or f32 is wanted", tostring(type_name))) end
  if not sum then
    host.raise(format("accumulate = %s: f16 or f32 is wanted", tostring(accumulate)))
  end
  local row = kMultiplyAdd[type_name][accumulate]
  if not row then
    host.raise(format("accumulate = %s: products of type=%s are added in f32", accumulate,
                      type_name))
  end
  return {input = input, sum = sum, input_name = type_name, sum_name = accumulate,
          multiply_add = row.name, rate = row.rate}
end

return elements
