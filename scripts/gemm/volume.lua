-- The volume that moves in a step, counted by the fabric: words that a PE gets, and links that they cross.
--   wsevm run scripts/gemm/volume.lua P=16 tile=4 code=best
-- tile_words is the size of a tile of A and one of B together, in words of two f16.
local algorithms = require "gemm.study.algorithms"
local study = require "support.study"
local wse = require "wse"

local most = study.integer("P", 16, 4, 64)
local tile, code = study.integer("tile", 4, 1, 32), wse.argument("code", "best")
local self = study.begin("volume")

local points = {}
for _, P in ipairs(algorithms.doubled(4, most)) do
  for _, name in ipairs(algorithms.names) do
    points[#points + 1] = {P = P, algorithm = name, tile = tile, code = code}
  end
end
local rows = study.rows(self, points, {"P", "algorithm", "tile", "code"}, function(point)
  local result, record, request = algorithms.run{
    algorithm = point.algorithm, P = point.P, Mt = tile, Kt = tile, Nt = tile,
    code = point.code}
  local steps = point.P
  return {tile_words = (request.a_bytes + request.b_bytes) // 4,
          received = record.fabric.max_ramp_wavelets / steps,
          hops = record.fabric.hops / steps / (point.P * point.P * request.layers),
          links = record.fabric.links_used, busiest_link = record.fabric.max_link_load / steps,
          longest = result.max_hops}
end)
print(wse.table(rows, {"P", "algorithm", {name = "tile_words", title = "tile words"},
                       {name = "received", title = "got by a PE", format = "%.2f"},
                       {name = "hops", title = "hops per PE", format = "%.2f"}, "links",
                       {name = "busiest_link", title = "on a link", format = "%.2f"},
                       {name = "longest", title = "longest way"}}))
study.draw(self, {lines = algorithms.lines(rows, "P", "longest"), log = "xy", x_label = "P",
                  y_label = "links of the longest way", title = "The longest way of a word, code=" .. code})
