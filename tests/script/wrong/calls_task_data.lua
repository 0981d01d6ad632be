-- A collective of tasks has nobody who could say its data.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:gather{name = "all", length = 4, after = "gathered"}
--- expect
--- calls_task_data.lua:5: w:gather: a collective with a task has its data here: into, data
