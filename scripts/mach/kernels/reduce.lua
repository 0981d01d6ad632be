-- Sums, minima and maxima: of a worker, into one of its scalars, and of all workers, whose words go to
-- their reduction PEs by the code's own `send_word` (vm/column.lua). Sums of f16 are f32. The value is received by an RPC of
-- its own (`receive`), or by the executive, so that work in between hides the way.
local text = require "mach.kernels.text"
local types = require "mach.kernels.types"
local ipairs, max, min = ipairs, math.max, math.min

local reduce = {}

local kFolds = {sum = function(a, b) return a + b end, min = min, max = max}

-- Values that change nothing, as a number of the language and as one of Lua; in what type words travel.
reduce.identity = {
  f32 = {sum = "0.0", min = "inf", max = "-inf"},
  i32 = {sum = "0", min = "0x7fffffff", max = "-0x80000000"},
}
local kStart = {
  f32 = {sum = 0.0, min = math.huge, max = -math.huge},
  i32 = {sum = 0, min = 0x7fffffff, max = -0x80000000},
}
reduce.travels = {f32 = "f32", f16 = "f32", i32 = "i32"}
reduce.operations = {"sum", "min", "max"}

-- The instruction of an operation on the words that travel.
function reduce.instruction(operation, type_name)
  return types[reduce.travels[type_name]].instruction[operation == "sum" and "add" or operation]
end

-- r6 = the worker's elements, of which there are r1.
local function accumulate(code, operation, type)
  local identity = reduce.identity[reduce.travels[type.name]][operation]
  code:op("setdlen first, r1")
  if type.name ~= "f16" then
    code:op("mov32 r6, %s", identity)
    code:op("%s r6, r6, first", reduce.instruction(operation, type.name))
  elseif operation == "sum" then
    code:op("mov32 r6, 0.0")
    code:op("faddhs r6, first, r6")
  else
    code:op("mov16 r6, %s", operation == "min" and "0x7c00" or "0xfc00")
    code:op("f%sh r6, r6, first", operation)
    code:op("fh2s r6, r6")
  end
end

-- Reduces the values in Lua, in the machine's order.
function reduce.fold(operation, type, values)
  local travels = types[reduce.travels[type.name]]
  local total = kStart[travels.name][operation]
  for _, value in ipairs(values) do total = travels.round(kFolds[operation](total, value)) end
  return total
end

local function own_value(run, call, operation, type, x, y, count)
  local a = run:at(call.a, x, y)
  return reduce.fold(operation, type, table.move(a.list, a.first + 1, a.first + count, 1, {}))
end

local function local_kernel(operation, type)
  local made = {name = operation .. "_own_" .. type.name, type = type,
                arguments = {"scalar", "a", "length", "mask"}}
  function made.text(code)
    text.take(code, 4)
    text.load(code, "r4", 0)
    text.base(code, "first", 1)
    text.length(code, 2, 3)
    accumulate(code, operation, type)
    text.load(code, "r2", 3)  -- who does not take part keeps its scalar
    code:op("mov16 r2, masks[r2]")
    code:op("beq   r2, 0, %s_done", made.name)
    code:op("mov32 scalars[r4], r6")
    code:line("%s_done:", made.name)
  end
  function made.apply(run, call)
    run:each(call, function(x, y, count)
      run:set_scalar(call.scalar, x, y, own_value(run, call, operation, type, x, y, count), type)
    end)
  end
  return made
end

local function global_kernel(operation, type, to)
  local made = {name = operation .. "_to_" .. to .. "_" .. type.name, type = type,
                arguments = {"a", "length", "mask"},
                reduction = {operation = operation, type = type.name, to = to}}
  function made.text(code)
    text.take(code, 3)
    text.base(code, "first", 0)
    text.length(code, 1, 2)
    accumulate(code, operation, type)
    code:send_word(made.name, reduce.instruction(operation, type.name))
  end
  function made.apply(run, call)
    local own = {}
    run:each({length = call.length, mask = call.mask, all = true}, function(x, y, count)
      own[y] = own[y] or {}
      own[y][x] = own_value(run, call, operation, type, x, y, count)
    end)
    run:reduced(to, function(values) return reduce.fold(operation, type, values) end, own)
  end
  return made
end

-- The value of the last reduction to the workers, into a scalar.
local function receive_kernel()
  local made = {name = "receive", arguments = {"scalar"}, receives = true}
  function made.text(code)
    text.take(code, 1)
    text.load(code, "r1", 0)
    code:op("mov32 r2, total_in")
    code:op("mov32 scalars[r1], r2")
  end
  function made.apply(run, call) run:receive(call.scalar) end
  return made
end

function reduce.kernels()
  local kernels = {receive_kernel()}
  for _, name in ipairs(types.names) do
    for _, operation in ipairs(reduce.operations) do
      kernels[#kernels + 1] = local_kernel(operation, types[name])
      for _, to in ipairs{"workers", "controller"} do
        kernels[#kernels + 1] = global_kernel(operation, types[name], to)
      end
    end
  end
  return kernels
end

return reduce
