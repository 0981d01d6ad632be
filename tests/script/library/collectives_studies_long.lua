-- The studies of figures 11 to 13 at full size: the order of the patterns over all lengths, and all
-- committed rows run again.
local points = require "collectives.study.points"
local studies = require "support.studies"

studies.check_order(points.powers(1, 8192))
print(studies.check_rows(function() return true end) .. " committed rows come out the same")
