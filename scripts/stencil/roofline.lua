-- Roofline of a PE: flop per cycle over flop per byte, of memory and of the fabric, with the
-- ceilings of the profile. The paper's way of counting: 51 flop of the algorithm for each cell.
--   wsevm run scripts/stencil/roofline.lua out=out
local acoustic = require "stencil.acoustic25"
local published = require "stencil.study.published"
local wse = require "wse"

local nz = wse.argument("nz", 1000)
local side = wse.argument("side", 24)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kFlop = 51  -- of the algorithm: 25 products, 25 additions, a subtraction
local kWordBytes = 4
local machine = wse.machine("wse2")
-- A multiply-add has 2 flop, an addition of two elements too.
local peak = math.max(2 * machine.simd_other, machine.simd_32bit)
local memory_bytes = machine.read_port_bytes + machine.write_port_bytes
local fabric_bytes = kWordBytes  -- a word per cycle through the ramp

local rows = {}
local function add(name, flop_per_cycle, words, fabric_words)
  local row = {kernel = name, flop_per_cycle = flop_per_cycle,
               memory = kFlop / (kWordBytes * words), fabric = kFlop / (kWordBytes * fabric_words)}
  row.of_peak = 100 * flop_per_cycle / peak
  row.of_memory = 100 * flop_per_cycle / math.min(peak, row.memory * memory_bytes)
  row.of_fabric = 100 * flop_per_cycle / math.min(peak, row.fabric * fabric_bytes)
  rows[#rows + 1] = row
end

for _, run in ipairs{{"paper", "same"}, {"paper", "other"}, {"fused", "other"}} do
  local result, _, request, _, counts = acoustic.run{nx = side, ny = side, nz = nz, steps = 2,
                                                     kernel = run[1], banks = run[2]}
  local words, fabric = 0, 0
  for _, count in ipairs(counts) do
    words = words + count.inner / request.padded * (count.loads + count.stores)
    fabric = fabric + count.inner / request.padded * count.fabric
  end
  local name = run[1] == "paper" and "paper, banks=" .. run[2] or run[1]
  add(name, kFlop / result.cycles_per_cell, words, fabric)
end
local fabric = 0
for _, operation in ipairs(published.operations) do
  fabric = fabric + operation.count * operation.fabric
end
add("measured, nz = 1000", kFlop * 1000 / published.cycles[1000], published.memory_words, fabric)

local function percent(name, title) return {name = name, title = title, format = "%.0f"} end
print(wse.table(rows, {"kernel", {name = "flop_per_cycle", title = "flop/cycle", format = "%.3f"},
                       {name = "memory", title = "flop/byte memory", format = "%.3f"},
                       {name = "fabric", title = "fabric", format = "%.3f"},
                       percent("of_peak", "% of peak"), percent("of_memory", "of memory roof"),
                       percent("of_fabric", "of fabric roof")}))
wse.write_csv(out .. "/roofline.csv", rows,
              {"kernel", "flop_per_cycle", "memory", "fabric", "of_peak", "of_memory", "of_fabric"})

-- A roof: along the bandwidth, then along the peak.
local function roof(name, number, bytes_per_cycle)
  local line = {name = name, number = number, marks = false, x = {}, y = {}}
  for _, x in ipairs{0.02, peak / bytes_per_cycle, 4} do
    line.x[#line.x + 1], line.y[#line.y + 1] = x, math.min(peak, x * bytes_per_cycle)
  end
  return line
end
local lines = {roof("memory, " .. memory_bytes .. " bytes/cycle", 1, memory_bytes),
               roof("ramp, " .. fabric_bytes .. " bytes/cycle", 2, fabric_bytes)}
for k, row in ipairs(rows) do
  lines[#lines + 1] = {name = row.kernel, number = k + 2, line = false,
                       x = {row.memory, row.fabric}, y = {row.flop_per_cycle, row.flop_per_cycle}}
end
wse.plot{file = out .. "/roofline.svg", lines = lines, log = "xy", x_label = "flop per byte",
         y_label = "flop per cycle", title = "Roofline of a PE"}
