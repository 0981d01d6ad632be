-- Code that the commands share: their arguments, checked, and what they tell.
local checks = require "support.checks"
local shared = require "support.command"
local wse = require "wse"

local command = {}

-- Reads the arguments {{name, default}, ...}, the only ones, runs and writes `user`. `sizes` names
-- the arguments that decide what a worker has to hold.
function command.main(run, arguments, shown, sizes)
  local options = {}
  for _, argument in ipairs(arguments) do
    options[argument[1]] = wse.argument(argument[1], argument[2])
  end
  wse.no_more_arguments()
  local result = shared.call(sizes, run, options)
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
