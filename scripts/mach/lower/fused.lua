-- Steps of a fused node as few calls: those that are one vector instruction over adjacent elements
-- share a call, its length and its mask. A value that they have in common is an argument once.
local kernels = require "mach.lower.kernels"
local located = require "mach.lower.located"
local slice = require "mach.lang.slice"
local concat, format, ipairs = table.concat, string.format, ipairs

local fused = {}

-- Whether an operand is what a shared call can have: adjacent elements, a word, or a value.
local function kind_of(access, count)
  if access.kind ~= "memory" and access.kind ~= "uniform" then return "n" end
  local where = located(access)
  if where.one and count > 1 then return where.bytes == 4 and "s" or nil end
  return not where.places and "v" or nil
end

local function is_plain(step)
  if not kernels.instruction(step) then return false end
  local count = slice.count(step.dest.memory)
  for _, source in ipairs(step.sources) do
    if not kind_of(source, count) then return false end
  end
  return kind_of(step.dest, 1) == "v"
end

-- Arguments of a shared call: each address and value once.
local function new_arguments()
  local list, places = {}, {}
  return list, function(key, argument)
    if not places[key] then
      list[#list + 1] = argument
      places[key] = #list - 1
    end
    return places[key]
  end
end

local function key_of(access)
  if access.kind == "number" then return format("%s %s %s", access.type, access.number,
                                               1 / access.number) end
  local index = access.index
  return format("global %d %s", access.value.number, index and (index.number or index.value.number) or "")
end

-- One call for a list of plain steps.
local function shared_call(machine, steps, new_call)
  local arguments, place_of = new_arguments()
  local count, own, parts, described = slice.count(steps[1].dest.memory), steps[1].dest.length, {}, {}
  for k, step in ipairs(steps) do
    local one = {instruction = kernels.instruction(step), operands = {}}
    for j, source in ipairs(step.sources) do
      local kind = kind_of(source, count)
      local address = kind ~= "n" and located(source).address
      one.operands[j] = {kind = kind, place = address and place_of("at " .. address, {word = address})
                                              or place_of(key_of(source), {value = source})}
    end
    local address = located(step.dest).address
    one.dest = place_of("at " .. address, {word = address})
    parts[k] = one
    local text = {one.instruction, one.dest}
    for _, operand in ipairs(one.operands) do text[#text + 1] = operand.kind .. operand.place end
    described[k] = concat(text, "_")
  end
  local name = machine:fused_name(concat(described, "_") .. (own and "_own" or ""))
  local kernel = machine:kernel(kernels.fused(name, parts, #arguments, own ~= nil), table.unpack(steps))
  local call = new_call(steps[1], kernel)
  for _, argument in ipairs(arguments) do
    if argument.word then call:word(argument.word) else call:value(argument.value) end
  end
  call:length(machine, steps[1].dest, count, own)
  return call
end

-- The calls of the steps; `alone(machine, step)` gives those of one that shares nothing.
function fused.calls(machine, steps, alone, new_call)
  local list, open = {}, {}
  local function close()
    if #open > 1 then
      list[#list + 1] = shared_call(machine, open, new_call)
    elseif #open == 1 then
      for _, call in ipairs(alone(machine, open[1])) do list[#list + 1] = call end
    end
    open = {}
  end
  for _, step in ipairs(steps) do
    if is_plain(step) then
      open[#open + 1] = step
    else
      close()
      for _, call in ipairs(alone(machine, step)) do list[#list + 1] = call end
    end
  end
  close()
  return list
end

return fused
