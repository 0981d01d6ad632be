-- As alltoall_times.lua, for 32, 64 and 128 nodes, and for more of them by their first steps.
local times = require "support.alltoall_times"

for _, name in ipairs{"table4", "table5", "table7", "table13", "table15"} do
  local worst = times.check(name, 16, 2048)
  print(string.format("%s: at most %.1f %% off", name, 100 * worst))
end
