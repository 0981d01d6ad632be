-- The text of numbers of a step: totals, which an all-reduce adds up over all PEs, what PEs compute of them, and when a run stops. All PEs
-- have the same numbers, so they all stop in one step.
local descriptors = require "stencil.emit.descriptors"
local format = string.format

local numbers = {}

local kWords = {add = "fadds", sub = "fsubs", mul = "fmuls", div = "fdivs"}
local kKinds = {"operator", "totals", "updates"}  -- of groups: with an exchange, with totals, without both

-- Returns the text of an operand; a number has a point, since what is moved as an integer keeps the bits of one.
local function text_of(operand)
  if type(operand) ~= "number" then return operand end
  local text = format("%.17g", operand)
  return text:find("[%.e]") and text or text .. ".0"
end

-- Returns the most totals that a group of a step has.
function numbers.most_totals(step)
  local most = 0
  for _, group in ipairs(step.phases[1]) do most = math.max(most, group.count or 0) end
  return most
end

-- Returns the text of the registers that numbers take, besides `value`.
function numbers.registers(step)
  local list = ""
  for k = 1, numbers.most_totals(step) do list = list .. ", total_" .. k end
  if step.phases[1].ending.stop then list = list .. ", watched" end
  return list .. (step.split and ", spent" or "")
end

-- Declares how many steps are over, and the cycles of groups by kind.
function numbers.declare(code, step)
  if step.phases[1].ending.stop then code:line(".i32 steps_over exported") end
  if not step.split then return end
  code:line(".i32 clock")
  for _, kind in ipairs(kKinds) do code:line(".i32 cycles_of_%s exported", kind) end
end

numbers.call = "add_up"  -- what programs say to add up an array over all PEs

-- Adds the instructions {"number", place, kind, a, b}.
local function compute(out, list)
  for _, op in ipairs(list) do
    out.code:op("mov32 value, %s", text_of(op[4]))
    if op[3] == "half" then
      out.code:op("fs2h value, value")
    elseif op[3] == "neg" then
      out.code:op("fnegs value, value")
    elseif op[3] == "pow" then
      for _ = 2, op[5] do out.code:op("fmuls value, value, %s", text_of(op[4])) end
    else
      out.code:op("%s value, value, %s", kWords[op[3]], text_of(op[5]))
    end
    out.code:op("%s %s, value", op[3] == "half" and "mov16" or "mov32", op[2])
  end
end

function numbers.begin(out)
  if not out.step.split then return end
  out.code:op("tsc value")
  out.code:op("mov32 clock, value")
end

-- Adds what comes before the blocks of a group.
function numbers.before(out, ops)
  compute(out, ops.before)
  for k = 1, ops.count or 0 do out.code:op("mov32 total_%d, 0", k) end
end

-- Adds an instruction {"total", operand, k, sign}, of f16 to a sum of f32.
function numbers.add_up(out, op)
  local register, cells = "total_" .. op[3], out.pool:use(out:address(op[2]), out.block.count)
  if op[2].region.half then
    if op[4] < 0 then out.code:op("fnegh %s, %s", cells, cells) end
    out.code:op("faddhs %s, %s, %s", register, cells, register)
  else
    out.code:op("%s %s, %s, %s", op[4] > 0 and "fadds" or "fsubs", register, register, cells)
  end
end

-- Adds an instruction {"dot", operand, operand, k, ring =}: a multiply-add for each cell, rounded once, to f32. `walk` goes along the first
-- operand cell by cell, `partial` round the ring, whose sums take turns: none waits for the one before.
function numbers.add_products(out, op)
  local code, register, base = out.code, "total_" .. op[4], out:address(op[2])
  local other = out.pool:use(out:address(op[3]), out.block.count)
  if type(base) == "string" then
    descriptors.add_base(code, base)
    base = "at"
  end
  code:op("setdbase walk, %s", base)
  code:op("setdpos walk, 0")
  code:op("setdbase partial, %d", op.ring.first)
  code:op("setdpos partial, 0")
  code:op("fmovs %s, 0.0", op.ring.name)
  code:op("map partial, %s, partial, walk, %s", op[2].region.half and "fmachs" or "fmacs", other)
  code:op("fadds %s, %s, %s", register, register, op.ring.name)
end

-- Whether a step adds up products of two columns.
function numbers.has_products(step)
  for _, group in ipairs(step.phases[1]) do
    for _, op in ipairs(group) do
      if op[1] == "dot" then return true end
    end
  end
  return false
end

local function kind_of(ops)
  if ops.totals then return "totals" end
  for _, op in ipairs(ops) do
    if op[1] == "exchange" then return "operator" end
  end
  return "updates"
end

-- Adds what comes behind the blocks of a group.
function numbers.behind(out, ops)
  local code = out.code
  for k = 1, ops.count or 0 do code:op("mov32 %s[%d], total_%d", ops.totals, k - 1, k) end
  if ops.count then code:op("%s %s  ;! allow E230", numbers.call, ops.totals) end
  if not out.step.split then return end
  local name = "cycles_of_" .. kind_of(ops)
  code:op("tsc value")
  code:op("sub32 spent, value, clock")
  code:op("mov32 clock, value")
  code:op("mov32 value, %s", name)
  code:op("add32 value, value, spent")
  code:op("mov32 %s, value", name)
end

-- Adds what a step ends with, before it is asked whether others follow: ending is {ops =, sets =, stop =}.
function numbers.end_step(out, ending)
  compute(out, ending.ops)
  local watched = ending.stop and text_of(ending.stop[1])
  if watched then out.code:op("mov32 watched, %s", watched) end
  for _, set in ipairs(ending.sets) do
    out.code:op("mov32 value, %s", text_of(set[2]))
    out.code:op("mov32 %s, value", set[1])
  end
  if watched then out.code:op("fble watched, %s, over", text_of(ending.stop[2])) end
end

function numbers.end_run(out)
  if out.step.phases[1].ending.stop then out.code:op("mov32 steps_over, step") end
end

return numbers
