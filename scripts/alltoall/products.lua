-- Matrix-vector products of P x P matrices on 2-D arrays of nodes, beside Table 19:
--   wsevm run scripts/alltoall/products.lua out=out
-- most=P: the largest matrix that is run; the published numbers are those of 64 bits, these of 32.
-- study/study.lua has the arguments of all studies. README.md reads the result.
local matvec = require "alltoall.matvec"
local published = require "alltoall.study.published"
local study = require "alltoall.study.study"
local wse = require "wse"

local most = wse.argument("most", 2048)
local self = study.begin("products")

local points, paper = {}, {}
for _, row in ipairs(published.table19) do
  local P, nodes, mflops, ms = table.unpack(row)
  if P <= most then
    points[#points + 1] = {P = P, nodes = nodes}
    paper[#points] = {mflops = mflops, ms = ms}
  end
end
local rows = study.rows(self, points, {"P", "nodes"}, function(p)
  local result = matvec.run{P = p.P, Q = p.P, d = study.dimensions(p.nodes), nodes = "grid",
                            machine = "cm200"}
  assert(result.max_abs_error == 0)
  return {ms = result.milliseconds, mflops = result.mflops,
          communication = (result.broadcast_cycles + result.reduce_cycles) / result.cycles}
end)
for k, row in ipairs(rows) do
  row.published_ms, row.published_mflops = paper[k].ms, paper[k].mflops
end
print(wse.table(rows, {"P", "nodes", {name = "ms", format = "%.2f"},
                       {name = "published_ms", title = "published", format = "%.2f"},
                       {name = "mflops", title = "Mflop/s", format = "%.0f"},
                       {name = "published_mflops", title = "published"},
                       {name = "communication", format = function(v)
                         return string.format("%.0f %%", 100 * v)
                       end}}))
study.draw(self, {log = "y", x_label = "P", y_label = "ms", title = "Products on 256 nodes",
                  lines = {
  study.line("f32, run", 1, rows, "P", "ms", function(row) return row.nodes == 256 end),
  study.line("64 bits, measured", 2, rows, "P", "published_ms",
             function(row) return row.nodes == 256 end)}})
