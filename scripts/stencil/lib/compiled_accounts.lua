-- Accounts of the instructions that a program of the compiler issues in a step, from its plan: rows of accounts.lua,
-- which every run compares with its record.
local accounts = require "stencil.lib.accounts"
local host = require "wse.host"
local rates = require "stencil.explain.rates"
local switches = require "stencil.lib.switches"

local compiled_accounts = {}

local kFlop = {fmovs = 0, fnegs = 0, fadds = 1, fsubs = 1, fmuls = 1, fmacs = 2}

local Table = {}
Table.__index = Table

-- Adds an instruction to the row of its name: elements, cycles and stall are means over the PEs, `inner` the elements
-- of a PE that has all its neighbours; per_element as of accounts.row.
function Table:add(name, elements, cycles, per_element, stall, inner)
  local row = self.by_name[name]
  if not row then
    row = accounts.row(name, 0, 0, per_element, 0, 0)
    self.by_name[name], self.list[#self.list + 1] = row, row
  end
  row.elements, row.cycles = row.elements + elements / self.phases, row.cycles + cycles / self.phases
  row.stall, row.inner = row.stall + stall / self.phases, row.inner + inner / self.phases
end

-- Returns the share of the PEs of a line that have a PE so far away on one side.
local function share(length, distance) return math.max(length - distance, 0) / length end

function Table:send(broadcast, words, length)
  local channel = broadcast.channel
  local is_one_way = channel.left == 0 or channel.right == 0
  local heard = is_one_way and share(length, 1) or length > 1 and 1 or 0
  self:add("fmovs, send", heard * words, heard * words, {0, 1, 0, 0}, 0, words)
  if not channel.is_switched then return end
  local turn, lead = switches.control_words(channel.left + channel.right)
  local control = #turn + (lead and 1 or 0)
  self:add("mov32, control words", control, control, {0, 1, 0, 0}, 0, control)
end

function Table:exchange(op, request, count)
  for _, broadcast in ipairs(op.broadcasts) do
    local words, length = count + 2 * broadcast.reach, request[broadcast.axis == "x" and "nx" or "ny"]
    if length > 1 then self:send(broadcast, words, length) end
    for _, group in ipairs(broadcast.groups) do
      for _, offset in ipairs(group.offsets) do
        local heard = share(length, math.abs(offset)) * words
        if group.handlers[offset].buffer then
          self:add("fmovs, receive", heard, heard, {0, 0, 1, 1}, 0, words)
        else
          self:add("fmacs, receive", heard, heard, {2, 1, 1, 1}, 0, words)
        end
      end
    end
  end
end

-- Adds an instruction on cells of the own column.
function Table:vector(op, step, machine, first, count)
  local elements, loads = rates.elements(step, op, first, count), 0
  for k = 3, #op do
    if type(op[k]) == "table" and op[k].region then loads = loads + 1 end
  end
  local cycles, stall = rates.cycles(machine, op, elements)
  self:add(op[1] .. ", " .. op.cause, elements, cycles, {kFlop[op[1]], loads, 1, 0}, stall, elements)
end

-- Adds what clears the cells beyond the end of a column, which a loop over equal blocks has computed.
function Table:clear(ops, step, request)
  local padding, cleared = step.padded - step.cells, {}
  for _, op in ipairs(ops) do
    local region = type(op[2]) == "table" and op[2].region
    if region and region.field and not cleared[region] then
      cleared[region] = true
      self:add("fmovs, padding", padding, accounts.wide_cycles(request, padding, 0), {0, 0, 1, 0}, 0, padding)
    end
  end
end

-- Returns the rows of a compiled request.
function compiled_accounts.rows(request)
  local step, machine = request.step, host.machine(request.machine)
  local self = setmetatable({list = {}, by_name = {}, phases = #step.phases}, Table)
  for _, phase in ipairs(step.phases) do
    for _, ops in ipairs(phase) do
      for block = 0, step.blocks - 1 do
        local first = block * step.block
        local count = step.loops and step.block or math.min(step.block, step.cells - first)
        for _, op in ipairs(ops) do
          if op[1] == "exchange" then self:exchange(op, request, count) else self:vector(op, step, machine, first, count) end
        end
      end
      if step.loops and step.padded > step.cells then self:clear(ops, step, request) end
    end
  end
  return self.list
end

return compiled_accounts
