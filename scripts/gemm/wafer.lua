-- Products on a whole wafer: utilisation over the tile, and where SUMMA overtakes MeshGEMM:
--   wsevm run scripts/gemm/wafer.lua P=720 tile=48 code=best
-- Cycles of a product are linear in P. So two grids are run, kNear and kFar, and the line through
-- them is drawn out to P; a test compares such a line with larger grids. Products of a vector are run
-- as they are, on one column of up to 480 PEs.
local algorithms = require "gemm.study.algorithms"
local gemv = require "gemm.gemv"
local study = require "support.study"
local wse = require "wse"

local side, most = study.integer("P", 720, 32, 1024), study.integer("tile", 48, 2, 48)
local code = wse.argument("code", "best")
local self = study.begin("wafer")

local kNear, kFar = 8, 16
local kNames = {"summa", "summa-multicast", "cannon", "meshgemm"}

local function up_to(list, largest)
  local kept = {}
  for _, value in ipairs(list) do
    if value <= largest then kept[#kept + 1] = value end
  end
  return kept
end

local points = {}
for _, tile in ipairs(up_to({2, 3, 4, 6, 8, 12, 16, 24, 32, 48}, most)) do
  for _, name in ipairs(kNames) do
    for _, P in ipairs{kNear, kFar} do
      points[#points + 1] = {what = name, tile = tile, P = P, code = code}
    end
  end
end
for _, tile in ipairs(up_to({6, 12, 24}, most)) do
  for _, P in ipairs(up_to({30, 60, 120, 240, 480}, side)) do
    points[#points + 1] = {what = "meshgemv", tile = tile, P = P, code = code}
  end
end

local rows = study.rows(self, points, {"what", "tile", "P", "code"}, function(point)
  local tile = point.tile
  if point.what == "meshgemv" then
    local result = gemv.run{P = point.P, Mt = tile, Nt = tile, columns = 1, code = code}
    return {cycles = result.cycles, utilisation = result.utilisation}
  end
  local result = algorithms.run{algorithm = point.what, P = point.P, Mt = tile, Kt = tile,
                                Nt = tile, code = code}
  return {cycles = result.cycles, utilisation = result.utilisation}
end)

-- The rows of products, two by two, drawn out to the wafer.
local function drawn_out()
  local products, near = {}, nil
  for _, row in ipairs(rows) do
    if row.what ~= "meshgemv" and row.P == kNear then near = row end
    if row.what ~= "meshgemv" and row.P == kFar then
      local slope = (row.cycles - near.cycles) / (kFar - kNear)
      local cycles = row.cycles + (side - kFar) * slope
      products[#products + 1] = {
        algorithm = row.what, tile = row.tile, P = side, cycles = cycles, per_step = cycles / side,
        utilisation = row.utilisation * row.cycles / cycles * side / kFar}
    end
  end
  return products
end

local products, vectors = drawn_out(), {}
for _, row in ipairs(products) do
  local all = algorithms.by_name(products, function(other) return other.tile == row.tile end)
  row.ratio = row.cycles / all.meshgemm.cycles
end
for _, row in ipairs(rows) do
  if row.what == "meshgemv" then vectors[#vectors + 1] = row end
end
print(wse.table(products, {"tile", "P", "algorithm", {name = "cycles", format = "%.0f"},
                           {name = "per_step", title = "cycles / P", format = "%.1f"},
                           {name = "utilisation", format = "%.3f"},
                           {name = "ratio", title = "over meshgemm", format = "%.2f"}}))
print(wse.table(vectors, {"tile", "P", {name = "what", title = "algorithm"},
                          {name = "cycles", format = "%.0f"},
                          {name = "utilisation", format = "%.4f"}}))
study.draw(self, {
  lines = algorithms.lines(products, "tile", "utilisation"), log = "x", x_label = "tile",
  y_label = "utilisation", y_range = {0, 1},
  title = ("%d x %d PEs, square tiles, code=%s"):format(side, side, code)})
