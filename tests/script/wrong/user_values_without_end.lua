-- Values for the record without end.
local wse = require "wse"
wse.argument("size")
local k = 0
while true do
  k = k + 1
  wse.user{["value" .. k] = k}
end
--- expect
--- user_values_without_end.lua:7: the limit of 20000000 instructions is reached (--script-instructions)
