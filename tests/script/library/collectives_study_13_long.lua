-- All committed rows of figure 13, run again.
local studies = require "support.studies"

local rows = studies.check_rows({"figure13"}, function() return true end)
print(rows .. " committed rows come out the same")
