-- The layout of a compiled step: routes, programs, who runs them, and the arrays that a run begins with.
local channels = require "stencil.emit.channels"
local halo = require "stencil.emit.halo"
local plain = require "stencil.reference.plain"
local program = require "stencil.emit.program"
local switched = require "stencil.emit.switched"
local wse = require "wse"
local layout = {}

-- ---- sources and receivers

-- The values of a source as a PE holds them, up to the last that is not 0.
local function samples_of(injection, steps)
  local list, last = {}, 0
  for k = 1, steps do
    list[k] = injection.value(k - 1) + 0.0
    if plain.as_float(list[k]) ~= 0 then last = k end
  end
  return table.move(list, 1, last, 1, {})
end

-- Returns {[y * width + x] = {x =, y =, injections =, recordings =}} of the PEs that have any.
local function roles_of(step, grid)
  local roles, order = {}, {}
  local function role_at(cell)
    local x, y = step.shape:place(cell)
    local at = y * step.shape.width + x
    if not roles[at] then
      roles[at] = {x = x, y = y, injections = {}, recordings = {}, coordinates = {x = {x}, y = {y}}}
      order[#order + 1] = roles[at]
    end
    return roles[at]
  end
  for _, injection in ipairs(grid.injections) do
    table.insert(role_at(injection.cell).injections, {field = injection.field, cell = injection.cell,
                                                      samples = samples_of(injection, step.steps)})
  end
  for _, recording in ipairs(grid.recordings) do table.insert(role_at(recording.cell).recordings, recording) end
  return order
end

-- Returns the coordinates along an axis of the PEs that have no role of their own.
local function other_coordinates(roles, axis, length, across)
  local taken, list = {}, {}
  for _, role in ipairs(roles) do taken[role[axis]] = (taken[role[axis]] or 0) + 1 end
  for at = 0, length - 1 do
    if taken[at] ~= across then list[#list + 1] = at end
  end
  return list
end

-- ---- inputs

-- Returns what a region begins with, as an input of wse.run; nil if that is 0 everywhere.
local function input_of(step, region)
  local value = region.array
  if region.field then
    local now = step:region(region.field, "now", 0)
    value = region == now and region.field.initial or region == step:region(region.field, "before", 0)
            and region.field.initial_before
  end
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

-- Returns the layout of a step, to run or to write, and its inputs.
function layout.make(step, grid)
  local made = wse.layout(step.shape.width, step.shape.height)
  if step.shape.is_column then
    for _, channel in ipairs(step.channels) do
      local rules = channel.is_switched and switched or channels
      if (channel.axis == "x" and made.width or made.height) > 1 then rules.add(made, channel) end
    end
  else
    halo.add_routes(made, step.shape, step.shape.halo)
  end
  local others, roles = made:all(), roles_of(step, grid)
  for k, role in ipairs(roles) do
    local pe = made:pe(role.x, role.y)
    others = others - pe
    local name = "cells_" .. k
    made:program(program.text(step, name, role))
    made:place(name, pe)
  end
  if #others > 0 then
    local width, height = made.width, made.height
    made:program(program.text(step, "cells", {injections = {}, recordings = {}, coordinates = {
      x = other_coordinates(roles, "x", width, height), y = other_coordinates(roles, "y", height, width)}}))
    made:place("cells", others)
  end
  return made, inputs_of(step)
end

return layout
