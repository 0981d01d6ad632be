-- A microthread that nobody declares.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  b:microthread("receiving")
  b:task("main")
  b.fmovs(v, b.fabin("rx"), b.async("recieving"))
end)
--- expect
--- builder_microthread.lua:7: b.async: microthread 'recieving' is not defined in program 'p'; did you mean 'receiving'?
