local wse = require "wse"
wse.sweep{over = {P = {4, 8}}}
--- expect
--- sweep_no_run.lua:2: wse.sweep: run = function(p) ... end is wanted, which returns a table of results
