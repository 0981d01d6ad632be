-- Kernels that work on elements of a worker's own memory, one by one: binary ones, those with a
-- number, unary ones, fill, multiply-add. A kernel is
--   {name, type, arguments = {names}, text = function(code), apply = function(reference, call)}
-- Each has a twin NAME_local whose length is a scalar of the worker, at most the extent.
local text = require "mach.kernels.text"
local types = require "mach.kernels.types"
local format, ipairs, max, min = string.format, ipairs, math.max, math.min

local elementwise = {}

-- Operations that the machine computes; min and max of numbers.
elementwise.compute = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, min = function(a, b) return min(a, b) end,
  max = function(a, b) return max(a, b) end,
  neg = function(a) return -a end, abs = math.abs, copy = function(a) return a end,
}

elementwise.binary = {"add", "sub", "mul", "min", "max"}

-- Where the sources and the destination are: descriptors by argument.
local kDescriptor = {d = "to", a = "first", b = "second"}

-- sources: of "a", "b", "value". issue: the last instruction. compute(a, b, value).
local function kernel(name, type, sources, is_local, issue, compute)
  local arguments = {"d"}
  for _, source in ipairs(sources) do arguments[#arguments + 1] = source end
  local length = #arguments
  for _, last in ipairs(is_local and {"length", "mask", "stop"} or {"length", "mask"}) do
    arguments[#arguments + 1] = last
  end
  local made = {name = name .. "_" .. type.name .. (is_local and "_local" or ""), type = type,
                arguments = arguments}
  function made.text(code)
    text.take(code, #arguments)
    local first = sources[1] == "value" and "sized" or "first"
    for k, argument in ipairs(arguments) do
      if argument == "d" then text.base(code, first == "sized" and "sized" or "to", k - 1)
      elseif kDescriptor[argument] then text.base(code, kDescriptor[argument], k - 1)
      elseif argument == "value" then text.load(code, "r3", k - 1) end
    end
    text.length(code, length, length + 1, is_local and length + 2)
    code:op("setdlen %s, r1", first)
    code:op("%s", issue)
  end
  function made.apply(run, call)
    run:each(call, function(x, y, count)
      local d, a, b = run:at(call.d, x, y), run:at(call.a, x, y), run:at(call.b, x, y)
      for i = 1, count do
        d.list[d.first + i] = type.round(compute(a and a.list[a.first + i], b and b.list[b.first + i],
                                                 call.value))
      end
    end)
  end
  return made
end

local function add_type(kernels, type)
  local function both(...)
    local name, sources, issue, compute = ...
    kernels[#kernels + 1] = kernel(name, type, sources, false, issue, compute)
    kernels[#kernels + 1] = kernel(name, type, sources, true, issue, compute)
  end
  local instruction = type.instruction
  for _, name in ipairs(elementwise.binary) do
    local compute = elementwise.compute[name]
    both(name, {"a", "b"}, format("%s to, first, second", instruction[name]), compute)
    both(name .. "_value", {"a", "value"}, format("%s to, first, r3", instruction[name]),
         function(a, _, value) return compute(a, value) end)
  end
  for name, instruction_name in pairs{neg = "neg", abs = "abs", copy = "mov"} do
    both(name, {"a"}, format("%s to, first", instruction[instruction_name]),
         elementwise.compute[name])
  end
  both("fill", {"value"}, format("%s sized, r3", instruction.mov),
       function(_, _, value) return value end)
  if instruction.mac then
    -- rounded once: exact in double precision for f16, and as near as that for f32
    both("fma", {"a", "b", "value"}, format("%s to, first, second, r3", instruction.mac),
         function(a, b, value) return a + b * value end)
  end
end

function elementwise.kernels()
  local kernels = {}
  for _, name in ipairs(types.names) do add_type(kernels, types[name]) end
  table.sort(kernels, function(p, q) return p.name < q.name end)
  return kernels
end

return elementwise
