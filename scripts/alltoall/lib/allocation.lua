-- Which element lies at which address of which node after every step of an algorithm, from the
-- memories of runs of so many steps. Elements have the number of their place in the vector, and so
-- have their values in these runs.
local checks = require "support.checks"
local results = require "alltoall.lib.results"

local allocation = {}

-- Rows {step, address, node, element}, step 0 the beginning, as many steps as options.steps says,
-- or all. run(options) is that of a library; place(request) gives the array to look at, how many
-- addresses it has, and element(list, address), which is nil where nothing lies. `fixed`: options
-- of these runs.
function allocation.rows(options, run, place, fixed)
  local given, rows, last = {}, {}, nil
  for name, value in pairs(options) do given[name] = value end
  for name, value in pairs(fixed) do given[name] = value end
  given.values, given.type, given.steps = "index", "i32", 0
  repeat
    local result, record, request = run(given)
    assert(result.max_abs_error == 0, "a run is not exact")
    last = checks.integer("steps", options.steps or request.total_steps, 0, request.total_steps)
    local array, count, element = place(request)
    local memory = {}
    for node = 0, request.nodes - 1 do
      memory[node] = results.numbers(record, request, node, array)
    end
    for address = 0, count - 1 do
      for node = 0, request.nodes - 1 do
        local found = element(memory[node], address)
        if found then
          rows[#rows + 1] = {step = given.steps, address = address, node = node, element = found}
        end
      end
    end
    given.steps = given.steps + 1
  until given.steps > last
  return rows
end

return allocation
