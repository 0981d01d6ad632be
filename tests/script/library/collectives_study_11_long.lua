-- All committed rows of figures 11 and 12, run again.
local studies = require "support.studies"

local rows = studies.check_rows({"figure11", "figure12"}, function() return true end)
print(rows .. " committed rows come out the same")
