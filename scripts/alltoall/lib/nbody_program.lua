-- The program of a direct N-body step: all-to-all broadcast over d cycles of particles of four words (three
-- coordinates and a mass), which stay in the order in which they arrive, then the acceleration of each own particle by
-- all particles, one pair after the other:
--   d = their place - own place;  square = softening + dx dx + dy dy + dz dz;  a += d (mass / (square sqrt square))
-- The own particle adds nothing, since its d is 0, nor does an empty place, since its mass is 0.
local NodeCode = require "alltoall.lib.node_code"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"

local nbody_program = {}

local kAxes = {"x", "y", "z"}

-- register = the next word of a saved descriptor.
local function next_word(code, register, descriptor)
  code:op("mov32 %s, 0.0", register)
  code:op("fadds %s, %s, %s", register, register, descriptor)
end

local function pair(code)
  for _, axis in ipairs(kAxes) do next_word(code, "d" .. axis, "from") end
  next_word(code, "mass", "from")
  for _, axis in ipairs(kAxes) do code:op("fsubs d%s, d%s, p%s", axis, axis, axis) end
  code:op("mov32 square, softening")
  for _, axis in ipairs(kAxes) do
    code:op("fmuls part, d%s, d%s", axis, axis)
    code:op("fadds square, square, part")
  end
  code:op("fsqrts part, square")
  code:op("fmuls square, square, part")
  code:op("fdivs mass, mass, square")
  for _, axis in ipairs(kAxes) do
    code:op("fmuls part, d%s, mass", axis)
    code:op("fadds a%s, a%s, part", axis, axis)
  end
end

-- Accelerations of all own particles, into `force`.
local function accelerations(code, request)
  code:op("mark forces")
  code:op("setd into, save(mine[0, 0:1])")
  code:op("mov32 mine_at, 0")
  code:line("particle:")
  for _, axis in ipairs(kAxes) do next_word(code, "p" .. axis, "into") end
  next_word(code, "mass", "into")
  for _, axis in ipairs(kAxes) do code:op("mov32 a%s, 0.0", axis) end
  code:op("setd from, save(z[0, 0:1])")
  code:op("mov32 other, 0")
  code:line("pair:")
  pair(code)
  code:op("add32 other, other, 1")
  code:op("blt other, %d, pair", request.nodes * request.m)
  for _, axis in ipairs(kAxes) do
    code:op("mov32 force[mine_at], a%s", axis)
    code:op("add32 mine_at, mine_at, 1")
  end
  code:op("blt mine_at, %d, particle", 3 * request.m)
  code:op("mark ended")
end

-- Its text for a program called `node`; `parameters` are those of its header.
function nbody_program.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  code:line(".f32 force[%d]", 3 * request.m)
  code:line(".f32 softening = %.9g", request.softening)
  broadcast_cycles.declare(code, request)
  code:registers(0, {"mine_at", "other", "px", "py", "pz", "ax", "ay", "az", "dx", "dy", "dz", "mass", "square", "part"})
  code:line("task main:")
  broadcast_cycles.phase(code, request)
  accelerations(code, request)
  code:op("halt")
  return code:text()
end

return nbody_program
