-- The text of an exchange between columns: the steps of all its broadcasts, in one order for all PEs. A
-- PE hears a root, is one, or does neither; the code of most PEs is in line, that of the others comes
-- behind the program.
local channels = require "stencil.emit.channels"
local elements = require "stencil.emit.elements"
local memory = require "stencil.compile.memory"
local rounds = require "stencil.emit.rounds"
local schedule = require "stencil.emit.schedule"
local switched = require "stencil.emit.switched"
local words_text = require "wse.words_text"
local format, concat = string.format, table.concat

local exchange = {}

local kFarthestImage = 4  -- from a mirror: PEs that read beyond it are nearer
local kNothing = {changes = 0, simples = 0}

local function rules_of(channel) return channel.is_switched and switched or channels end

function exchange.number(value) return format("%.17g", value) end

-- Returns an expression that has the value of an offset: values = {[offset] = number}.
local function choose(offset, offsets, values, text_of)
  local same = true
  for _, at in ipairs(offsets) do same = same and values[at] == values[offsets[1]] end
  if same then return text_of(values[offsets[1]]) end
  local list = {}
  for k = 1, #offsets - 1 do list[k] = format("%s == %d ? %s : ", offset, offsets[k], text_of(values[offsets[k]])) end
  return "(" .. concat(list) .. text_of(values[offsets[#offsets]]) .. ")"
end

-- Returns an expression for values by offset; where both sides are alike it asks for the distance.
local function value_text(channel, step, offsets, values, text_of)
  local offset, far = rules_of(channel).offset_text(channel, step), {}
  local is_even = true
  for _, at in ipairs(offsets) do
    if values[-at] == nil or values[-at] ~= values[at] then is_even = false end
    if at > 0 then far[#far + 1] = at end
  end
  if is_even and #far > 0 then return choose(format("abs(%s)", offset), far, values, text_of) end
  return choose(offset, offsets, values, text_of)
end

-- Returns the text of a coefficient, `common`, where some PEs of a line multiply what arrives from a group by another
-- one, since it is an image in a mirror too.
local function with_images(channel, step, group, length, common)
  local list = {}
  for at = 0, math.min(length - 1, kFarthestImage) do
    local offset = rules_of(channel).offset(channel, at, step, length)
    local handler = offset and group.handlers[offset]
    local image = handler and handler.images[at]
    if image then
      list[#list + 1] = format("%s == %d ? %s : ", channel.axis, at, exchange.number(handler.coef + image))
    end
  end
  return #list > 0 and "(" .. concat(list) .. common .. ")" or common
end

-- How many of the PEs at these coordinates of a line send in a step, hear as each group says, or do
-- neither.
local function count(channel, step, groups, length, coordinates)
  local counts = {send = 0, neither = 0, hear = 0}
  local of_offset, rules = {}, rules_of(channel)
  for k, group in ipairs(groups) do
    counts[k] = 0
    for _, offset in ipairs(group.offsets) do of_offset[offset] = k end
  end
  for _, at in ipairs(coordinates) do
    local offset = rules.offset(channel, at, step, length)
    local k = offset and of_offset[offset]
    if k then
      counts[k], counts.hear = counts[k] + 1, counts.hear + 1
    elseif offset == 0 and rules.is_heard(channel, at, length) then
      counts.send = counts.send + 1
    else
      counts.neither = counts.neither + 1
    end
  end
  return counts
end

-- The emitter `out` has code, away, pool, role, block {first, count} and address(operand).
local function send(out, code, broadcast, colour)
  local words = out.block.count + 2 * broadcast.reach
  local base = out:address(broadcast.operand, -broadcast.reach)
  local name, packing = elements.word(out.step, "fmovs"), elements.packing(out.step)
  if broadcast.channel.is_switched then return switched.send(code, broadcast.channel, words, base, name, packing) end
  code:op("%s fabout(%s%s), %s", name, colour, packing, out.pool:use(base, words))
end

-- Returns the register of the buffer that words from an offset of a group go to. Where each offset has a
-- buffer of its own, the register is nobody else's.
local function buffer_of(out, code, broadcast, group, step, words)
  local values, first = {}, group.handlers[group.offsets[1]].buffer
  local is_one = true
  for offset, handler in pairs(group.handlers) do
    values[offset] = handler.buffer.first - memory.element_bytes(handler.buffer) * broadcast.reach
    is_one = is_one and handler.buffer == first
  end
  if is_one then return out.pool:use(values[group.offsets[1]], words) end
  code:op("setdbase window, %s", value_text(broadcast.channel, step, group.offsets, values, tostring))
  out.pool:note(words)
  if not out.pool.length then code:op("setdlen window, %d", words) end
  return "window"
end

-- Writes what a PE does with the words that arrive from the offsets of a group.
local function receive(out, code, broadcast, group, step, colour)
  local words = out.block.count + 2 * broadcast.reach
  local channel, first, coefs = broadcast.channel, group.handlers[group.offsets[1]], {}
  local arriving = format("fabin(%s%s, length=%s)", colour, elements.packing(out.step), words_text(words))
  -- An all-reduce gives PEs of one program several places, of which one may be where nothing arrives: what a branch skips.
  local allowed = out.step.phases[1].has_totals and "  ;! allow E225" or ""
  if first.weight then
    local held = {}
    local products, weights = out.pool:use(first.buffer.first, words, held), out.pool:use(out:address(first.weight), words, held)
    code:op("%s %s, %s, %s%s", elements.word(out.step, "fmuls"), products, arriving, weights, allowed)
    return
  end
  if first.buffer then
    code:op("%s %s, %s%s", elements.word(out.step, "fmovs"), buffer_of(out, code, broadcast, group, step, words), arriving, allowed)
    return
  end
  for offset, handler in pairs(group.handlers) do coefs[offset] = handler.coef end
  local sum = out.pool:use(out:address(first.part.operand), out.block.count)
  local length = channel.axis == "x" and out.width or out.height
  local coef = value_text(channel, step, group.offsets, coefs, exchange.number)
  code:op("%s %s, %s, %s, %s%s", elements.word(out.step, "fmacs"), sum, sum, arriving,
          with_images(channel, step, group, length, coef), allowed)
end

-- Loads registers that both ways of a branch use, before it.
local function prepare(out, broadcast, counts)
  local held = {}
  if counts.send > 0 and not broadcast.channel.is_switched then
    out.pool:use(out:address(broadcast.operand, -broadcast.reach), out.block.count + 2 * broadcast.reach, held)
  end
  for k, group in ipairs(broadcast.groups) do
    local first = group.handlers[group.offsets[1]]
    if counts[k] > 0 and not first.buffer then
      out.pool:use(out:address(first.part.operand), out.block.count, held)
    end
  end
end

-- The roots of a step, whose code comes behind the program; `over` is where all continue. Their ways in the entry of
-- the schedule are behind `guards` branches that are taken.
local function add_roots(out, broadcast, step, counts, label, colour, entry, guards)
  local before, from = out.pool:snapshot(), schedule.mark(out.away)
  local asks = counts.send > 0 and counts.neither > 0
  out.away:line("no_%s:", label)
  if counts.send > 0 then
    if asks then
      out.away:op("bne one, %s, over_%s", rules_of(broadcast.channel).root_text(broadcast.channel, step), label)
    end
    out.pool.code = out.away
    send(out, out.away, broadcast, colour)
    out.pool.code = out.code
  end
  out.away:op("jmp over_%s", label)
  entry.send = {acts = schedule.acts(out.away, from), taken = guards, passed = asks and 1 or 0, is_away = true}
  entry.neither = {acts = kNothing, taken = guards + 1, passed = 0}
  local after = out.pool:snapshot()
  out.pool:restore(before)
  return after
end

-- One step of a broadcast.
local function add_step(out, broadcast, step)
  local channel, code = broadcast.channel, out.code
  local rules = rules_of(channel)
  local length = channel.axis == "x" and out.width or out.height
  local counts = count(channel, step, broadcast.groups, length, out.role.coordinates[channel.axis])
  local colour = rules.colour(channel, step)
  if counts.hear == 0 and counts.send == 0 then return end
  local label, from = out:label(colour), schedule.mark(code)
  local entry = {kind = "step", channel = channel, step = step, broadcast = broadcast, rules = rules, ways = {},
                 words = out.block.count + 2 * broadcast.reach, first = out.block.first, count = out.block.count}
  out:note(entry)
  prepare(out, broadcast, counts)
  entry.before = schedule.acts(code, from)
  if counts.hear == 0 then
    local asks = counts.neither > 0 and 1 or 0
    if asks > 0 then code:op("bne one, %s, over_%s", rules.root_text(channel, step), label) end
    local before = out.pool:snapshot()
    from = schedule.mark(code)
    send(out, code, broadcast, colour)
    entry.send = {acts = schedule.acts(code, from), taken = 0, passed = asks}
    entry.neither = {acts = kNothing, taken = asks, passed = 0}
    out.pool:join(before)
    if counts.neither > 0 then code:line("over_%s:", label) end
    return
  end
  local heard = {}
  for k, group in ipairs(broadcast.groups) do
    if counts[k] > 0 then heard[#heard + 1] = group end
  end
  local has_others = counts.send + counts.neither > 0
  local before, ways = out.pool:snapshot(), {}
  for k, group in ipairs(heard) do
    local into = k == 1 and code or out.away
    if k > 1 then
      into:line("other%d_%s:", k, label)
      out.pool:restore(before)
      out.pool.code = into
    end
    if k < #heard or has_others then
      local otherwise = k < #heard and format("other%d_%s", k + 1, label) or "no_" .. label
      local hears = channels.hears_text(channel, rules.offset_text(channel, step), group.offsets)
      into:op("bne one, %s, %s", hears, otherwise)
    end
    from = schedule.mark(into)
    receive(out, into, broadcast, group, step, colour)
    entry.ways[k] = {group = group, acts = schedule.acts(into, from), taken = k - 1, is_away = k > 1,
                     passed = (k < #heard or has_others) and 1 or 0}
    if k > 1 then into:op("jmp over_%s", label) end
    out.pool.code = code
    ways[#ways + 1] = out.pool:snapshot()
  end
  out.pool:restore(before)
  if has_others then
    ways[#ways + 1] = add_roots(out, broadcast, step, counts, label, colour, entry, #heard)
    ways[#ways + 1] = before
  end
  if has_others or #heard > 1 then code:line("over_%s:", label) end
  out.pool:restore(ways[1])
  out.pool:join(table.unpack(ways))
end

-- Adds broadcasts that may run side by side, step by step.
local function add_round(out, list)
  local most = 0
  for _, broadcast in ipairs(list) do most = math.max(most, rules_of(broadcast.channel).steps(broadcast.channel)) end
  for step = 0, most - 1 do
    for _, broadcast in ipairs(list) do
      if step < rules_of(broadcast.channel).steps(broadcast.channel) then add_step(out, broadcast, step) end
    end
  end
end

-- Adds the code of an exchange, in rounds in which a channel has one broadcast. Broadcasts of buffers come
-- after those that fill them; add_images() adds what fills the buffers that have images in a mirror.
function exchange.add(out, broadcasts, add_images)
  for turn = 1, 2 do
    if turn == 2 then add_images() end
    local list = {}
    for _, broadcast in ipairs(broadcasts) do
      if (broadcast.source ~= nil) == (turn == 2) then list[#list + 1] = broadcast end
    end
    while #list > 0 do
      local round, later, taken = {}, {}, {}
      for _, broadcast in ipairs(list) do
        local into = taken[broadcast.channel] and later or round
        into[#into + 1], taken[broadcast.channel] = broadcast, true
      end
      local others = {}
      for _, broadcast in ipairs(round) do
        if not out.step.compact or not rounds.add(out, broadcast, add_round) then others[#others + 1] = broadcast end
      end
      add_round(out, others)
      list = later
    end
  end
end

return exchange
