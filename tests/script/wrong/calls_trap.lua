-- What the assembler finds wrong in a call names the user's text.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(3, 1):use(require "collectives.calls")
w:broadcast{name = "cast", data = "w"}
w:program[[
.program all
  .f32 v[8]
  task main:
    cast
]]
w:place("all", w:all())
w:run()
--- expect
--- calls_trap.lua:13: wse.run: the program has errors
--- calls_trap.lua(13):11:31: error[E020]: unknown name 'w'
---    11 |     fmovs fabout(cast_flood), w
---       |                               ^
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from calls_trap.lua:5
--- calls_trap.lua(13):21:5: note: in the expansion of 'cast' here
---    21 |     cast
---       |     ^~~~
---       = note: from calls_trap.lua(6):4
--- calls_trap.lua(13):24:8: note: in the code that 'all' gets for the constants given here
---    24 | .place all at (0, 0) with cast_role = 1, cast_flood = cast_flood_0_0
---       |        ^~~
---       = note: from calls_trap.lua:12
--- calls_trap.lua(13):13:11: error[E020]: unknown name 'w'
---    13 |     fmovs w, fabin(cast_flood)
---       |           ^
---       = help: define it with .const, .param, .colour, .reg, or as a parameter or data of the program
---       = note: from calls_trap.lua:5
--- calls_trap.lua(13):21:5: note: in the expansion of 'cast' here
---    21 |     cast
---       |     ^~~~
---       = note: from calls_trap.lua(6):4
--- calls_trap.lua(13):25:8: note: in the code that 'all' gets for the constants given here
---    25 | .place all at (1..2, 0) with cast_role = 2, cast_flood = cast_flood_0_0
---       |        ^~~
---       = note: from calls_trap.lua:12
