-- Rings: a sample of sizes leaves the exact sum everywhere; the paper's terms hold, and on the
-- profile `model` its Lemma 6.1.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"
local rings = require "support.rings"

-- Sizes, types and operations; P that divide B and others.
for k, pattern in ipairs(rings.patterns) do
  for j, P in ipairs{1, 2, 3, 4, 5, 6, 7, 8, 17, 100} do
    for turn = 0, 5 do
      rings.check{
        pattern = pattern, P = P, B = ({1, 7, P, 3 * P, 64, 200})[turn + 1],
        machine = collectives.profiles[(j + turn) % 3 + 1],
        type = collectives.types[(j + turn // 2) % 3 + 1],
        op = collectives.operations[(k + turn) % 3 + 1], overlap = (j + k + turn // 3) % 2 == 0}
    end
  end
end

for _, pattern in ipairs(rings.patterns) do
  for _, P in ipairs{2, 3, 8, 17, 64} do
    for _, words in ipairs{1, 3, 8} do
      rings.exact(pattern, P, P * words)
      rings.overlapped(pattern, P, P * words)
    end
  end
  rings.exact(pattern, 4, 1024)
end

-- With long blocks a round that overlaps takes as long as its words.
local long = rings.overlapped("ring-fold", 8, 4096)
collectives.within(long, "cycles", long.cycles, 14 * 512, 14 * 512 + 40)

-- Where the paper sees it ahead of a chain with a broadcast: 4 PEs with 1 KB.
local chain = collectives.check(allreduce.run,
                                {pattern = "chain", P = 4, B = 256, machine = "model"})
local ring = rings.exact("ring-wrap", 4, 256)
collectives.within(ring, "cycles", ring.cycles, 1, chain.cycles)

local function refused(options, text)
  local ok, message = pcall(allreduce.run, options)
  assert(not ok, "not refused: " .. text)
  assert(tostring(message):find(text, 1, true), message)
end
refused({pattern = "ring-wrap", P = 8, B = 16, root = "middle"}, "a ring has no root")
refused({pattern = "ring-fold", P = 8, B = 16, code = "measured"}, "a ring has no code")
refused({pattern = "ring-fold", width = 4, height = 2, B = 16}, "a ring is on a row, with P")
refused({pattern = "ring-star", P = 8, B = 16}, "ring-wrap or ring-fold is wanted")
refused({pattern = "ring-wrap", P = 8, B = 16, overlap = 1}, "overlap = 1: true or false is wanted")
refused({pattern = "ring-wrap", P = 8, B = 0}, "B = 0")
refused({pattern = "ring-wrap", P = 5000, B = 10001}, "blocks of 3 take 60000 bytes")
print(collectives.runs .. " allreduces")
