-- One point of a study: a run, as a flat row of numbers.
local acoustic = require "stencil.acoustic25"

local points = {}

local kFields = {"cycles_per_step", "cycles_per_cell", "gcell_per_s", "issue_per_cell",
                 "stall_per_cell", "set_up_per_cell", "waiting_per_cell", "wait_input_per_cell",
                 "wait_output_per_cell", "idle_per_cell", "ends_per_cell", "busy_share",
                 "memory_stall_share", "memory_bytes_per_pe", "max_rel_error", "block"}

-- Kernel and banks of a name of points.kernels.
function points.split(name)
  local banks = name:match("^paper (%a+)$")
  if banks then return "paper", banks end
  return name, nil
end

-- options as of acoustic.run; `kernel` may be one of points.kernels.
function points.run(options)
  local own = {}
  for name, value in pairs(options) do own[name] = value end
  own.kernel, own.banks = points.split(tostring(options.kernel))
  local result = acoustic.run(own)
  local row = {}
  for _, name in ipairs(kFields) do row[name] = result[name] end
  return row
end

points.kernels = {"paper same", "paper other", "fused", "static", "compiled"}

-- Returns the meaning of the last words of the name of a kernel, for a legend.
function points.title(kernel)
  local _, banks = points.split(kernel)
  return banks and "paper, banks=" .. banks or kernel
end

return points
