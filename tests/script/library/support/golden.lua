-- Compares a text with golden/NAME. To write them anew: wsevm run FILE.lua bless=true in the folder
-- of the tests; look at the difference before committing it.
local wse = require "wse"
local bless = wse.argument("bless", false)

return function(name, text)
  local file = "golden/" .. name
  if bless then return wse.write_text(file, text) end
  if wse.read_text(file) == text then return end
  wse.write_text("out/" .. name, text)
  error(file .. " differs from what is made now, out/" .. name, 2)
end
