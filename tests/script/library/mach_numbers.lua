-- Does the interpreter of mach give the bits of the machine? Each operation on each type, over values
-- that round to nothing, to infinity, to ties, to subnormals; zeros of both signs, infinities, NaN.
-- The machine computes the same in vectors, or in a loop where it has no vector instruction.
local mach = require "mach"
local types = require "mach.lang.types"
local wse = require "wse"
local random = require "mach.lang.random"

local kCount = 3000
local kEdges = {
  f32 = {0.0, -0.0, 1.0, -1.0, 1 / 0, -1 / 0, 0 / 0, 2.0 ^ -149, -2.0 ^ -149, 2.0 ^ -126,
         2.0 ^ -126 - 2.0 ^ -149, (2 - 2.0 ^ -23) * 2.0 ^ 127, 2.0 ^ 127, 16777216.0, 16777215.0, 0.5,
         1 + 2.0 ^ -23, 2 - 2.0 ^ -23, 3.0, 2147483648.0, -2147483648.0, 2147483520.0},
  f16 = {0.0, -0.0, 1.0, -1.0, 1 / 0, -1 / 0, 0 / 0, 2.0 ^ -24, -2.0 ^ -24, 2.0 ^ -14,
         2.0 ^ -14 - 2.0 ^ -24, 65504.0, 32768.0, 2048.0, 2047.0, 0.5, 1 + 2.0 ^ -10, 3.0},
  i32 = {0, 1, -1, 2147483647, -2147483648, 65536, -65536, 46341, 7, -7, 1000000007},
}

local state = 12345
local function draw()
  state = random.next_state(state)
  return state
end

-- A number of any magnitude that the type has.
local function any(type_name)
  if type_name == "i32" then return types.wrap(draw()) end
  local range = type_name == "f32" and 250 or 38
  local number = (draw() / 2.0 ^ 32 + 1) * 2.0 ^ (draw() % range - range // 2)
  return types[type_name].round(draw() % 2 == 0 and number or -number)
end

local function values_of(type_name)
  local a, b, edges = {}, {}, kEdges[type_name]
  for _, x in ipairs(edges) do
    for _, y in ipairs(edges) do a[#a + 1], b[#b + 1] = x, y end
  end
  while #a < kCount do
    a[#a + 1], b[#b + 1] = any(type_name), any(type_name)
    -- Neighbours in size, where sums round and differences cancel.
    a[#a + 1], b[#b + 1] = a[#a], types[type_name].round(a[#a] * (type_name == "i32" and 3 or 1.0001))
  end
  return a, b
end

local kVectors = {
  f32 = {add = "fadds", sub = "fsubs", mul = "fmuls", min = "fmins", max = "fmaxs", neg = "fnegs",
         abs = "fabss"},
  f16 = {add = "faddh", sub = "fsubh", mul = "fmulh", min = "fminh", max = "fmaxh", neg = "fnegh",
         abs = "fabsh"},
  i32 = {add = "add32", sub = "sub32", mul = "mul32", min = "min32", max = "max32", neg = "neg32",
         abs = "abs32"},
}
local kScalars = {f32 = {div = "fdivs", sqrt = "fsqrts"}, f16 = {div = "fdivh", sqrt = "fsqrth"},
                  i32 = {div = "divs32"}}
local kUnary = {neg = true, abs = true, sqrt = true}

local function operation(op, a, b)
  if op == "add" then return a + b end
  if op == "sub" then return a - b end
  if op == "mul" then return a * b end
  if op == "div" then return a / b end
  if op == "neg" then return -a end
  return kUnary[op] and mach[op](a) or mach[op](a, b)
end

-- The machine's results of one operation.
local function by_machine(type_name, op, a, b)
  local vector, scalar = kVectors[type_name][op], kScalars[type_name][op]
  local operands = kUnary[op] and "a" or "a, b"
  local body = vector and ("    %s d, %s\n"):format(vector, operands) or ([[
    mov32 k, 0
  again:
    %s v, a[k]
    %s
    %s d[k], v
    add32 k, k, 1
    blt k, %d, again
]]):format(type_name == "f16" and "mov16" or "mov32",
           kUnary[op] and scalar .. " v, v"
           or (type_name == "f16" and "mov16" or "mov32") .. " w, b[k]\n    " .. scalar .. " v, v, w",
           type_name == "f16" and "mov16" or "mov32", #a)
  local text = ([[
.grid 1, 1
.program p
  .%s a[%d] exported
  .%s b[%d] exported
  .%s d[%d] exported
  .reg k, v, w
  task main:
%s.place p at (0, 0)
]]):format(type_name, #a, type_name, #a, type_name, #a, body)
  return wse.run{text = text, inputs = {a = a, b = b}, machine = {base = "model",
                                                                  memory_bytes = 1 << 20}}:array("d")
end

local function by_interpreter(type_name, op, a, b)
  local p = mach.program{width = 4, height = 2, machine = {base = "model", memory_bytes = 1 << 20}}
  local function same(list) return function(_, _, i) return list[i + 1] end end
  local n = #a
  local left, right = p:LA("a", n, same(a), type_name), p:LA("b", n, same(b), type_name)
  local d = p:LA("d", n, nil, type_name)
  d:set(operation(op, left, right))
  local result = p:run{wafer = false}:array("d")
  local list = {}
  for k = 1, n do list[k] = result[k] end
  return list
end

local compared = 0
for _, type_name in ipairs{"f32", "f16", "i32"} do
  local a, b = values_of(type_name)
  for _, op in ipairs{"add", "sub", "mul", "div", "min", "max", "neg", "abs", "sqrt"} do
    if kVectors[type_name][op] or kScalars[type_name][op] then
      local right = b
      if type_name == "i32" and op == "div" then
        right = {}
        for k = 1, #b do right[k] = b[k] == 0 and 1 or b[k] end
      end
      local machine, own = by_machine(type_name, op, a, right), by_interpreter(type_name, op, a, right)
      for k = 1, #a do
        local x, y = types.bits(machine[k], type_name), types.bits(own[k], type_name)
        assert(x == y, ("%s of %s: %s, %s: the machine has %s, the interpreter %s"):format(
               op, type_name, tostring(a[k]), tostring(right[k]), tostring(machine[k]),
               tostring(own[k])))
        compared = compared + 1
      end
    end
  end
end
-- ---- conversions

local kConversions = {{"f32", "i32", "fs2xp32"}, {"i32", "f32", "xp322fs"}, {"f16", "f32", "fh2s"},
                      {"f32", "f16", "fs2h"}}
for _, row in ipairs(kConversions) do
  local from, to, mnemonic = table.unpack(row)
  local a = values_of(from)
  local machine = wse.run{text = ([[
.grid 1, 1
.program p
  .%s a[%d] exported
  .%s d[%d] exported
  task main:
    %s d, a
.place p at (0, 0)
]]):format(from, #a, to, #a, mnemonic), inputs = {a = a},
    machine = {base = "model", memory_bytes = 1 << 20}}:array("d")
  local p = mach.program{width = 4, height = 2, machine = {base = "model", memory_bytes = 1 << 20}}
  local left = p:LA("a", #a, function(_, _, i) return a[i + 1] end, from)
  local d = p:LA("d", #a, nil, to)
  d:set(mach.convert(left, to))
  local own = p:run{wafer = false}:array("d")
  for k = 1, #a do
    assert(types.bits(machine[k], to) == types.bits(own[k], to), ("%s of %s: %s, not %s"):format(
           mnemonic, tostring(a[k]), tostring(machine[k]), tostring(own[k])))
    compared = compared + 1
  end
end
print(compared .. " results agree in all bits")
