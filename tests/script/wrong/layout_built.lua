-- Errors of the assembler in a program that was built by calls, and after it.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(2, 1)
w:place(w:build("idle", {n = "i32"}, function(b)
  b:task("main")
  b.mov32("r1", "n")
  b.mov32("r2", "1 + nothing")
end), w:all(), {n = "k"})
w:run()
--- expect
--- layout_built.lua:10: wse.run: the program has errors
--- layout_built.lua(10):13:19: error[E020]: unknown name 'nothing'
---    13 |     mov32 r2, 1 + nothing
---       |                   ^~~~~~~
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from layout_built.lua:8
--- layout_built.lua(10):18:35: error[E020]: unknown name 'k'
---    18 | .place idle at (0..1, 0) with n = k
---       |                                   ^
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from layout_built.lua:5
