-- kernel=compiled: the wave, stars and boxes as equations, of which the stencil compiler makes the program. Takes
-- the requests that the kernels by hand take. Must hold nothing of how words travel.
local accounts = require "stencil.lib.compiled_accounts"
local emit = require "stencil.emit.layout"
local host = require "wse.host"
local plan = require "stencil.compile.plan"
local size = require "stencil.emit.size"
local requests = require "stencil.lib.requests"
local samples = require "stencil.compile.samples"
local stencil = require "stencil"
local format, tostring = string.format, tostring

local compiled = {adds_scalars = true}

-- Returns the field of a request in a grid. A file that does not fit is refused by the argument that names it.
local function field_of(request, g)
  local inputs = request.inputs or {}
  local fine, u = pcall(g.field, g, "u", {initial = inputs.even or 0.0, before = inputs.odd or 0.0})
  if fine then return u end
  for option, argument in pairs{initial = "in", before = "before"} do
    local why = tostring(u):match("field: " .. option .. ": (.*)")
    if why then host.raise(argument .. ": " .. why) end
  end
  error(u, 0)
end

-- Returns the weighted sum of the neighbours of u on the axes, with each distance its weight.
local function star_of(weights, u)
  local sum = weights.centre * u
  for k, axis in ipairs{"x", "y", "z"} do
    for m, weight in ipairs(weights[axis]) do
      local offset = {0, 0, 0}
      offset[k] = m
      sum = sum + weight * (u:at(table.unpack(offset)) + u:at(-offset[1], -offset[2], -offset[3]))
    end
  end
  return sum
end

local function box_of(list, u)
  local rows = {}
  for k = 1, 3 do rows[k] = table.move(list, 3 * k - 2, 3 * k, 1, {}) end
  return stencil.box(u, rows)
end

-- Returns the grid of a request with its equation and its source, and the field.
function compiled.grid(request)
  local g = stencil.grid{nx = request.nx, ny = request.ny, nz = request.nz}
  local u = field_of(request, g)
  local sum = request.box and box_of(request.box, u) or star_of(request.weights, u)
  g:update{u, request.subtracts and sum - u.before or sum}
  if request.source then g:inject{u, at = request.source, values = request.samples} end
  return g, u
end

-- Compiles a request, or refuses it with the map of the memory and the nz that fits. Sets what the kernels by hand
-- set: block, blocks, padded, padding and plan.
function compiled.prepare(request)
  local machine = host.machine(request.machine)
  local g, u = compiled.grid(request)
  if request.block then requests.set_given_block(request) end
  local step = plan.make(g, request.steps, machine, request.block, size.of_cells)
  requests.set_block(request, step.block)
  request.padded, request.padding = step.padded, step.padded - step.cells
  request.sample_count = request.source and #samples.of(g.injections[1], request.steps) or 0
  request.step, request.grid, request.field = step, g, u.field
  request.plan = {total = function() return step.bytes end,
                  lines = function(_, memory_bytes) return plan.map(step, memory_bytes) end}
end

-- Returns the layout of a request, and its inputs.
function compiled.layout(request) return emit.make(request.step, request.grid) end

-- Returns where a PE has the field after the last step ("now") or the one before it ("before"): {name =, skip =}, an
-- array and the words in it before the first cell.
function compiled.place(request, level)
  local region = request.step:region(request.field, level, request.steps)
  return {name = region.name, skip = (region.first - region.address) // 4}
end

compiled.accounts = accounts.rows

-- Returns a line about the routes on which words travel, for people.
function compiled.note(request)
  local kinds = {static = "routes that never change", joined = "routes that never change, one channel for each axis",
                 switched = "switches"}
  return format("words travel by %s", kinds[request.step.mode])
end

return compiled
