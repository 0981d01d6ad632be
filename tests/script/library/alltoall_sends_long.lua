-- As alltoall_sends.lua, for 32 to 256 nodes, and for longer spreads and more nodes.
local alltoall_sends = require "support.alltoall_sends"

print(("Table 3: at most %.1f %% off"):format(100 * math.max(
  alltoall_sends.spreads(16, 256, 4096), alltoall_sends.spreads(512, 2048, 1024), alltoall_sends.spreads(16, 64, 32768))))
print(("Tables 6, 10, 16: at most %.1f %% off"):format(100 * alltoall_sends.ratios(32, 256)))
