-- Data motion on the profiles cm200 and cm200-news takes the published time, within 15 %.
local times = require "support.alltoall_times"

for _, name in ipairs{"table4", "table5", "table7", "table13", "table15"} do
  local worst = times.check(name, 0, 16)
  print(string.format("%s: at most %.1f %% off", name, 100 * worst))
end
