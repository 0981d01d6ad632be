-- Random programs: kernels of all families on arrays of all types, cut into sections, some of them
-- empty, in loops. The same seed gives the same program.
local kernels = require "mach.kernels"
local vm = require "mach.vm"
local format = string.format

local random = {}

-- Numbers of its own, so that a seed means the same everywhere.
local Source = {}
Source.__index = Source

function random.source(seed)
  return setmetatable({state = (seed * 0x9e3779b97f4a7c15) ~ 0x2545f4914f6cdd1d}, Source)
end

-- An integer of first to last.
function Source:integer(first, last)
  local s = self.state
  s = s ~ (s << 13)
  s = s ~ (s >> 7)
  s = s ~ (s << 17)
  self.state = s
  return first + (s >> 11) % (last - first + 1)
end

function Source:one_of(list) return list[self:integer(1, #list)] end

local kTypes = {"f32", "f16", "i32"}

-- Three arrays of each type, small numbers, and indices.
local function arrays(p, nz, seed)
  for t, type in ipairs(kTypes) do
    for k, letter in ipairs{"a", "b", "c"} do
      p:array(type .. "_" .. letter, type, nz, function(x, y, i)
        local v = (x * 7 + y * 13 + i * (2 * k + t) + seed % 64) % 17 - 8
        return type == "i32" and v or v / 4
      end)
    end
  end
  p:array("order", "i32", nz, function(x, y, i) return (i * 5 + x + y) % nz end)
  -- scalar 0: own lengths
  p:scalar_values(function(k, x, y) return k == 0 and (x + 3 * y) % (nz + 3) - 1 or 0 end)
end

local kSlices = {":", ":", ":", "1:", ":-1", "1:-1", "::2", "1::3"}

-- Kernels whose f16 and f32 grow for ever when they are repeated.
local kWild = {mul = true, mul_value = true, fma = true, gather_mul = true, gather_mul_send = true}

-- Scatter writes an element once where indices are a permutation, so nz and 5 have no common factor.
local function call_of(source, p, kernel, nz)
  local call, type = {kernel.name}, kernel.type and kernel.type.name
  for _, name in ipairs(kernel.arguments) do
    if name == "index" then call.index = "order"
    elseif name:match("^d%d$") then call[name] = type .. "_c"
    elseif name == "d" or name == "a" or name == "b" then
      call[name] = type .. "_" .. source:one_of{"a", "b", "c"}
    elseif name == "value" then
      local v = source:integer(-4, 4)
      call.value = type == "i32" and v or v / 2
      if source:integer(1, 3) == 1 then  -- a third of them comes from the executive
        call.value, call.immediate = vm.immediate, call.value
      end
    elseif name == "length" then call.length = source:integer(0, nz)
    elseif name == "scalar" then call.scalar = source:integer(1, 7)
    elseif name == "stop" then call.stop = 0 end
  end
  -- words on their way are not written over, and gathers do not write what they read
  if kernel.neighbours or kernel.loop then
    if call.d then
      call.a = type .. "_a"
      if call.b then call.b = type .. "_b" end
      call.d = type .. "_c"
    elseif call.a then
      call.a = type .. "_a"
    end
  end
  call.x, call.y = source:one_of(kSlices), source:one_of(kSlices)
  if kernel.family == "reduce" or kernel.name:match("^exchange") then call.x, call.y = nil, nil end
  return call
end

-- The kernels that random calls choose from: no products, which leave the range of f16.
local function choices(only)
  if only then return {kernels.by_name[only]} end
  local list = {}
  for _, name in ipairs(kernels.names) do
    local kernel = kernels.by_name[name]
    local base = name:gsub("_local$", ""):gsub("_[fi]%d+$", "")
    if not kernel.receives and not kWild[base] or name:match("^mul.*i32") then
      list[#list + 1] = kernel
    end
  end
  return list
end

-- The program and its steps: `rpcs` calls in `sections` sections; `only`: of one kernel.
function random.program(options)
  local source = random.source(options.seed)
  local nz = options.nz % 5 == 0 and options.nz + 1 or options.nz
  local p = vm.program{width = options.width, height = options.height, response = options.response}
  arrays(p, nz, options.seed)
  local list, calls, values = choices(options.only), {}, 0
  for k = 1, options.rpcs do
    local kernel = source:one_of(list)
    calls[#calls + 1] = call_of(source, p, kernel, nz)
    if kernel.reduction and kernel.reduction.to == "workers" then
      calls[#calls + 1] = {"receive", scalar = source:integer(1, 7)}
    end
  end
  -- cuts at random places; equal ones make empty sections
  local cuts = {}
  for k = 1, options.sections - 1 do cuts[k] = source:integer(0, #calls) end
  table.sort(cuts)
  cuts[#cuts + 1] = #calls
  local steps, first = {}, 1
  for _, last in ipairs(cuts) do
    local section, immediates, to_controller, open, balanced = {}, {}, 0, 0, true
    for k = first, last do
      local kernel = kernels.by_name[calls[k][1]]
      section[#section + 1] = calls[k]
      if calls[k].immediate then
        immediates[#immediates + 1] = calls[k].immediate
        calls[k].immediate = nil
      end
      if kernel.reduction and kernel.reduction.to == "controller" then
        to_controller = to_controller + 1
      end
      if kernel.reduction and kernel.reduction.to == "workers" then open = open + 1 end
      if kernel.receives then open = open - 1 end
      balanced = balanced and open >= 0
    end
    first = last + 1
    balanced = balanced and open == 0  -- a value is received as often as it is sent
    local step = {"section", p:section(section), immediates}
    if to_controller == 0 and balanced and source:integer(1, 4) == 1 then
      step = {"loop", source:integer(0, 3), {step}}
    end
    steps[#steps + 1] = step
    for _ = 1, to_controller do
      values = values + 1
      local name = format("value_%d", values)
      p:global(name, "u32")
      steps[#steps + 1] = {"receive", name}
    end
  end
  return p, steps
end

return random
