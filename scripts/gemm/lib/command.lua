-- What the commands share: reading arguments, telling a result.
local host = require "wse.host"
local wse = require "wse"

local command = {}

-- Reads those of the arguments that are given: {name = a value of their type}.
function command.options(examples)
  local options = {}
  for name, example in pairs(examples) do
    if host.argument(name) ~= nil then options[name] = wse.argument(name, example) end
  end
  wse.no_more_arguments()
  return options
end

-- Calls f; what is wrong with an argument is told without lines of the library.
function command.call(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] then error((tostring(results[2]):gsub("^[^\n]-%.lua:%d+: ", "")), 0) end
  return table.unpack(results, 2, results.n)
end

return command
