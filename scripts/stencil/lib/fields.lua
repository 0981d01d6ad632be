-- Wavefields of runs: read from the memories of PEs, or from a file, PE by PE where there are many.
local host = require "wse.host"
local wse = require "wse"

local fields = {}

-- The array that the last step has written, and the one before it.
function fields.names(steps)
  if steps % 2 == 0 then return "even", "odd" end
  return "odd", "even"
end

-- Calls see(x, y, column) for each PE of a box, with the list of the nz cells of a field.
function fields.each_column(record, name, box, see)
  for y = box.y[1], box.y[2] do
    for x = box.x[1], box.x[2] do
      local column = record:symbol(x, y, name)
      see(x, y, type(column) == "table" and column or {column})
    end
  end
end

-- Runs a layout with the fields of a request. A file that does not fit is told by the argument that
-- names it.
function fields.run(layout, request)
  local fine, record = pcall(layout.run, layout, {
    inputs = request.inputs, machine = request.machine, max_cycles = request.max_cycles})
  if fine then return record end
  local text = tostring(record)
  for name, argument in pairs{even = "in", odd = "before"} do
    local why = text:match("wse%.run: inputs%." .. name .. ": (.*)")
    if why then
      host.raise(argument .. ": " .. why:gsub("'" .. name .. "' needs", "(ny, nx, nz) is"))
    end
  end
  error(record, 0)
end

-- A field of a file as {[y * nx + x + 1] = column}: a machine that does nothing reads it.
function fields.read(file, request)
  local layout = wse.layout(request.nx, request.ny)
  layout:program(string.format(".program cells\n  .f32 even[%d] exported\n  task main:\n",
                               request.nz))
  layout:place("cells", layout:all())
  local record = layout:run{inputs = {even = file}, machine = request.machine}
  local columns = {}
  local whole = {x = {0, request.nx - 1}, y = {0, request.ny - 1}}
  fields.each_column(record, "even", whole, function(x, y, column)
    columns[y * request.nx + x + 1] = column
  end)
  return columns
end

-- The cells that can differ from 0 after all steps: all, if the fields begin with a file; else what
-- the source reaches. Every step carries a value `radius` cells farther.
function fields.reached(request)
  local sizes, box = {x = request.nx, y = request.ny, z = request.nz}, {}
  local far = request.radius * (request.steps - 1)
  for k, axis in ipairs{"x", "y", "z"} do
    local first, last = 0, sizes[axis] - 1
    if not request.inputs and request.source then
      first = math.max(first, request.source[k] - far)
      last = math.min(last, request.source[k] + far)
    end
    box[axis] = {first, last}
  end
  return box
end

return fields
