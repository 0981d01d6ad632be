-- What the commands share: their arguments, checked, and what they tell.
local checks = require "support.checks"
local wse = require "wse"

local command = {}

-- What goes wrong in f with what somebody asked for is told without lines of the library.
local function called(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] then error((tostring(results[2]):gsub("^[^\n]-%.lua:%d+: ", "")), 0) end
  return table.unpack(results, 2, results.n)
end

-- Reads the arguments {{name, default}, ...}, the only ones, runs and writes `user`.
function command.main(run, arguments, shown)
  local options = {}
  for _, argument in ipairs(arguments) do
    options[argument[1]] = wse.argument(argument[1], argument[2])
  end
  wse.no_more_arguments()
  local result = called(run, options)
  print(shown(options, result))
  wse.user(result)
end

-- An even number, as that of columns, rows and response PEs.
function command.even(name, value, least, most)
  checks.integer(name, value, least, most)
  if value % 2 == 1 then
    error(string.format("%s = %d: an even number is wanted", name, value), 0)
  end
  return value
end

return command
