-- A name that is mistyped.
local wse = require "wse"
wse.program("p", {}, function(b)
  b:table("steps", "frist")
  b:task("main")
  b:label "first"
end)
--- expect
--- builder_table_label.lua:4: b:table: entry 1: label 'frist' is not defined in program 'p'; did you mean 'first'?
