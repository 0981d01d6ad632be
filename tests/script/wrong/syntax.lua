-- A mistake of grammar.
local x = = 1
--- expect
--- syntax.lua:2: unexpected symbol near '='
