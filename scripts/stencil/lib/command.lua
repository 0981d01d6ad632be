-- What the commands share: reading arguments, telling a result.
local accounts = require "stencil.lib.accounts"
local host = require "wse.host"
local machine_run = require "stencil.lib.machine_run"
local wse = require "wse"
local format = string.format

local command = {}

-- Reads those of the arguments that are given: {name = a value of their type}.
local function options_of(examples)
  local options = {}
  for name, example in pairs(examples) do
    if host.argument(name) ~= nil then options[name] = wse.argument(name, example) end
  end
  wse.no_more_arguments()
  return options
end

-- What is wrong with an argument is told without lines of the library.
local function request_of(library, options)
  local fine, request = pcall(library.request, options)
  if not fine then error((tostring(request):gsub("^[^\n]-%.lua:%d+: ", "")), 0) end
  return request
end

local function tell(title, result, request, share, rows)
  print(format("%s, %d x %d x %d cells, %d steps, block %d, on %s", title, result.nx, result.ny,
               result.nz, result.steps, result.block, result.machine))
  print("memory of a PE: address, bytes")
  print(request.plan:lines(host.machine(request.machine).memory_bytes))
  print(format("  %.1f cycles per step, %.2f per cell, %.4g Gcell/s, %.4g flop per cell",
               result.cycles_per_step, result.cycles_per_cell, result.gcell_per_s,
               result.flop_per_cell))
  print(accounts.lines(share, rows, request))
  print(format("  busy %.1f %%, memory stall %.1f %%", 100 * result.busy_share,
               100 * result.memory_stall_share))
  print(format("  wavefield: min %.7g, max %.7g, %s", result.min, result.max,
               result.max_rel_error
               and format("at most %.2g of the largest value off double precision",
                          result.max_rel_error)
               or "not compared (check=true compares)"))
end

-- Reads the arguments, whose types those of `examples` are, runs what they ask for, prints the
-- result under title(result) and puts it into the record.
function command.main(library, examples, title)
  local request = request_of(library, options_of(examples))
  local result, _, share, rows = machine_run.run(request)
  tell(title(result), result, request, share, rows)
  wse.user(result)
end

return command
