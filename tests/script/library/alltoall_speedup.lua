-- On a cube without overhead d cycles are nearly d times as fast as one. Links pass a word every d
-- cycles there: a ramp passes one per cycle, for all d channels of a node.
local broadcast = require "alltoall.broadcast"

for d = 2, 9 do
  local function cycles(algorithm, interval)
    local result = broadcast.run{
      algorithm = algorithm, d = d, m = 64 * d, type = "i32",
      steps = d > 6 and 4 or nil,  -- all take the same time
      machine = {base = "model", memory_bytes = 1 << 22, link_interval = interval}}
    assert(result.max_abs_error == 0)
    return result.cycles
  end
  local gain = cycles("one-cycle", d) / cycles("d-cycles", d)
  assert(gain >= 0.8 * d and gain <= d, string.format("d = %d: %.2f", d, gain))
  if d > 2 then  -- quick links leave the ramps behind
    assert(cycles("one-cycle", 1) / cycles("d-cycles", 1) < 1.1)
  end
  print(string.format("d = %d: d cycles are %.2f times as fast as one", d, gain))
end
