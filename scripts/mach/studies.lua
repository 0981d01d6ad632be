-- All studies of this room, or one:
--   wsevm run scripts/mach/studies.lua out=out only=start
-- NAME.csv has every point and what its runs gave, NAME.svg the picture. A file NAME.csv that is there
-- is continued, so remove it when programs have changed.
local check = require "wse.layout.check"
local study = require "support.study"
local wse = require "wse"

local kOrder = {"start", "share", "sections", "reduction", "work", "indirect", "messages"}

local studies = {}
for _, part in ipairs{"mach.study.control", "mach.study.data"} do
  for name, one in pairs(require(part)) do studies[name] = one end
end

local out, only = wse.argument("out", "out"), wse.argument("only", "")
wse.no_more_arguments()
if only ~= "" and not studies[only] then
  error(string.format("only = %s: there is no such study%s", only, check.instead(only, kOrder)), 0)
end

for _, name in ipairs(kOrder) do
  if only == "" or only == name then
    local one = studies[name]
    local self = {name = name, out = out, csv = out .. "/" .. name .. ".csv"}
    local rows = wse.sweep{over = one.over, order = one.order, run = one.run, csv = self.csv,
                           title = name}
    study.draw(self, one.picture(rows))
    print(name .. "\n" .. wse.table(rows))
  end
end
