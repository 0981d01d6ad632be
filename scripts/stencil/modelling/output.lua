-- Arrays of numbers that a script has, as .npy files: a machine that does nothing holds them.
local host = require "wse.host"
local wse = require "wse"
local format, tostring = string.format, tostring

local output = {}

local kMargin = 4096  -- bytes of a PE besides the numbers

-- Raises an error of the host, by the argument that named the file.
local function refuse(name, file, message)
  host.raise(format("%s = %s: %s", name, file, (tostring(message):gsub("^[^\n]-%.lua:%d+: ", ""))))
end

-- Refuses a file that cannot be written, before anything runs. One that is there keeps what it holds.
function output.check(name, file)
  local fine, message = pcall(host.append_text, file, "")
  if not fine then refuse(name, file, message) end
end

-- Writes value(x, y, k) for k = 0 .. count - 1 into a file of shape (height, width, count); `name` is the
-- argument that names it.
function output.save(name, file, width, height, count, value)
  local layout = wse.layout(width, height)
  layout:program(format(".program cells\n  .f32 values[%d] exported\n  task main:\n", count))
  layout:place("cells", layout:all())
  local bytes = math.max(4 * count + kMargin, 48 * 1024)
  local record = layout:run{inputs = {values = value}, machine = {base = "model", memory_bytes = bytes}}
  local fine, message = pcall(record.save, record, "values", file)
  if not fine then refuse(name, file, message) end
end

return output
