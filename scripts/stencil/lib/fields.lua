-- Wavefields of runs: read from the memories of PEs, or from a file, PE by PE where there are many.
local files = require "stencil.lang.files"
local host = require "wse.host"
local wse = require "wse"

local fields = {}

-- Returns where a PE has the field that the last step has written ("now") or the one before it ("before"):
-- {name =, skip =}, an array and the words in it before the first cell.
function fields.place(request, level)
  local kernel = request.kernel_library
  if kernel.place then return kernel.place(request, level) end
  return {name = ((request.steps % 2 == 0) == (level == "now")) and "even" or "odd", skip = 0}
end

-- Calls see(x, y, column) for each PE of a box, with the list of the cells of a field from z = 0 on; place: as of
-- fields.place.
function fields.each_column(record, place, box, see)
  for y = box.y[1], box.y[2] do
    for x = box.x[1], box.x[2] do
      local column = record:symbol(x, y, place.name)
      if type(column) ~= "table" then column = {column} end
      if place.skip > 0 then column = table.move(column, place.skip + 1, #column, 1, {}) end
      see(x, y, column)
    end
  end
end

-- Writes a field as a file of f32 of shape (ny, nx, nz).
function fields.save(record, request, level, file)
  local place, columns = fields.place(request, level), {}
  if place.skip == 0 then return record:save(place.name, file) end
  local all = {x = {0, request.nx - 1}, y = {0, request.ny - 1}}
  fields.each_column(record, place, all, function(x, y, column) columns[y * request.nx + x] = column end)
  files.write("out", file, request.nx, request.ny, request.nz, function(x, y, z)
    return columns[y * request.nx + x][z + 1]
  end)
end

-- Runs a layout with the inputs of a request. A file that does not fit is told by the argument that
-- names it.
function fields.run(layout, inputs, request)
  local fine, record = pcall(layout.run, layout, {
    inputs = inputs, machine = request.machine, max_cycles = request.max_cycles})
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
  fields.each_column(record, {name = "even", skip = 0}, whole, function(x, y, column)
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
