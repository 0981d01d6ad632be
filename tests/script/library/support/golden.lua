-- Compares a text with golden/NAME. To write them anew: wsevm run FILE.lua bless=true in the folder
-- of the tests; look at the difference before committing it. golden=FOLDER: where they are.
local wse = require "wse"
local bless, folder = wse.argument("bless", false), wse.argument("golden", "golden")

return function(name, text)
  local file = folder .. "/" .. name
  if bless then return wse.write_text(file, text) end
  if wse.read_text(file) == text then return end
  wse.write_text("out/" .. name, text)
  error(file .. " differs from what is made now, out/" .. name, 2)
end
