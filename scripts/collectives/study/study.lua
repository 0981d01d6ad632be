-- A figure as a command: its arguments, its runs, its pictures, what it prints.
--
-- Arguments of all: out=DIR (out); code=paper, what the authors measured, measured or best; rows=FILE,
-- a CSV of an earlier start, whose points are not run again. The machine is that of the command line.
local pictures = require "collectives.study.pictures"
local points = require "collectives.study.points"
local report = require "collectives.study.report"
local wse = require "wse"

local study = {}

local other_code = {paper = "best", measured = "best", best = "paper"}

local function options_of(figure)
  local out = wse.argument("out", "out")
  local options = {out = out, title = figure, code = wse.argument("code", "paper"),
                   label = wse.machine().name, file = ("%s/%s.csv"):format(out, figure)}
  local rows = wse.argument("rows", "")
  wse.no_more_arguments()
  if rows ~= "" then wse.write_text(options.file, wse.read_text(rows)) end
  options.other_code = other_code[options.code]
  return options
end

-- Runs the panels of a figure; the user's record gets nothing, the CSV file has all. Returns rows.
function study.run(figure, panels)
  local options = options_of(figure)
  local rows, drawn = points.rows(panels, options), {}
  for k, panel in ipairs(panels) do
    drawn[k] = pictures.fields(panel, rows, options)
    drawn[k].file = ("%s/figure%s.svg"):format(options.out, panel.name)
    wse.plot(drawn[k])
    drawn[k].file = nil
    report.panel(panel, rows, options)
  end
  wse.plot{file = ("%s/%s.svg"):format(options.out, figure), panels = drawn, letters = false}
  return rows
end

return study
