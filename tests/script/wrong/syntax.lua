-- A mistake of grammar.
local x = = 1
