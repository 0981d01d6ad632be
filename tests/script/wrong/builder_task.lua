-- A task that nobody defines.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v, b.fabin("rx"), b.async(b:microthread("receiving"), {activate = "done"}))
end)
--- expect
--- builder_task.lua:7: b.async: activate: task 'done' is not defined in program 'p'; there are main
