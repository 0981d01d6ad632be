-- All propagators of minimod.lua on one grid: cycles, flop and traffic of a cell, and where that lies under the roofs of a PE; then on
-- grids of other sides with as many cells for a PE (weak scaling):
--   wsevm run scripts/stencil/propagators.lua nz=100
-- STUDY.md reads the result.
local propagators = require "stencil.modelling.propagators"
local shots = require "stencil.minimod"
local traffic = require "stencil.explain.traffic"
local wse = require "wse"
local format = string.format

local nz = wse.argument("nz", 100, 1)
local side = wse.argument("side", 12, 1)
local weak = wse.argument("weak", 20, 1)  -- cells of a column in weak scaling
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kNames = {"acoustic_iso_cd", "acoustic_iso", "acoustic_tti", "elastic_iso", "elastic_tti_approx", "elastic_tti"}
local kSteps, kWordBytes = 2, 4
local kSides = {8, 16, 32}
local machine = wse.machine("wse2")
local peak = math.max(2 * machine.simd_other, machine.simd_32bit)  -- flop in a cycle: of multiply-adds, or of additions of two elements
local memory_bytes = machine.read_port_bytes + machine.write_port_bytes

-- Returns the result of a run; nil and what is said if the layers do not fit.
local function run(name, wide, cells, pml)
  local request = shots.request{propagator = name, ngrid = format("%d,%d,%d", wide, wide, cells), nsteps = kSteps, pml = pml,
                                absorber = name == "acoustic_iso_cd" and "cpml" or nil}
  local g, fields = propagators[name].grid(request)
  propagators[name].add_survey(request, g, fields, request.cells[1])
  local fine, result = pcall(g.run, g, {steps = kSteps, force = true})
  if fine then return result end
  return nil, tostring(result):match("nz = %d+ fits") or "nothing fits"
end

local rows = {}
for _, pml in ipairs{"0", "0,0,0,0,20,20", "20"} do
  for _, name in ipairs(kNames) do
    local result, text = run(name, side, nz, pml)
    local row = {propagator = name, pml = pml == "0" and "none" or pml == "20" and "all sides" or "along z"}
    if result then
      local own = traffic.of(result.step)
      row.cycles, row.bytes, row.compact = result.cycles_per_step / nz, result.step.bytes, result.step.compact and "short" or "fast"
      for name_of_count, count in pairs(own) do row[name_of_count] = count end
      row.intensity = own.flop / (kWordBytes * (own.loads + own.stores))
      row.flop_per_cycle = own.flop / row.cycles
      row.of_roof = 100 * row.flop_per_cycle / math.min(peak, row.intensity * memory_bytes)
    else
      row.compact = text
    end
    rows[#rows + 1] = row
  end
end

local function number(name, title, digits) return {name = name, title = title or name, format = format("%%.%df", digits)} end
print(format("%d x %d x %d cells, %d steps", side, side, nz, kSteps))
print(wse.table(rows, {"propagator", {name = "pml", title = "layers"}, number("cycles", nil, 1), number("flop", nil, 0),
                       number("loads", nil, 0), number("stores", nil, 0), number("sent", nil, 0), number("received", nil, 0),
                       number("intensity", "flop/byte", 3), number("flop_per_cycle", "flop/cycle", 2),
                       number("of_roof", "% of roof", 0), "bytes", {name = "compact", title = "code"}}))
wse.write_csv(out .. "/propagators.csv", rows, {"propagator", "pml", "cycles", "flop", "loads", "stores", "sent", "received",
                                                "intensity", "flop_per_cycle", "of_roof", "bytes", "compact"})

local scaling = {}
for k, name in ipairs(kNames) do
  scaling[k] = {propagator = name}
  for _, wide in ipairs(kSides) do
    local result = run(name, wide, weak, "0")
    scaling[k]["side_" .. wide] = result and result.cycles_per_step
  end
end
local columns = {"propagator"}
for _, wide in ipairs(kSides) do columns[#columns + 1] = number("side_" .. wide, format("%d x %d PEs", wide, wide), 0) end
print(format("cycles of a step, %d cells for a PE, no layers", weak))
print(wse.table(scaling, columns))
