-- Plans the memory of a PE, in bytes: the plan that a command prints, the addresses
-- that programs use, and what fits. Sizes that P does not divide are padded here alone.
local host = require "wse.host"
local format, concat = string.format, table.concat

local memory_plan = {}

-- Code, descriptors, literals and parameters of a program, at most. A test compares it with listings.
memory_plan.code_bytes = 2048

-- Bytes of a tile as it travels: whole words of 32 bits.
function memory_plan.tile_bytes(count, bytes) return (count * bytes + 3) // 4 * 4 end

-- Banks are as wide as 16 bits.
local kBankBytes <const> = 2

-- The bank in which the sums begin unless somebody asks for another one: a quarter of the banks, at a whole
-- word of 32 bits however few there are. On wse2 two sources conflict that begin half of the banks apart.
local function quarter(banks) return (banks // 4 + 1) // 2 * 2 end

-- Refuses a bank in which no 32-bit word begins.
local function check_bank(banks, bank)
  if math.type(bank) == "integer" and bank >= 0 and bank < banks and bank % 2 == 0 then return end
  host.raise(format("banks = %s: the bank in which C begins, an even number of 0 to %d, is wanted",
                    tostring(bank), banks - 2))
end

-- The regions of a PE: `a` and `b` are `parts` tiles each, the first of which is the PE's own; c is
-- the sum. Tiles of A begin in bank 0, and those of the sum in bank request.banks; in the one that is taken
-- if there is none they do not conflict on wse2 where the columns of both have a multiple of half of the
-- banks' words.
function memory_plan.make(request)
  local bytes = 0
  local banks = host.machine(request.machine).banks
  if request.banks ~= nil then check_bank(banks, request.banks) end
  local bank = request.banks or quarter(banks)
  local plan = {regions = {}, places = {}, total = 0, bank = bank % banks}
  local function add(name, size, phase, what)
    local row = kBankBytes * banks
    bytes = (bytes - phase + row - 1) // row * row + phase
    plan.regions[#plan.regions + 1] = {name = name, address = bytes, bytes = size, what = what}
    plan.places[name] = bytes
    bytes = bytes + size
  end
  add("a", request.a_parts * request.a_bytes, 0,
      format("%d tiles of A, %d x %d, by columns", request.a_parts, request.Mt, request.Kt))
  add("b", request.b_parts * request.b_bytes, 0,
      format("%d tiles of B, %d x %d, by rows", request.b_parts, request.Kt, request.Nt))
  add("c", request.c_bytes, kBankBytes * bank,
      format("%s, %d x %d, by columns", request.rules.result and "the product of a step"
             or "the tile of C", request.Mt, request.Nt))
  if request.rules.result then add("result", request.c_bytes, 0, "the tile of C") end
  if request.layers > 1 then add("passing", 2 * request.c_bytes, 0, "sums on their way home") end
  add("clock", 8, 0, "when the PE began and ended")
  plan.regions[#plan.regions + 1] = {name = "code", address = bytes,
                                     bytes = memory_plan.code_bytes,
                                     what = "instructions and descriptors, at most"}
  plan.total = bytes + memory_plan.code_bytes
  return plan
end

-- Lines of text.
function memory_plan.lines(plan, memory_bytes)
  local lines = {}
  for _, region in ipairs(plan.regions) do
    lines[#lines + 1] = format("  %6d %6d  %-7s %s", region.address, region.bytes, region.name,
                               region.what)
  end
  lines[#lines + 1] = format("  %d of %d bytes", plan.total, memory_bytes)
  return concat(lines, "\n")
end

-- Refuses what does not fit, with the plan.
function memory_plan.check(request)
  local memory = host.machine(request.machine).memory_bytes
  if request.plan.total <= memory then return end
  host.raise(format("%s: tiles of %d x %d and %d x %d need %d bytes in a PE, which has %d: a larger "
                    .. "P or smaller sizes fit\n%s", concat(request.sizes, ", "), request.Mt, request.Kt, request.Kt, request.Nt,
                    request.plan.total, memory, memory_plan.lines(request.plan, memory)))
end

return memory_plan
