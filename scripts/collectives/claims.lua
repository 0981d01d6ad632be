-- Each published number of Near-Optimal Wafer-Scale Reduce beside what runs of its programs say, from the
-- rows of the figures in a folder:  wsevm run scripts/collectives/claims.lua rows=DIR
local claims = require "collectives.study.claims"
local wse = require "wse"

local folder = wse.argument("rows", "scripts/collectives/pictures")
wse.no_more_arguments()
local function rows(name) return wse.read_csv(folder .. "/" .. name .. ".csv") end

local list = claims.list{figure11 = rows "figure11", figure12 = rows "figure12",
                         wafer = rows "figure13-512"}
print("| claim | paper | here | why |")
print("|---|---|---|---|")
for _, one in ipairs(list) do
  print(("| %s | %s | %s | %s |"):format(one.claim, one.paper, one.here, one.why))
end
