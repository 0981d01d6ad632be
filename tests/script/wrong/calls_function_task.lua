-- A function as a task without the length of its vectors.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:reduce{name = "total", data = "v", op = "own", after = "summed"}
--- expect
--- calls_function_task.lua:5: w:reduce: op = own: as a task a function wants a length, that of its vectors
