-- Rings in full: every type and profile over many sizes leaves the exact sum; on the profile
-- `model` sizes up to 512 PEs with 4096 words take what Lemma 6.1 says.
local collectives = require "support.collectives"
local rings = require "support.rings"

for _, pattern in ipairs(rings.patterns) do
  for _, P in ipairs{1, 2, 3, 4, 5, 8, 16, 17, 64, 100, 512} do
    for _, B in ipairs{P, 2 * P, 3 * P, 8 * P, 33 * P, (4096 + P // 2) // P * P} do
      if B <= 8192 then -- more do not fit into a PE
        rings.exact(pattern, P, B)
        rings.overlapped(pattern, P, B)
      end
    end
  end
end

local turn = 0
local function check_all(machine, type_name, pattern, P)
  for _, B in ipairs{1, 7, P, 2 * P, 5 * P + 1, 64, 1000} do
    for _, overlap in ipairs{false, true} do
      turn = turn + 1
      rings.check{pattern = pattern, P = P, B = B, type = type_name, machine = machine,
                  op = collectives.operations[turn % 3 + 1], overlap = overlap}
    end
  end
end
for _, machine in ipairs(collectives.profiles) do
  for _, type_name in ipairs(collectives.types) do
    for _, pattern in ipairs(rings.patterns) do
      for _, P in ipairs{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 31, 100, 257} do
        check_all(machine, type_name, pattern, P)
      end
    end
  end
end
print(collectives.runs .. " allreduces")
