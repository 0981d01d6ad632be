-- How long the steps of a schedule take: when each PE of a small grid begins and ends each instruction, by the
-- machine's table. No instruction is executed and no wavelet moves: a PE is ready once its code has come so far, and
-- a receive can begin when the first word of its root has arrived.
--
--     root      acts | issue . . . . . |
--     receiver     acts  ~ waiting ~ | issue . . . . . |       1 + 2 T_R + hops later
--
-- A word of a broadcast moves only when all of its receivers have room, so a long one ends no earlier than the
-- last of them allows.
local rates = require "stencil.explain.rates"

local timeline = {}

local Timeline = {}
Timeline.__index = Timeline

local kMostSide = 20           -- PEs of a line: two rounds of the widest broadcast
local kWarmUp, kSteady = 8, 4  -- rounds of all phases: until PEs have drifted apart, and those that tell how long others take

-- ---- a PE: {free =, changed =, former =, since =, others =}: when its thread is free, when a descriptor register was
-- changed last, and when words that the former instruction writes may be touched

local function new_pe() return {free = 0, changed = -math.huge, others = 0, same = 0} end

-- Adds what a PE does before an instruction.
local function prepare(self, pe, acts, way)
  local machine = self.machine
  if acts.changes > 0 then
    pe.free = pe.free + acts.changes * machine.descriptor_load_cycles
  end
  pe.free = pe.free + acts.simples * machine.simple_cycles
  if way then pe.free = pe.free + way.taken * machine.branch_taken_cycles + way.passed * machine.branch_cycles end
  if acts.changes > 0 then pe.changed = pe.free end
end

-- Returns the cycle in which an instruction of a PE can issue first. touches: list of operands.
local function first_issue(self, pe, touches)
  local machine = self.machine
  if machine.vector_overlap == 0 then return pe.free + machine.vector_start_cycles end
  local first = math.max(pe.free, pe.changed + machine.vector_start_cycles)
  local former = pe.former
  for _, operand in ipairs(former and touches or {}) do
    if operand.region == former.region then
      first = math.max(first, operand.delta == former.delta and pe.same or pe.others)
    end
  end
  return first
end

-- Notes an instruction that has issued from `first` to `last`, the cycle after its last issue, and writes `written`.
local function note_issue(self, pe, first, last, written)
  local machine = self.machine
  pe.former, pe.same, pe.others = written, first + machine.vector_latency_cycles, last - 1 + machine.vector_latency_cycles
  pe.free = machine.vector_overlap == 0 and last + machine.vector_drain_cycles or last
end

-- ---- entries

local function each_pe(self, see)
  for y = 0, self.height - 1 do
    for x = 0, self.width - 1 do see(self.pes[y * self.width + x], x, y) end
  end
end

-- Adds cycles of set-up to a cause, if the PE is the one in the middle.
local function charge(self, pe, cause, cycles)
  if pe ~= self.middle or not self.charges then return end
  local list = self.charges
  if not list[cause] then list[cause], list.order[#list.order + 1] = 0, cause end
  list[cause] = list[cause] + cycles
end

local function has_box(op, x, y, self)
  if not op.box or not self.step.shape.is_column then return true end
  -- A small grid stands for a large one: a PE of its border is one of the border there.
  local function within(at, length, full, range)
    local place = at * 2 < length and at or at + full - length
    return range[1] <= place and place <= range[2]
  end
  return within(x, self.width, self.step.shape.width, op.box.x) and within(y, self.height, self.step.shape.height, op.box.y)
end

local handle = {}

function handle.vector(self, entry)
  local op = entry.op
  local elements = rates.elements(self.step, op, entry.first, entry.count)
  local issue, stall = rates.cycles(self.machine, op, elements)
  local touches = {}
  for k = 2, #op do
    if type(op[k]) == "table" and op[k].region then touches[#touches + 1] = op[k] end
  end
  each_pe(self, function(pe, x, y)
    local begin = pe.free
    prepare(self, pe, entry.acts)
    local cycles = has_box(op, x, y, self) and issue + stall or 0  -- a PE without cells of it starts it with none
    local first = first_issue(self, pe, cycles > 0 and touches or {})
    note_issue(self, pe, first, first + cycles, cycles > 0 and op[2] or nil)
    charge(self, pe, op.cause, pe.free - begin - cycles)
  end)
end

function handle.branch(self, entry)
  each_pe(self, function(pe)
    local begin = pe.free
    prepare(self, pe, entry.acts, {taken = entry.taken and 1 or 0, passed = entry.taken and 0 or 1})
    charge(self, pe, "steps and blocks", pe.free - begin)
  end)
end

function handle.loop(self, entry)
  for _ = 1, entry.turns do self:run(entry.entries) end
end

local kLead, kControls = 1, 2  -- control wavelets of a switched root, before and behind its words

-- Returns what a receiver writes.
local function written_by(handler)
  return handler.buffer and {region = handler.buffer, delta = 0} or handler.part.operand
end

-- The branch back from code behind the program.
local function jump_back(self, pe)
  if not pe.way.is_away then return end
  pe.free = pe.free + self.machine.branch_taken_cycles
  charge(self, pe, "steps and blocks", self.machine.branch_taken_cycles)
end

-- Finds the part of a PE in a step of a broadcast: sets pe.offset, that of its root, and pe.way, nil if it neither sends nor hears.
local function choose_way(entry, pe, at, length)
  local offset = entry.rules.offset(entry.channel, at, entry.step, length)
  local way = entry.neither
  if offset == 0 and entry.rules.is_heard(entry.channel, at, length) then way = entry.send end
  for _, one in ipairs(offset and offset ~= 0 and entry.ways or {}) do
    if one.group.handlers[offset] then way = one end
  end
  pe.offset, pe.way = offset, way ~= entry.neither and way or nil
  return way
end

-- Lets a PE come to its send or receive: a root begins, a receiver is ready from pe.begin on.
local function come(self, entry, pe, way, roots, at)
  local begin = pe.free
  prepare(self, pe, entry.before)
  if way then prepare(self, pe, way.acts, way) end
  if not pe.way then
    charge(self, pe, "steps and blocks", pe.free - begin)
  elseif pe.offset == 0 then
    pe.begin = first_issue(self, pe, {entry.broadcast.operand}) + (entry.channel.is_switched and kLead or 0)
    roots[at] = {first = pe.begin, last = pe.begin + entry.words}
    charge(self, pe, "send", pe.begin - begin)
  else
    local handler = pe.way.group.handlers[pe.offset]
    pe.begin = first_issue(self, pe, {written_by(handler)})
    charge(self, pe, handler.weight and "receive, multiply" or handler.buffer and "receive" or "receive, multiply, add", pe.begin - begin)
  end
end

-- Returns the cycles from an issue at the root to the one at a receiver.
local function latency_of(machine, pe)
  return 1 + 2 * machine.ramp_latency_cycles + math.abs(pe.offset) * machine.hop_latency_cycles
end

-- Lets a receiver wait for the first word, and its root for what queues and routers do not hold.
local function meet(machine, pe, root, words)
  pe.begin = math.max(pe.begin, root.first + latency_of(machine, pe))
  local room = machine.up_ramp_depth + machine.down_ramp_depth + machine.router_depth * (math.abs(pe.offset) + 1)
  if words > room then root.last = math.max(root.last, pe.begin + words - room) end
end

-- Ends the send or receive of a PE.
local function finish(self, entry, pe, root)
  if pe.offset == 0 then
    note_issue(self, pe, pe.begin, root.last + (entry.channel.is_switched and kControls or 0), nil)
  else
    local last = math.max(pe.begin + entry.words, root.last + latency_of(self.machine, pe))
    note_issue(self, pe, pe.begin, last, written_by(pe.way.group.handlers[pe.offset]))
  end
  jump_back(self, pe)
end

-- One line of PEs in a step of a broadcast.
local function line_step(self, entry, line)
  local roots = {}
  for at, pe in ipairs(line) do come(self, entry, pe, choose_way(entry, pe, at - 1, #line), roots, at) end
  local function each_active(see)
    for at, pe in ipairs(line) do
      local root = pe.way and roots[at + pe.offset]
      if root then see(pe, root) end
    end
  end
  each_active(function(pe, root)
    if pe.offset ~= 0 then meet(self.machine, pe, root, entry.words) end
  end)
  each_active(function(pe, root) finish(self, entry, pe, root) end)
end

function handle.step(self, entry)
  local along_x = entry.channel.axis == "x"
  local length, lines = self.width, self.height
  if not along_x then length, lines = lines, length end
  for across = 0, lines - 1 do
    local line = {}
    for at = 0, length - 1 do
      line[at + 1] = self.pes[along_x and across * self.width + at or at * self.width + across]
    end
    line_step(self, entry, line)
  end
end

-- Cycles from the last start of a round to the cycle in which all has ended: all PEs do the same, so what comes from
-- a neighbour was sent when this PE sent as much. Sends come first; on duplex machines they have slots of their own.
local function round_cycles(machine, starts)
  local latency = 2 + 2 * machine.ramp_latency_cycles + (machine.hop_latency_cycles - 1)
  local threads, open = {}, 0
  for _, way in ipairs{"sends", "receives"} do
    for k, start in ipairs(starts) do
      threads[#threads + 1] = {left = start[way].words, words = start[way].words, way = way, partner = k}
      open = open + start[way].words
    end
  end
  local sent, cycle = {}, 0  -- sent[k]: cycles in which the words of a direction issued
  for k = 1, #starts do sent[k] = {} end
  while open > 0 do
    local taken = {}
    for _, thread in ipairs(threads) do
      local slot = machine.issue == 1 and thread.way or "shared"
      local from = thread.way == "receives" and sent[thread.partner][thread.words - thread.left + 1]
      local can = thread.left > 0 and not taken[slot] and (thread.way == "sends" or from and from + latency <= cycle)
      if can then
        taken[slot] = true
        if thread.way == "sends" then table.insert(sent[thread.partner], cycle) end
        thread.left, open = thread.left - 1, open - 1
      end
    end
    cycle = cycle + 1
  end
  return cycle + machine.vector_drain_cycles
end

function handle.halo(self, entry)
  for _, round in ipairs(entry.rounds) do
    local cycles = round_cycles(self.machine, round)
    each_pe(self, function(pe)
      for _, start in ipairs(round) do
        for _, way in ipairs{{start.sends, "send"}, {start.receives, "receive"}} do
          local begin = pe.free
          prepare(self, pe, way[1].acts)
          charge(self, pe, way[2], pe.free - begin)
        end
      end
      charge(self, pe, "receive", self.machine.vector_drain_cycles)
      pe.free, pe.former = pe.free + cycles, nil
    end)
  end
end

function Timeline:run(entries)
  for _, entry in ipairs(entries) do handle[entry.kind](self, entry) end
end

local function latest(self)
  local last = 0
  each_pe(self, function(pe) last = math.max(last, pe.free) end)
  return last
end

-- Returns the cycles of a step of a schedule, the mean over the steps of a run, and those of set-up of the PE in the
-- middle by cause: {order = causes, [cause] = cycles}.
function timeline.cycles(step, phases, machine)
  local shape = step.shape
  local self = setmetatable({step = step, machine = machine, pes = {}, width = math.min(shape.width, kMostSide),
                             height = math.min(shape.height, kMostSide)}, Timeline)
  if not shape.is_column then self.width, self.height = 1, 1 end
  for k = 0, self.width * self.height - 1 do self.pes[k] = new_pe() end
  self.middle = self.pes[self.height // 2 * self.width + self.width // 2]
  local done, before = 0, 0
  local function run(rounds)
    for _ = 1, rounds do
      for _, entries in ipairs(phases) do self:run(entries) end
    end
    done, before = done + rounds * #phases, latest(self)
  end
  local rounds = (step.steps + #phases - 1) // #phases
  run(math.min(rounds, kWarmUp))
  local cycles, warm = before, done
  self.charges = {order = {}}
  run(kSteady)
  local counted = kSteady * #phases
  for _, cause in ipairs(self.charges.order) do self.charges[cause] = self.charges[cause] / counted end
  local steady = (before - cycles) / counted
  return (cycles + steady * math.max(step.steps - warm, 0)) / math.max(step.steps, warm), self.charges
end

return timeline
