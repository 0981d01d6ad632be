-- Listing 1 on the wafer: the sum 105 of five elements ends the loop after four additions, for any number of
-- workers and of R-PEs; two programs made alike have one text.
local command = require "mach.problems.command"
local listing1 = require "mach.problems.listing1"

local check = {}

local function text_of(options)
  local made
  local run = command.run
  command.run = function(program, given)
    made = program
    return run(program, given)
  end
  local found = listing1.run(options)
  command.run = run
  return made:layout():text(), found
end

-- One size; fails if anything is wrong.
function check.one(options)
  local text, found = text_of(options)
  local name = ("%d x %d, %d R-PEs, %s"):format(options.width, options.height, options.response,
                                               options.machine)
  local n = options.nz
  assert(found.differing_words == 0 and found.response == options.response, name)
  assert(found.iterations == 5 and found.sum == 105 and found.additions == 4, name)
  assert(found.total == options.width * options.height * (n * (n - 1) / 2 + 4 * n), name)
  assert(text_of(options) == text, name .. ": another text")
end

-- All numbers of R-PEs, 2 to 8, that a width has room for.
function check.size(width, height, nz, machine)
  local count = 0
  for response = 2, math.min(8, width - 2), 2 do
    check.one{width = width, height = height, nz = nz, response = response, machine = machine}
    count = count + 1
  end
  return count
end

return check
