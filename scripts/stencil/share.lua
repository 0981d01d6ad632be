-- The cost of absorbing layers and of a velocity for each cell, for columns of several depths:
--   wsevm run scripts/stencil/share.lua out=out
-- support/study.lua has the arguments of all studies. STUDY.md reads the result.
local acoustic = require "stencil.modelling.acoustic"
local shots = require "stencil.minimod"
local study = require "support.study"
local wse = require "wse"

local side = study.integer("side", 9, 1, 100)
local steps = study.integer("steps", 2, 1, 1000)
local pml = study.integer("pml", 27, 1, 1000)
local self = study.begin("share")

local kKinds = {"plain", "velocities", "layers", "both"}
local kTitles = {plain = "one velocity, no layers", velocities = "a velocity for each cell", layers = "layers",
                 both = "layers and a velocity for each cell"}

local function run(point)
  local has_layers = point.kind == "layers" or point.kind == "both"
  local request = shots.request{ngrid = ("%d,%d,%d"):format(side, side, point.nz), nsteps = steps,
                                pml = has_layers and ("%d"):format(pml) or "0"}
  if point.kind == "velocities" or point.kind == "both" then
    request.velocity = function(x, y, z) return 1500.0 + 100.0 * ((x + 2 * y + z) % 9) end
  end
  local g, fields = acoustic.grid(request)
  acoustic.add_survey(request, g, fields.p, request.cells[1])
  local result = g:run{steps = steps, force = true}
  return {cycles_per_cell = result.cycles_per_step / point.nz, bytes = result.step.bytes, blocks = result.step.blocks}
end

local points = {}
for _, kind in ipairs(kKinds) do
  for _, nz in ipairs{50, 100, 200, 400, 600, 800, 1000, 1200} do points[#points + 1] = {kind = kind, nz = nz} end
end
local rows = study.rows(self, points, {"kind", "nz"}, run)

local by_nz, table_rows = {}, {}
for _, row in ipairs(rows) do
  local line = by_nz[row.nz]
  if not line then
    line = {nz = row.nz}
    by_nz[row.nz], table_rows[#table_rows + 1] = line, line
  end
  line[row.kind] = row.cycles_per_cell
  if row.kind == "both" then line.blocks, line.bytes = row.blocks, row.bytes end
end
for _, line in ipairs(table_rows) do line.share = 100 * (1 - line.velocities / line.both) end
local function number(name, title, format) return {name = name, title = title, format = format or "%.2f"} end
print(wse.table(table_rows, {"nz", number("plain", "plain"), number("velocities", "velocities"), number("layers", "layers"),
                             number("both", "both"), number("share", "share of layers, %", "%.1f"), "blocks", "bytes"}))

local lines = {}
for k, kind in ipairs(kKinds) do
  lines[k] = study.line(kTitles[kind], k, rows, "nz", "cycles_per_cell", function(row) return row.kind == kind end)
end
study.draw(self, {lines = lines, x_label = "cells of a column", y_label = "cycles per cell", y_range = {0, 70},
                  title = ("Layers and velocities, %d x %d PEs"):format(side, side)})
