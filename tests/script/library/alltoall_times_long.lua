-- As alltoall_times.lua, for 128 nodes, and for more of them by their first steps.
local times = require "support.alltoall_times"

for _, name in ipairs{"table5", "table7", "table15"} do
  local worst = times.check(name, 64, 2048)
  print(string.format("%s: at most %.1f %% off", name, 100 * worst))
end
