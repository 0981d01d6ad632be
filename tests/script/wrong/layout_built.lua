-- Errors of the assembler in a program that was built by calls, and behind it.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(2, 1)
w:place(w:build("idle", {n = "i32"}, function(b)
  b:task("main")
  b.mov32("r1", "n")
  b.mov32("r2", "1 + nothing")
end), w:all(), {n = "k"})
w:run()
