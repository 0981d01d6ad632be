-- A panel of one pattern alone, whichever it is: what compares it with another one is left out.
local findings = require "collectives.study.findings"
local pictures = require "collectives.study.pictures"
local points = require "collectives.study.points"
local report = require "collectives.study.report"

local options = {machine = "wse2", label = "wse2", code = "paper"}
for name, words in pairs{chain = 2, star = 2, ["auto-gen"] = 2, none = 256} do
  local names = {name == "none" and "star" or name}  -- of 256 words no star is run
  local panel = {name = "13a", title = name, collective = "reduce", over = "B",
                 values = {words // 2, words}, size = 4, grid = true, names = names}
  local rows = points.rows({panel}, options)
  local found = points.of_panel(panel, rows, "paper")
  assert(#rows == (name == "none" and 0 or 2))
  report.panel(panel, rows, options)
  assert(findings.worst_choice(panel, found) == nil)
  assert(name ~= "auto-gen" or findings.against_fixed(panel, found, name) == nil)
  local range = pictures.fields(panel, rows, options).y_range
  assert((range == nil) == (name == "none") and (not range or range[1] < range[2]))
end
