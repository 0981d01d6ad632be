-- The types of elements: f32 and f16 round to nearest even after each operation, i32 wraps, as the
-- instructions of the machine do. Floats are kept as Lua floats that the type has, integers as Lua
-- integers. Must never round twice: a result of two operands is exact or innocuous in 53 bits.
local host = require "wse.host"
local math_type, format, tostring = math.type, string.format, tostring
local pack, unpack_bits = string.pack, string.unpack
local huge = math.huge

local types = {}

-- The result of an operation that has no number: 0x7fc00000, as on the machine.
types.nan = unpack_bits("<d", "\0\0\0\0\0\0\xf8\x7f")
local nan = types.nan

-- A float type of p bits: x - 2^(53-p) x is x rounded to p bits plus a multiple of 2^(53-p) x, and
-- ties are even since 2^(53-p) x is. That holds from `least` (normal) to `most`; the rest is slow.
local function float_type(name, bytes, p, least, most, quantum)
  local scale, magic = 2.0 ^ (53 - p), 1.5 * 2.0 ^ 52 * quantum
  local overflow = most + 2.0 ^ -p * 2.0 ^ (p == 24 and 127 or 15)
  local function slow(x)
    if x ~= x then return nan end
    if x == 0 then return x end
    local size = x < 0 and -x or x
    if size >= overflow then return x < 0 and -huge or huge end
    if size >= least then return x - scale * x + scale * x end
    local r = (x + magic) - magic
    return r == 0 and (x < 0 and -0.0 or 0.0) or r
  end
  local function round(x)
    local m = x * scale
    local r = (x - m) + m
    if r >= least and r <= most or r <= -least and r >= -most then return r end
    return slow(x)
  end
  return {name = name, bytes = bytes, float = true, scale = scale, least = least, most = most,
          round = round, slow = slow}
end

types.f32 = float_type("f32", 4, 24, 2.0 ^ -126, (2.0 - 2.0 ^ -23) * 2.0 ^ 127, 2.0 ^ -149)
types.f16 = float_type("f16", 2, 11, 2.0 ^ -14, 65504.0, 2.0 ^ -24)

local function wrap(x) return ((x + 0x80000000) & 0xffffffff) - 0x80000000 end
types.i32 = {name = "i32", bytes = 4, float = false, round = wrap, most = 0x7fffffff}
types.wrap = wrap

-- Of f32 and f16: towards zero, saturated, 0 for what is no number.
function types.truncated(x)
  if x ~= x then return 0 end
  if x >= 2147483648.0 then return 0x7fffffff end
  if x <= -2147483648.0 then return -0x80000000 end
  return x < 0 and -(-x // 1 | 0) or x // 1 | 0
end

-- A value of `type_name` as one of `target`; both are texts.
function types.converted(x, type_name, target)
  if type_name == target then return x end
  if target == "i32" then return types.truncated(x) end
  return types[target].round(x * 1.0)
end

-- A number that the user gives, as one of the type; refused where the type has none near it.
function types.number(what, value, type_name)
  if type(value) ~= "number" then
    host.raise(format("%s: %s is given; a number is wanted", what,
                      value == nil and "nil" or "a " .. type(value)))
  end
  local kind = types[type_name]
  if kind.float then
    local rounded = kind.round(value * 1.0)
    if (rounded == huge or rounded == -huge) and value ~= rounded then
      host.raise(format("%s: %s is too large: the largest %s is %.9g", what, tostring(value), type_name,
                        kind.most))
    end
    return rounded
  end
  if math_type(value) == "float" and value % 1 == 0 and value >= -2.0 ^ 31 and value < 2.0 ^ 31 then
    value = value // 1 | 0
  end
  if math_type(value) ~= "integer" or value ~= wrap(value) then
    host.raise(format("%s: %s is no i32, an integer of -2147483648 to 2147483647", what,
                      tostring(value)))
  end
  return value
end

function types.check(what, name)
  if name ~= "f32" and name ~= "f16" and name ~= "i32" then
    host.raise(format("%s: the type %s is unknown; f32, f16 or i32 is wanted", what,
                      tostring(name)))
  end
  return name
end

-- The bits of a value, to compare runs: every NaN is the same.
function types.bits(x, type_name)
  if type_name == "i32" then return x & 0xffffffff end
  if x ~= x then return -1 end
  return (unpack_bits("<I4", pack("<f", x)))
end

return types
