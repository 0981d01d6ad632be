-- All studies of the language, or one:
--   wsevm run scripts/mach/language_studies.lua out=out only=elements
-- NAME.csv has every point and what its runs gave, NAME.svg the picture. A file NAME.csv that is there
-- is continued, so remove it when programs have changed. only=timeline: what
-- roles do during an iteration of conjugate gradients.
local check = require "wse.layout.check"
local study = require "support.study"
local timeline = require "mach.study.timeline"
local wse = require "wse"

local kOrder = {"elements", "setup", "memory", "scaling", "pipelined"}
local studies = require "mach.study.language"

local out, only = wse.argument("out", "out"), wse.argument("only", "")
wse.no_more_arguments()
if only ~= "" and only ~= "timeline" and not studies[only] then
  error(string.format("only = %s: there is no such study%s", only,
                      check.instead(only, {"timeline", table.unpack(kOrder)})), 0)
end

for _, name in ipairs(kOrder) do
  if only == "" or only == name then
    local one = studies[name]
    local self = {name = name, out = out, csv = out .. "/" .. name .. ".csv"}
    local rows = wse.sweep{over = one.over, points = one.points, order = one.order, run = one.run,
                           csv = self.csv, title = name}
    study.draw(self, one.picture(rows))
    print(name .. "\n" .. wse.table(rows))
  end
end
if only == "" or only == "timeline" then
  study.draw({name = "timeline", out = out}, timeline.picture())
end
