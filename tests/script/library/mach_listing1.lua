-- Listing 1 on a sample of fields, 4 x 2 to 32 x 32 workers, and machines.
local check = require "support.mach_listing1"

local count = 0
for _, row in ipairs{{4, 2, 3, "wse2"}, {4, 2, 1, "model"}, {6, 4, 16, "wse3"}, {10, 2, 7, "wse2"},
                     {16, 12, 5, "model"}, {32, 32, 4, "wse2"}} do
  count = count + check.size(table.unpack(row))
end
print(count .. " fields")
