-- Parts of a shot: the cells that one computes, what another begins with, its source and its receivers. Must not know what the
-- equations are.
local wave = require "stencil.lib.wave"
local format = string.format

local parts = {}

-- Returns the cells of a request that are computed, {low = {x, y, z}, sizes = {nx, ny, nz}}: those of its window, all
-- without one.
function parts.cells(request)
  return request.window or {low = {0, 0, 0}, sizes = {request.nx, request.ny, request.nz}}
end

-- Returns a function of a cell of the whole grid that reads a field after a run: read is the result's value or before, cells
-- are those that it has computed. Beyond them all is 0.
function parts.reader(read, field, cells)
  local lx, ly, lz = table.unpack(cells.low)
  local nx, ny, nz = table.unpack(cells.sizes)
  return function(x, y, z)
    x, y, z = x - lx, y - ly, z - lz
    if x < 0 or y < 0 or z < 0 or x >= nx or y >= ny or z >= nz then return 0.0 end
    return read(field, x, y, z)
  end
end

-- Returns the state with which another run, of the cells `next_cells`, continues this one, of `cells`; and a function that
-- ends that, once the other run is over: its fields would keep the machine of this one.
function parts.state_after(fields, result, cells, next_cells)
  local state, low, readers = {}, next_cells.low, {}
  local function moved(read, field)
    local at = #readers + 1
    readers[at] = parts.reader(read, field, cells)
    return function(x, y, z) return readers[at](x + low[1], y + low[2], z + low[3]) end
  end
  for name, field in pairs(fields) do state[name] = {initial = moved(result.value, field)} end
  for name, field in pairs(fields) do
    if result.step.levels[field.field] > 1 then state[name].before = moved(result.before, field) end
  end
  return state, function() readers = nil end
end

-- Returns a cell of the whole grid as one of those that are computed; nil if it is none of them.
local function computed(cells, cell)
  local own = {}
  for k = 1, 3 do
    own[k] = cell[k] - cells.low[k]
    if own[k] < 0 or own[k] >= cells.sizes[k] then return nil end
  end
  return own
end

-- Returns the name of the trace of a field at receiver k.
function parts.trace(request, field, k)
  return field == request.recorded[1] and format("r%d", k) or format("%s_r%d", field, k)
end

-- Adds a shot at a cell, of which so many steps are over: factors {field name = factor of its values}; and the receivers among the
-- computed cells, whose traces are called r1, r2, ... for the first recorded field and vx_r1, vx_r2, ... for another one.
function parts.add_survey(request, g, fields, factors, cell, steps_over)
  local first, cells = request.first_sample + (steps_over or 0), parts.cells(request)
  local names = {}
  for name in pairs(factors) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    g:inject{fields[name], at = computed(cells, cell), values = function(step)
      return factors[name] * wave.source(step + first, request.fmax, request.dt)
    end}
  end
  for _, name in ipairs(request.recorded) do
    for k, receiver in ipairs(request.receiver_cells) do
      local at = computed(cells, receiver)
      if at then g:record{fields[name], at = at, name = parts.trace(request, name, k)} end
    end
  end
end

return parts
