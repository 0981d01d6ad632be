-- Columns of numbers in .npy files of shape (ny, nx) or (ny, nx, nz): a machine that does nothing holds
-- them. Must know nothing of fields.
local host = require "wse.host"
local wse = require "wse"
local format, tostring = string.format, tostring

local files = {}

local kCodeBytes = 4096  -- of the program beside its numbers, at most

-- Returns the layout of PEs that hold nz numbers each, and a machine with memory for them.
local function holder(nx, ny, nz)
  local layout = wse.layout(nx, ny)
  layout:program(format(".program cells\n  .f32 values[%d] exported\n  task main:\n", nz))
  layout:place("cells", layout:all())
  return layout, {base = "model", memory_bytes = math.max(4 * nz + kCodeBytes, 48 * 1024)}
end

-- Returns why a file could not be read or written, without the place in a script.
function files.reason(message) return (tostring(message):gsub("^[^\n]-%.lua:%d+: ", "")) end

-- Returns a function of (x, y, z) with the numbers of a file. Errors: no such file, another shape or type;
-- they begin with `call` and `what`.
function files.read(call, what, file, nx, ny, nz)
  local layout, machine = holder(nx, ny, nz)
  local fine, record = pcall(layout.run, layout, {inputs = {values = file}, machine = machine})
  if not fine then
    local why = files.reason(record):gsub("^.-inputs%.values: ", "")
    host.raise(format("%s: %s: %s", call, what, (why:gsub("'values' needs", "(ny, nx, nz) is"))))
  end
  local columns = {}
  return function(x, y, z)
    local at = y * nx + x
    if not columns[at] then
      local column = record:symbol(x, y, "values")
      columns[at] = type(column) == "table" and column or {column}
    end
    return columns[at][z + 1]
  end
end

-- Writes value(x, y, z) as a file of f32. Errors: the file cannot be written; they begin with `what`.
function files.write(what, file, nx, ny, nz, value)
  local layout, machine = holder(nx, ny, nz)
  local record = layout:run{inputs = {values = function(x, y, i) return value(x, y, i) end}, machine = machine}
  local fine, message = pcall(record.save, record, "values", file)
  if not fine then host.raise(format("%s: %s", what, files.reason(message))) end
end

return files
