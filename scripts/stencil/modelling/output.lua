-- Files that a model writes, named by the argument that asks for them.
local host = require "wse.host"
local files = require "stencil.lang.files"
local format = string.format

local output = {}

-- Refuses a file that cannot be written, before anything runs. An existing file keeps what it holds.
function output.check(name, file)
  local fine, message = pcall(host.append_text, file, "")
  if not fine then host.raise(format("%s = %s: %s", name, file, files.reason(message))) end
end

-- Writes value(x, y, k) for k = 0 .. count - 1 into a file of shape (height, width, count).
function output.save(name, file, width, height, count, value)
  files.write(format("%s = %s", name, file), file, width, height, count, value)
end

return output
