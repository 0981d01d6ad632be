-- A field that wse.run does not have, nearly.
local wse = require "wse"
wse.argument("size")
wse.run{test = ".grid 1, 1"}
--- expect
--- unknown_field.lua:4: wse.run: unknown field 'test'; did you mean 'text'?
