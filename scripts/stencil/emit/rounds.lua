-- Broadcasts as subroutines, for programs whose code is to be short. Broadcasts of fields with the same weights have one code. The caller
-- loads registers with the addresses of the words that a PE sends, and of the sum to which those that arrive are added. Such broadcasts run one after the other, not side by side along x and y.
--
--     setdbase from, 1296                    round_x_4_3_1:
--     setdbase into, 8344                      bne one, (hears a root ? 1 : 0), no_x_4_3_0_7
--     call link, round_x_4_3_1                 fmacs into, into, fabin(x_4_3_0, length=100), weight
--                                              ...
--                                              ret link
local Code = require "support.code"
local descriptors = require "stencil.emit.descriptors"
local schedule = require "stencil.emit.schedule"
local format, concat = string.format, table.concat

local rounds = {}

rounds.registers = "from, into"  -- of a subroutine: descriptors of what a PE sends, and of the sum

-- Returns a text that two broadcasts share only if one code serves both; nil for those with words for buffers, or with images.
local function key_of(out, broadcast)
  if broadcast.channel.is_switched or broadcast.reach > 0 or #broadcast.groups ~= 1 then return nil end
  local group, channel = broadcast.groups[1], broadcast.channel
  local part = group.handlers[group.offsets[1]].part
  local keys = {format("%s %d %d, %d cells", channel.axis, channel.left, channel.right, out.block.count)}
  for _, offset in ipairs(group.offsets) do
    local handler = group.handlers[offset]
    if not handler.part or handler.part.operand ~= part.operand or next(handler.images) then return nil end
    keys[#keys + 1] = format("%d %.17g", offset, handler.coef)
  end
  return concat(keys, " "), part.operand
end

-- The descriptor registers of a subroutine: each operand has one, whose name is its address.
local Registers = {}
Registers.__index = Registers
function Registers.use(_, name) return name end
function Registers:note(length) self.pool:note(length) end
function Registers.snapshot() return nil end
function Registers.restore() end
function Registers.join() end

-- Returns the subroutine of a broadcast: {name =, entries = its schedule}, whose code is written once. add_round(out, list) writes it.
local function subroutine(out, broadcast, sum, key, add_round)
  local known, channel = out.rounds[key], broadcast.channel
  if known.name then return known end
  known.name = out:label(format("round_%s_%d_%d", channel.axis, channel.left, channel.right))
  local names = {[broadcast.operand] = "from", [sum] = "into"}
  local own = setmetatable({code = Code.new(), away = Code.new(), entries = {}, pool = setmetatable({pool = out.pool}, Registers)},
                           {__index = out})
  function own.address(_, operand) return names[operand] end
  function own.label(_, name) return out:label(name) end
  own.code:line("%s:", known.name)
  add_round(own, {broadcast})
  own.code:op("ret link")
  known.entries = own.entries
  out.subroutines[#out.subroutines + 1] = own.code:text() .. own.away:text()
  return known
end

-- Loads a register of a subroutine with the address of an operand in this block.
local function load(out, name, operand)
  local address = out:address(operand)
  if type(address) == "string" then
    descriptors.add_base(out.code, address)
    address = "at"
  end
  out.code:op("setdbase %s, %s", name, address)
  out.pool:note(out.block.count)
  if not out.pool.length then out.code:op("setdlen %s, %d", name, out.block.count) end
end

-- Adds a broadcast as a call, if one code serves several; returns whether it did.
function rounds.add(out, broadcast, add_round)
  local key, sum = key_of(out, broadcast)
  if not key then return false end
  if out.counts then out.counts[key] = (out.counts[key] or 0) + 1 end
  if not out.rounds[key] then return false end
  local from = schedule.mark(out.code)
  load(out, "from", broadcast.operand)
  load(out, "into", sum)
  local own = subroutine(out, broadcast, sum, key, add_round)
  out:note{kind = "branch", taken = true, acts = schedule.acts(out.code, from)}
  out.code:op("call link, %s", own.name)
  for _, entry in ipairs(own.entries) do
    -- Where words lie differs from call to call, what a step takes does not.
    out:note(setmetatable({first = out.block.first}, {__index = entry}))
  end
  out:note{kind = "branch", taken = true, acts = {changes = 0, simples = 0}}
  return true
end

-- Returns which broadcasts of a program are worth a subroutine: those that are there twice. counts: by key.
function rounds.shared(counts)
  local shared = {}
  for key, count in pairs(counts) do shared[key] = count > 1 and {} or nil end
  return shared
end

return rounds
