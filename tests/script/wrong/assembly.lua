-- A program with a mistake: its own diagnostics, and the line of wse.run.
local wse = require "wse"
wse.argument("size")
local function build()
  return [[
.grid 1, 1
.program p
  task main:
    fmca r1, r2, r3
.place p at (0, 0)
]]
end
wse.run{text = build()}
--- expect
--- assembly.lua:13: wse.run: the program has errors
--- assembly.lua(13):4:5: error[E012]: unknown instruction 'fmca'
---     4 |     fmca r1, r2, r3
---       |     ^~~~
---       = help: did you mean 'fmacs'?
