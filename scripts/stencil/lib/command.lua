-- Code that the commands share: reading arguments, telling a result.
local accounts = require "stencil.lib.accounts"
local figures = require "support.figures"
local host = require "wse.host"
local machine_run = require "stencil.lib.machine_run"
local shared = require "support.command"
local wse = require "wse"
local format = string.format

local command = {}

local kWafer = {nx = 755, ny = 994}  -- PEs that the paper's wafer has for a grid
local kSizes = "nz, block and steps"  -- decide what a PE has to hold

-- Notes that no wafer is so large. It runs as any other grid.
local function note_size(request)
  if request.nx <= kWafer.nx and request.ny <= kWafer.ny then return end
  wse.log(format("note: nx = %d, ny = %d: the wafer of the paper has %d x %d PEs", request.nx,
                 request.ny, kWafer.nx, kWafer.ny))
end

local function tell(title, result, request, share, rows)
  print(format("%s, %d x %d x %d cells, %d steps, block %d, on %s", title, result.nx, result.ny,
               result.nz, result.steps, result.block, result.machine))
  print("memory of a PE: address, bytes")
  print(request.plan:lines(host.machine(request.machine).memory_bytes))
  if request.kernel_library.note then print("  " .. request.kernel_library.note(request)) end
  print(format("  %.1f cycles per step, %.2f per cell, %.4g Gcell/s, %.4g flop per cell",
               result.cycles_per_step, result.cycles_per_cell, result.gcell_per_s,
               result.flop_per_cell))
  print(accounts.lines(share, rows, request))
  print(format("  busy %s, memory stall %s", figures.percent(result.busy_share),
               figures.percent(result.memory_stall_share)))
  print(format("  wavefield: min %.7g, max %.7g, %s", result.min, result.max,
               result.max_rel_error
               and format("at most %.2g of the largest value off double precision",
                          result.max_rel_error)
               or "not compared (check=true compares)"))
end

-- Reads the arguments, whose types those of `examples` are, runs what they ask for, prints the
-- result under title(result) and puts it into the record.
function command.main(library, examples, title)
  local request = shared.call(kSizes, library.request, shared.options(examples))
  note_size(request)
  local result, _, share, rows = shared.call(kSizes, machine_run.run, request)
  tell(title(result), result, request, share, rows)
  wse.user(result)
end

return command
