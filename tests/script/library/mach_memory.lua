-- What fits is taken and what does not is refused, with the map, before anything runs: the code counts.
-- On a machine whose memory is what a program is said to need it runs; with less it is refused by the
-- language, never by the assembler.
local programs = require "support.mach_programs"
local mach = require "mach"

local function refused(build, bytes)
  local fine, message = pcall(function()
    return build{base = "wse2", memory_bytes = bytes}:run{interpreter = false}
  end)
  if fine then return false end
  assert(message:find("it has " .. bytes .. " for data and code", 1, true), message)
  assert(message:find("address   bytes  from   to", 1, true), message)
  return true
end

-- The least memory, to 64 bytes, with which a program is not refused.
local function least_memory(build)
  local low, high = 0, 49152
  while high - low > 64 do
    local middle = (low + high) // 128 * 64
    local p = build{base = "wse2", memory_bytes = middle}
    if pcall(p.layout, p) then high = middle else low = middle end
  end
  return high
end

local checked = 0
for seed = 1, 6 do
  local function build(machine)
    local p = programs.build(seed, seed % 2 == 0, nil, machine)
    p:output(p:LA("ballast", 8000, 1))  -- so that workers need more than the PEs that send them calls
    return p
  end
  local least = least_memory(build)
  assert(not refused(build, least), seed)
  assert(refused(build, least - 64), seed)
  checked = checked + 1
end

-- An array that fits alone, but not with the code; then one that fits with it.
local function large(count)
  return function(machine)
    local p = mach.program{width = 4, height = 2, machine = machine}
    local a = p:LA("a", count)
    a:set(a + 1)
    return p
  end
end
assert(refused(large(12288), 49152) and refused(large(12200), 49152) and not refused(large(12100), 49152))
print(checked .. " programs at the edge of their memory")
