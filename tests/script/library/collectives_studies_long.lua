-- The order of the patterns on a row of 512 PEs without costs over all lengths.
local points = require "collectives.study.points"
local studies = require "support.studies"

studies.check_order(points.powers(1, 8192))
