-- The layout of a compiled step: routes, programs, who runs them, and the arrays that a run begins with.
local channels = require "stencil.emit.channels"
local calls = require "collectives.calls"
local halo = require "stencil.emit.halo"
local numbers = require "stencil.emit.numbers"
local program = require "stencil.emit.program"
local samples = require "stencil.compile.samples"
local switched = require "stencil.emit.switched"
local wse = require "wse"
local format = string.format

local layout = {}

-- ---- sources and receivers

-- Returns what each PE with sources or receivers does besides: {x =, y =, injections =, recordings =}.
local function duties_of(step, grid)
  local duties, order = {}, {}
  local function duty_at(cell)
    local x, y = step.shape:place(cell)
    local at = y * step.shape.width + x
    if not duties[at] then
      duties[at] = {x = x, y = y, injections = {}, recordings = {}}
      order[#order + 1] = duties[at]
    end
    return duties[at]
  end
  for _, injection in ipairs(grid.injections) do
    table.insert(duty_at(injection.cell).injections, {field = injection.field, cell = injection.cell,
                                                      samples = samples.of(injection, step.steps)})
  end
  for _, recording in ipairs(grid.recordings) do
    local list = duty_at(recording.cell).recordings
    list[#list + 1] = recording
    step.traces[recording] = "trace_" .. #list
  end
  return order
end

-- Returns a text that PEs share whose program is the same: receivers of the same cells of their PEs.
local function key_of(step, duty)
  if #duty.injections > 0 then return format("source %d %d", duty.x, duty.y) end
  local list = {}
  for k, recording in ipairs(duty.recordings) do
    local _, _, at = step.shape:place(recording.cell)
    list[k] = recording.field.name .. " " .. at
  end
  return table.concat(list, ", ")
end

local function add_coordinate(list, value)
  for _, known in ipairs(list) do
    if known == value then return end
  end
  list[#list + 1] = value
end

-- Returns roles: duties that share a program {injections =, recordings =, pes =, coordinates =}.
local function roles_of(step, grid)
  local roles, by_key, duties = {}, {}, duties_of(step, grid)
  for _, duty in ipairs(duties) do
    local key = key_of(step, duty)
    local role = by_key[key]
    if not role then
      role = {injections = duty.injections, recordings = duty.recordings, pes = {}, coordinates = {x = {}, y = {}}}
      by_key[key], roles[#roles + 1] = role, role
    end
    role.pes[#role.pes + 1] = duty
    add_coordinate(role.coordinates.x, duty.x)
    add_coordinate(role.coordinates.y, duty.y)
  end
  return roles, duties
end

-- Returns the coordinates along an axis of the PEs that have no role of their own.
local function other_coordinates(duties, axis, length, across)
  local taken, list = {}, {}
  for _, duty in ipairs(duties) do taken[duty[axis]] = (taken[duty[axis]] or 0) + 1 end
  for at = 0, length - 1 do
    if taken[at] ~= across then list[#list + 1] = at end
  end
  return list
end

-- ---- inputs

-- Returns what a region begins with, as an input of wse.run; nil if that is 0 everywhere.
local function input_of(step, region)
  local value, field = region.array, region.field
  if field and region == step:region(field, "now", 0) then
    value = field.initial_number ~= 0 and field.initial
  elseif field and region == step:region(field, "before", 0) then
    value = field.before_number ~= 0 and field.initial_before
  end
  if region.constant and region.constant ~= 0 then return function() return region.constant end end
  if not value then return nil end
  return function(x, y, i)
    local cx, cy, cz = step.shape:cell(region, x, y, i)
    return cx and value(cx, cy, cz) or 0.0
  end
end

local function inputs_of(step)
  local inputs = {}
  for _, region in ipairs(step.plan.list) do
    if not region.temporary and region.words > 0 then inputs[region.name] = input_of(step, region) end
  end
  return inputs
end

-- Adds the all-reduce of totals, one for all groups, so that they share its colours: rows, then a column, both to where that takes the
-- fewest cycles; where a queue has one colour, along chains, on which a PE hears one neighbour at a time.
local function add_totals(made, step)
  local most = numbers.most_totals(step)
  if most == 0 then return end
  made:use(calls)
  made:allreduce{name = numbers.call, length = most, root = "best",
                 pattern = step.machine.queue_colours > 0 and "chain" or nil}
end

-- Returns the layout of a step, to run or to write, and its inputs.
function layout.make(step, grid)
  local made = wse.layout(step.shape.width, step.shape.height)
  add_totals(made, step)
  if step.shape.is_column then
    for _, channel in ipairs(step.channels) do
      local rules = channel.is_switched and switched or channels
      if (channel.axis == "x" and made.width or made.height) > 1 then rules.add(made, channel) end
    end
  else
    halo.add_routes(made, step.shape, step.shape.halo)
  end
  step.traces = {}
  local others = made:all()
  local roles, duties = roles_of(step, grid)
  for k, role in ipairs(roles) do
    local region, name = made:none(), "cells_" .. k
    for _, duty in ipairs(role.pes) do region = region + made:pe(duty.x, duty.y) end
    others = others - region
    made:program(program.text(step, name, role))
    made:place(name, region)
  end
  if #others > 0 then
    local width, height = made.width, made.height
    made:program(program.text(step, "cells", {injections = {}, recordings = {}, coordinates = {
      x = other_coordinates(duties, "x", width, height), y = other_coordinates(duties, "y", height, width)}}))
    made:place("cells", others)
  end
  return made, inputs_of(step)
end

return layout
