-- Several programs of mach on one wafer: each has the bits of its interpreter, and together they take as many
-- cycles as the slowest one alone. Random programs with all constructs, messages among them, side by side and
-- above each other; what cannot be is refused.
local mach = require "mach"
local programs = require "support.mach_programs"

local function alone(seed, machine)
  return programs.build(seed, false, nil, machine):run{interpreter = false}.user.cycles
end

local words, runs = 0, 0
for seed = 1, 6 do
  local machine = ({"wse2", "wse3", "model"})[seed % 3 + 1]
  local p, q, r = programs.build(seed, false, nil, machine), programs.build(seed + 50, false, nil, machine),
                  programs.build(seed + 90, false, nil, machine, "message")
  local found = mach.wafer{{program = p, x = 2, y = 1}, {program = q, x = 2 + p.width, y = 3},
                           {program = r, x = 1, y = 8 + math.max(p.height, q.height)}}
  local slowest = math.max(alone(seed, machine), alone(seed + 50, machine),
                           programs.build(seed + 90, false, nil, machine, "message"):run{
                             interpreter = false}.user.cycles)
  for k, one in ipairs(found) do
    assert(one.user.differing_words == 0, ("seed %d, %d: %s"):format(seed, k, one.user.first_difference))
    assert(one.user.cycles == slowest, one.user.cycles .. " and " .. slowest)
    words, runs = words + one.user.rpcs, runs + 1
  end
end

-- One program, whose formulas of x and y count from its own corner.
local function field(width)
  local p = mach.program{width = width, height = 4}
  local a, t = p:LA("a", 3, function(x, y, i) return 100 * x + 10 * y + i end), p:GS("t")
  a["1:, :, :"] = a[":-1, :, :"] + 1
  t:set(p:max(a[":2, 3, :"]))
  return p
end
local found = mach.wafer{{program = field(4)}, {program = field(6), x = 4}}
assert(found[2]:array("a"):at(5, 2, 1) == 422 and found[1]:value("t") == 33 and found[2]:value("t") == 33)

local function refused(text, entries)
  local fine, message = pcall(mach.wafer, entries)
  assert(not fine and message:find(text, 1, true), message)
end
local p, q = field(4), field(4)
refused("a list of {program = p, x = 0, y = 0} is wanted", {})
refused("entry 1: {program = p, x = 0, y = 0} is wanted", {{x = 1}})
refused("entry 1: {program = p, x = 0, y = 0} is wanted", {p})
refused("entry 1 has no field 'z'; program, x and y are its fields", {{program = p, z = 1}})
refused("mach.wafer: x is -1; 0 to 4094 is wanted", {{program = p, x = -1}})
refused("entries 1 and 2 are one program", {{program = p}, {program = p, x = 9}})
refused("the 4 x 7 PEs of entry 2 at (3, 6) meet the 4 x 7 of entry 1 at (0, 0)",
        {{program = p}, {program = q, x = 3, y = 6}})
refused("entries 1 and 2 want different machines",
        {{program = p}, {program = mach.program{width = 4, height = 2, machine = "model"}, x = 9}})
p:run{wafer = false}
refused("entry 1: the program has run or has been laid out before", {{program = p}})
print(runs .. " programs, " .. words .. " calls")
