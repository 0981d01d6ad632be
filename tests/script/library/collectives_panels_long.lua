-- The studies of figures 11 to 13: tiny ones from runs to pictures, what they find in rows, the
-- order of the patterns on a machine without costs, and a sample of the committed results.
local check = require "support.svg"
local findings = require "collectives.study.findings"
local pictures = require "collectives.study.pictures"
local points = require "collectives.study.points"
local studies = require "support.studies"
local wse = require "wse"

-- Tiny panels of all kinds, from runs to pictures. `other_code` runs chain and Auto-Gen twice.
local panels = {
  {name = "a", title = "a", collective = "broadcast", over = "B", values = {1, 4}, size = 8},
  {name = "b", title = "b", collective = "reduce", over = "B", values = {1, 4, 8192}, size = 8},
  {name = "c", title = "c", collective = "allreduce", over = "P", values = {4, 8}, B = 6},
  {name = "d", title = "d", collective = "reduce", over = "B", values = {1, 32}, size = 4,
   grid = true},
}
local options = {machine = "wse2", label = "wse2", code = "measured", other_code = "best",
                 out = "out/studies",
                 file = "out/studies/rows.csv"}
wse.write_text(options.file, "")
local rows = points.rows(panels, options)
local count = {reduce = 0, allreduce = 0, broadcast = 0, best = 0}
for _, row in ipairs(rows) do
  count[row.collective] = count[row.collective] + 1
  if row.code == "best" then count.best = count.best + 1 end
  assert(row.cycles > 0 and row.model > 0 and row.cycles >= row.lower_bound * 0.9)
end
-- Rows and grids: 6 patterns, of an AllReduce also the ring; of a grid also the snake, and its star
-- only up to 16 words.
assert(count.broadcast == 2 and count.allreduce == 7 * 2 and count.best == 3 * (3 + 2))
assert(count.reduce == 6 * 3 + (7 * 2 - 1) + count.best)

-- A second start runs nothing: rows that are there are taken as they are.
local text = wse.read_text(options.file)
local changed = text:gsub("(\nwse2,measured,broadcast,broadcast,8,1,1,)[^\n]*", "%199999,1.0,1,1.0")
assert(changed ~= text)
wse.write_text(options.file, changed)
local again = points.rows(panels, options)
assert(again[1].cycles ~= rows[1].cycles and again[2].cycles == rows[2].cycles)

-- Each pattern is in the legend, the star with the points that are outside of the picture.
for _, panel in ipairs(panels) do
  local names = {}
  for text, times in pairs(check.texts(check.picture(wse.plot(pictures.fields(panel, rows, options))))) do
    names[(text:gsub(" %(%d+ left out%)$", ""))] = times
  end
  for _, name in ipairs(points.names(panel)) do assert(names[name] == 1, name) end
  assert((names.ring == 1) == (panel.name == "c"))
end

-- Side by side they are one.
local fields = pictures.fields(panels[1], rows, options)
local one = check.picture(wse.plot(fields))
local both = check.picture(wse.plot{panels = {fields, fields}, letters = false})
assert(tonumber(both[1].attributes.width) == 2 * one[1].attributes.width)

-- What rows of two sizes say.
local panel = {collective = "reduce", over = "B", values = {1, 2}, size = 8}
local function two(name, first, second, model_1, model_2)
  return {{pattern = name, cycles = first, model = model_1 or first},
          {pattern = name, cycles = second, model = model_2 or second}}
end
local found = {star = two("star", 90, 400), chain = two("chain", 100, 120, 80, 150),
               tree = two("tree", 60, 150, 90, 140), ["two-phase"] = two("two-phase", 70, 110),
               ["auto-gen"] = two("auto-gen", 50, 132)}
local best = findings.best(panel, found, "model")
assert(best[1].fixed == "tree" and best[2].fixed == "two-phase" and best[2].cycles == 110)
local speedup, at = findings.speedup(panel, found, "auto-gen")
assert(speedup == 2.0 and at == 1)
local wrong = findings.error(panel, found, "chain")
assert(math.abs(wrong.mean - 0.225) < 1e-9 and wrong.largest == 0.25 and wrong.at == 2)
local choice = findings.worst_choice(panel, found)
assert(choice.cycles == 40 and choice.taken == "chain" and choice.better == "tree")
local against = findings.against_fixed(panel, found, "auto-gen")
assert(#against.ahead == 1 and against.ahead[1] == 1 and math.abs(against.most - 0.2) < 1e-9)

-- A row of 512 PEs without costs, at three lengths; collectives_studies_long.lua has all.
studies.check_order{1, 64, 256}

-- Committed rows, those that run quickly, still come out the same.
local kept = studies.check_rows({"figure11", "figure12", "figure13"}, function(row, k)
  return k % 4 == 0 and row.width * row.height * row.B <= 8192
end)
print(#rows .. " points, " .. kept .. " committed rows")
