-- A value for a constant that the program does not have.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".const P = 1\n.grid P, 1", values = {Q = 4}}
--- expect
--- unknown_constant.lua:4: wse.run: the program has errors
--- command line:1:1: error[E029]: no .const or .param is called 'Q'
---     1 | Q=4
---       | ^
---       = help: a line `.const Q = ...` or `.param Q: i32 = ...` defines one
