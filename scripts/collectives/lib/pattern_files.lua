-- The patterns by name, as files of patterns/: "two-phase" is two_phase.lua. A new pattern needs
-- its file and nothing else. Must never know one of them.
local format = string.format

local files = {}

-- Returns what the file says, fields as in patterns/star.lua; nothing if there is no such file, or if its
-- tree is no function of the size.
function files.find(name)
  if type(name) ~= "string" or not name:find("^%l[%l%d-]*$") then return nil end
  local module = "collectives.patterns." .. name:gsub("-", "_")
  local found, pattern = pcall(require, module)
  if found then return pattern.tree_is_given and nil or pattern end
  if tostring(pattern):find(format("there is no module '%s'", module), 1, true) then return nil end
  error(pattern, 0)
end

return files
