-- The types of elements: bytes, instructions, rounding in Lua, the bits of a value in a word.
local elements = require "mach.kernels.rounding"
local format = string.format

local types = {}

local function instructions(suffix, names)
  local set = {}
  for _, name in ipairs(names) do set[name] = format(suffix, name) end
  return set
end

local kNames = {"add", "sub", "mul", "min", "max", "neg", "abs", "mov"}

local function wrapped(v)
  v = (v // 1 | 0) & 0xffffffff
  return v >= 1 << 31 and v - (1 << 32) or v
end

types.f32 = {name = "f32", bytes = 4, round = elements.f32, instruction = instructions("f%ss", kNames),
             bits = function(v) return (string.unpack("<I4", string.pack("<f", v))) end}
types.f16 = {name = "f16", bytes = 2, round = elements.f16, instruction = instructions("f%sh", kNames),
             bits = elements.f16_bits}
types.i32 = {name = "i32", bytes = 4, round = wrapped, instruction = instructions("%s32", kNames),
             bits = function(v) return v & 0xffffffff end}
types.f32.instruction.mac, types.f16.instruction.mac = "fmacs", "fmach"
types.names = {"f32", "f16", "i32"}

return types
