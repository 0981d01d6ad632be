-- Instructions on both ends of a column at once, for programs whose code is to be short: where a group is computed on two ranges of the
-- same length, as layers along z are, one instruction has a descriptor of two dimensions that reaches both.
--
--     z   0 . . . 26 | 27  ...  nz - 28 | nz - 27 . . . nz - 1       mem(address, length=[2, 27], stride=[nz - 27, 1])
--
-- Descriptor registers m1 to m4 are for whole columns, m5 to m8 for what holds the cells of the ranges alone, one range behind the other.
local elements = require "stencil.emit.elements"
local schedule = require "stencil.emit.schedule"
local format = string.format

local ends = {}

local kOfKind = 4  -- registers for each kind

-- Returns whether two instructions are the same but for their boxes.
local function are_alike(one, other)
  if #one ~= #other then return false end
  for k = 1, #one do
    local a, b = one[k], other[k]
    local is_place = type(a) == "table" and type(b) == "table" and a.region == b.region and a.delta == b.delta and a.scalar == b.scalar
    if a ~= b and not is_place then return false end
  end
  return true
end

-- Returns the instructions of a group for one of its ranges; nil if one is for another part of the cells, or no plain one.
local function instructions_of(step, ops, own, other)
  local list = {}
  for _, op in ipairs(ops) do
    local box = op.box
    if op.broadcasts or op.is_margin or op.cause == "mirror" or op[1] == "total" then return nil end
    if box then
      local is_everywhere = box.x[1] == 0 and box.x[2] == step.shape.width - 1 and box.y[1] == 0 and box.y[2] == step.shape.height - 1
      if not is_everywhere then return nil end
    end
    if not box or box.z[1] == own[1] and box.z[2] == own[2] then
      list[#list + 1] = op
    elseif box.z[1] ~= other[1] or box.z[2] ~= other[2] then
      return nil
    end
  end
  return list
end

-- Returns the words from the cells of the first range to those of the second one in an operand.
local function gap_of(step, operand, first, last, count)
  local region = operand.region
  if region.temporary then return count end
  if not region.spans then return last - first end
  local from, to = step.shape:word(region, first + operand.delta), step.shape:word(region, last + operand.delta)
  return from and to and to - from
end

-- Returns how a group is computed on both of its ranges at once, {list = instructions, first =, count =, gap =}; nil if it is not.
local function joined(step, ops)
  local spans = ops.spans
  if not step.compact or not spans or #spans ~= 2 then return nil end
  local one, other = spans[1], spans[2]
  local count = one[2] - one[1] + 1
  if count ~= other[2] - other[1] + 1 or 2 * count > step.block then return nil end
  local list, twin = instructions_of(step, ops, one, other), instructions_of(step, ops, other, one)
  if not list or not twin or #list ~= #twin then return nil end
  local gap = other[1] - one[1]
  for k, op in ipairs(list) do
    if not are_alike(op, twin[k]) then return nil end
    for j = 2, #op do
      local own = type(op[j]) == "table" and op[j].region and gap_of(step, op[j], one[1], other[1], count)
      if own == nil or own and own ~= gap and own ~= count then return nil end
    end
  end
  return {list = list, first = one[1], count = count, gap = gap}
end

-- Gives the registers that groups on both ends have had back to the pool.
function ends.release(out)
  if not out.ends then return end
  for k = 1, 2 * kOfKind do
    local state = out.ends.registers[k]
    if state and state.base then out.pool:reload("m" .. k) end
  end
  out.ends = nil
end

-- Prepares for a group on both ends: registers of the pool are loaded anew as they are needed, unless the group before had the same.
local function prepare(out, own)
  local key = format("%d %d", own.count, own.gap)
  if out.ends and out.ends.key == key then return end
  ends.release(out)
  out.ends = {key = key, clock = 0, registers = {}}
end

-- Returns the register of an operand; held: those that the instruction has.
local function register(out, operand, own, held)
  local gap = gap_of(out.step, operand, own.first, own.first + own.gap, own.count)
  local first = gap == own.gap and 1 or kOfKind + 1
  local base, list, oldest = out:address(operand), out.ends.registers, nil
  out.ends.clock = out.ends.clock + 1
  for k = first, first + kOfKind - 1 do
    local state = list[k] or {used = 0}
    list[k] = state
    if state.base == base then
      state.used, held[k] = out.ends.clock, true
      return "m" .. k
    end
    if not held[k] and (not oldest or state.used < list[oldest].used) then oldest = k end
  end
  if not list[oldest].base then out.code:op("setd m%d, mem(0, length=[2, %d], stride=[%d, 1])", oldest, own.count, gap) end
  list[oldest] = {base = base, used = out.ends.clock}
  held[oldest] = true
  out.code:op("setdbase m%d, %s", oldest, base)
  return "m" .. oldest
end

-- Adds a group on both of its ranges at once. Returns whether it did; number(value): the text of a number.
function ends.add(out, ops, number)
  local own = joined(out.step, ops)
  if not own then return false end
  local from = schedule.mark(out.code)
  prepare(out, own)
  out.block = {first = own.first, count = own.count}
  for _, op in ipairs(own.list) do
    local held, texts = {}, {}
    for k = 2, #op do
      local operand = op[k]
      texts[k - 1] = type(operand) ~= "table" and number(operand) or operand.scalar or register(out, operand, own, held)
    end
    out.code:op("%s %s", elements.name(op), table.concat(texts, ", "))
    local whole = {table.unpack(op)}
    whole.cause = op.cause
    out:note{kind = "vector", op = whole, first = own.first, count = 2 * own.count, acts = schedule.acts(out.code, from)}
    from = schedule.mark(out.code)
  end
  return true
end

return ends
