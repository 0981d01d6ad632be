-- Listing 1 on all fields of widths and heights in steps, to 32 x 32 workers, on all machines.
local check = require "support.mach_listing1"

local count = 0
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, width in ipairs{4, 6, 8, 10, 14, 20, 26, 32} do
    for _, height in ipairs{2, 4, 8, 14, 24, 32} do
      count = count + check.size(width, height, (width + height) % 9 + 1, machine)
    end
  end
end
print(count .. " fields")
