-- Gather and scatter: the worker sends indices to itself over the colour `loop`, and each names the
-- element that the instruction takes or writes. Indices count from the first element of the array.
local elementwise = require "mach.kernels.elementwise"
local text = require "mach.kernels.text"
local types = require "mach.kernels.types"

local indirect = {}

-- d = a[index], a[index] with b, or d[index] = a.
local function kernel(name, type, arguments, issue, apply)
  local made = {name = name .. "_" .. type.name, type = type, arguments = arguments, loop = true}
  function made.text(code)
    local n = #arguments
    text.take(code, n)
    for k, argument in ipairs(arguments) do
      if issue.base[argument] then text.base(code, issue.base[argument], k - 1) end
    end
    text.length(code, n - 2, n - 1)
    code:op("setdlen %s, r1", issue.length)
    code:op("setdlen sized, r1")
    code:op("mov32 loop_out, sized async feeding")
    code:op("%s", issue.text)
    code:op("wait feeding")
  end
  function made.apply(run, call)
    run:each(call, function(x, y, count)
      local d, a, b = run:at(call.d, x, y), run:at(call.a, x, y), run:at(call.b, x, y)
      local index = run:at(call.index, x, y)
      for i = 1, count do apply(type, d, a, index.list[index.first + i], b, i) end
    end)
  end
  return made
end

local function gathered(type, d, a, index, _, i) d.list[d.first + i] = a.list[a.first + 1 + index] end
local function gathered_with(compute)
  return function(type, d, a, index, b, i)
    d.list[d.first + i] = type.round(compute(a.list[a.first + 1 + index], b.list[b.first + i]))
  end
end
local function scattered(type, d, a, index, _, i) d.list[d.first + 1 + index] = a.list[a.first + i] end

-- Gathers, multiplies and sends to the neighbour on the left, in the first state of the exchange.
local function gather_mul_send(type)
  local shift = require "mach.kernels.shift"
  local made = {name = "gather_mul_send_" .. type.name, type = type, loop = true, neighbours = true,
                arguments = {"d", "a", "b", "index", "length", "mask", "senders"}}
  function made.text(code)
    text.take(code, 7)
    text.base(code, "to", 0)
    text.base(code, "gathered", 1)
    text.base(code, "second", 2)
    text.base(code, "sized", 3)
    text.length(code, 4, 5)
    code:op("mov32 r4, r1")
    text.length(code, 4, 6)
    code:op("setdlen sized, r1")
    code:op("setdlen gathered, r1")
    code:op("setdlen neighbour_in, r4")
    code:op("mov32 loop_out, sized async feeding")
    code:op("%s neighbour_out, gathered, second async sending", type.instruction.mul)
    code:op("%s to, neighbour_in", type.instruction.mov)
    code:op("wait feeding")
    code:op("wait sending")
    shift.turn(code, 1, #shift.states, made.name)
  end
  function made.apply(run, call)
    run:each(call, function(x, y, count)
      local a, b = run:at(call.a, x + 1, y), run:at(call.b, x + 1, y)
      local index, d = run:at(call.index, x + 1, y), run:at(call.d, x, y)
      for i = 1, count do
        d.list[d.first + i] = type.round(a.list[a.first + 1 + index.list[index.first + i]]
                                         * b.list[b.first + i])
      end
    end)
  end
  made.direction = shift.states[1]
  return made
end

function indirect.kernels()
  local kernels = {}
  for _, name in ipairs(types.names) do
    local type = types[name]
    local move = type.instruction.mov
    kernels[#kernels + 1] = kernel("gather", type, {"d", "a", "index", "length", "mask"},
      {base = {d = "to", a = "gathered", index = "sized"}, length = "gathered",
       text = move .. " to, gathered"}, gathered)
    kernels[#kernels + 1] = kernel("scatter", type, {"d", "a", "index", "length", "mask"},
      {base = {d = "scattered", a = "first", index = "sized"}, length = "first",
       text = move .. " scattered, first"}, scattered)
    for _, op in ipairs(elementwise.binary) do
      kernels[#kernels + 1] = kernel("gather_" .. op, type,
        {"d", "a", "b", "index", "length", "mask"},
        {base = {d = "to", a = "gathered", b = "second", index = "sized"}, length = "gathered",
         text = type.instruction[op] .. " to, gathered, second"},
        gathered_with(elementwise.compute[op]))
    end
    kernels[#kernels + 1] = gather_mul_send(type)
  end
  return kernels
end

return indirect
