-- Roofline of a PE: flop per cycle over flop per byte, of memory and of the fabric, with the
-- ceilings of the profile. The paper's way of counting: 51 flop of the algorithm for each cell.
--   wsevm run scripts/stencil/roofline.lua out=out
-- alltoall/study/study.lua has the arguments of all studies. lib/STUDY.md reads the result.
local acoustic = require "stencil.acoustic25"
local points = require "stencil.study.points"
local published = require "stencil.study.published"
local study = require "support.study"
local wse = require "wse"

local nz = wse.argument("nz", 1000)
local side = wse.argument("side", 24)
local self = study.begin("roofline")

local kFlop = 51  -- of the algorithm: 25 products, 25 additions, a subtraction
local kWordBytes = 4
local machine = wse.machine("wse2")
-- A multiply-add has 2 flop, an addition of two elements too.
local peak = math.max(2 * machine.simd_other, machine.simd_32bit)
local memory_bytes = machine.read_port_bytes + machine.write_port_bytes
local fabric_bytes = kWordBytes  -- a word per cycle through the ramp

-- Words of memory and of the fabric for a cell of an inner PE, and cycles.
local function run(point)
  local kernel, banks = points.split(point.kernel)
  local result, _, request, _, counts = acoustic.run{
    nx = point.side, ny = point.side, nz = point.nz, steps = 2, kernel = kernel, banks = banks}
  local words, fabric = 0.0, 0.0
  for _, count in ipairs(counts) do
    local share = count.inner / request.padded
    words = words + share * (count.loads + count.stores)
    fabric = fabric + share * count.fabric
  end
  return {cycles_per_cell = result.cycles_per_cell, memory_words = words, fabric_words = fabric}
end

local list = {}
for k, kernel in ipairs(points.kernels) do list[k] = {kernel = kernel, side = side, nz = nz} end
local rows = study.rows(self, list, {"kernel", "side", "nz"}, run)

local measured = {kernel = "measured, nz = 1000", cycles_per_cell = published.cycles[1000] / 1000,
                  memory_words = published.memory_words, fabric_words = 0}
for _, operation in ipairs(published.operations) do
  measured.fabric_words = measured.fabric_words + operation.count * operation.fabric
end
rows[#rows + 1] = measured
for _, row in ipairs(rows) do
  row.flop_per_cycle = kFlop / row.cycles_per_cell
  row.memory = kFlop / (kWordBytes * row.memory_words)
  row.fabric = kFlop / (kWordBytes * row.fabric_words)
  row.of_peak = 100 * row.flop_per_cycle / peak
  row.of_memory = 100 * row.flop_per_cycle / math.min(peak, row.memory * memory_bytes)
  row.of_fabric = 100 * row.flop_per_cycle / math.min(peak, row.fabric * fabric_bytes)
end

local function percent(name, title) return {name = name, title = title, format = "%.0f"} end
print(wse.table(rows, {"kernel", {name = "flop_per_cycle", title = "flop/cycle", format = "%.3f"},
                       {name = "memory", title = "flop/byte memory", format = "%.3f"},
                       {name = "fabric", title = "fabric", format = "%.3f"},
                       percent("of_peak", "% of peak"), percent("of_memory", "of memory roof"),
                       percent("of_fabric", "of fabric roof")}))

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
study.draw(self, {lines = lines, log = "xy", x_label = "flop per byte", y_label = "flop per cycle",
                  title = "Roofline of a PE: left marks for memory, right ones for the ramp"})
