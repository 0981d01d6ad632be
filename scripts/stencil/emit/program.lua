-- The text of a program: data, then the steps, whose instructions come from the compiler. One text
-- serves all PEs but those of sources and receivers, which have one each.
local Code = require "support.code"
local descriptors = require "stencil.emit.descriptors"
local elements = require "stencil.emit.elements"
local ends = require "stencil.emit.ends"
local exchange = require "stencil.emit.exchange"
local halo = require "stencil.emit.halo"
local memory = require "stencil.compile.memory"
local numbers = require "stencil.emit.numbers"
local plan = require "stencil.compile.plan"
local roles = require "stencil.emit.roles"
local rounds = require "stencil.emit.rounds"
local schedule = require "stencil.emit.schedule"
local switched = require "stencil.emit.switched"
local format, concat = string.format, table.concat

local program = {}

local Out = {}
Out.__index = Out

-- Returns a label that no other part of the program has.
function Out:label(name)
  self.labels = self.labels + 1
  return format("%s_%d", name, self.labels)
end

-- Adds an entry to the schedule.
function Out:note(entry) self.entries[#self.entries + 1] = entry end

-- Notes a branch and the scalar instructions behind line `from`.
function Out:note_branch(from, taken)
  self:note{kind = "branch", taken = taken, acts = schedule.acts(self.code, from)}
end

-- Returns the byte address of an operand, `cells` further on, in the block that is being written; in a
-- loop over blocks a text, that of the first block.
function Out:address(operand, cells)
  local region = operand.region
  local size = memory.element_bytes(region)
  local address = region.first + size * (operand.delta + (cells or 0))
  if region.temporary then return address end
  if region.spans then
    return region.first + size * self.step.shape:word(region, self.block.first + operand.delta + (cells or 0))
  end
  if self.block.is_turn then return format(self.step.half and not region.half and "%d, wide" or "%d", address) end
  return address + size * self.block.first
end

-- ---- data

local function declare_regions(code, step)
  for _, region in ipairs(step.plan.list) do
    local exported = not region.temporary and " exported" or ""
    if region.words > 0 then
      local extent = region.is_scalar and not region.count_of_words and "" or format("[%d]", region.words)
      code:line(".%s %s%s%s address=%d", region.half and "f16" or "f32", region.name, extent, exported, region.address)
    end
  end
end

local function declare_controls(code, step)
  for _, channel in ipairs(step.channels) do
    if channel.is_switched then switched.declare(code, channel) end
  end
end

-- ---- instructions of a step

-- The condition that a PE lies in a box, as an expression; nil if all do.
local function inside_text(out, box)
  local list = {}
  if box.x[1] > 0 then list[#list + 1] = "x >= " .. box.x[1] end
  if box.x[2] < out.width - 1 then list[#list + 1] = "x <= " .. box.x[2] end
  if box.y[1] > 0 then list[#list + 1] = "y >= " .. box.y[1] end
  if box.y[2] < out.height - 1 then list[#list + 1] = "y <= " .. box.y[2] end
  return #list > 0 and concat(list, " && ") or nil
end

-- The part of a box in a column's block: the first cell in it, how many, and how many a PE has as text;
-- nil if there is nothing.
local function column_part(out, box)
  local first = math.max(box.z[1] - out.block.first, 0)
  local last = math.min(box.z[2] - out.block.first, out.block.count - 1)
  if first > last then return nil end
  local condition = inside_text(out, box)
  return first, last - first + 1, condition and format("%s ? %d : 0", condition, last - first + 1)
end

-- The part of a range that a tile has: its first cell and its number of cells, as expressions.
local function range_text(coordinate, size, range)
  local first = format("max(%d - %s * %d, 0)", range[1], coordinate, size)
  return first, format("max(min(%d - %s * %d, %d) - %s + 1, 0)", range[2], coordinate, size, size - 1, first)
end

local function tile_operand(out, operand, box)
  local shape = out.step.shape
  local cx, width = range_text("x", shape.tx, box.x)
  local cy, height = range_text("y", shape.ty, box.y)
  return format("mem(%d + 4 * (min(%s, %d) * %d + min(%s, %d)), length=[%s, %s], stride=[%d, 1])", out:address(operand),
                cy, shape.ty - 1, shape.stride, cx, shape.tx - 1, height, width, shape.stride)
end

-- Whether all tiles have all their cells in a box.
local function covers_tiles(shape, box)
  return box.x[1] == 0 and box.y[1] == 0 and box.x[2] == shape.nx - 1 and box.y[2] == shape.ny - 1
         and shape.nx % shape.tx == 0 and shape.ny % shape.ty == 0
end

-- Returns a function from an operand in memory to its text, at some PEs of a turn of a loop over blocks; one operand at most
-- may move with the blocks.
local function turn_writer(out, box, margin)
  local condition, words = inside_text(out, box), out.block.count + 2 * margin
  local length = condition and format("%s ? %d : 0", condition, words) or tostring(words)
  return function(operand)
    local address = out:address(operand, -margin)
    if operand.region.temporary then return format("mem(%d, length=%s)", address, length) end
    descriptors.add_base(out.code, address)
    return format("mem(at, length=%s)", length)
  end
end

-- Returns a function from an operand in memory to its text; nil if a box has no cell here. margin: cells before and
-- behind the box that belong to it.
local function operand_writer(out, box, margin)
  local held, shape = {}, out.step.shape
  if out.block.is_turn and box and (inside_text(out, box) or margin > 0) then return turn_writer(out, box, margin) end
  if not box or out.block.is_turn or not shape.is_column and covers_tiles(shape, box) then
    return function(operand) return out.pool:use(out:address(operand), out.block.count, held) end
  end
  if not shape.is_column then return function(operand) return tile_operand(out, operand, box) end end
  local first, count, count_text = column_part(out, box)
  if not first then return nil end
  if not count_text and margin == 0 then
    return function(operand) return out.pool:use(out:address(operand, first), count, held) end
  end
  if margin > 0 then
    local condition = inside_text(out, box)
    count_text = condition and format("%s ? %d : 0", condition, count + 2 * margin) or tostring(count + 2 * margin)
    first = first - margin
  end
  return function(operand) return format("mem(%d, length=%s)", out:address(operand, first), count_text) end
end

-- Sets the cells before the first one of a column to those behind it, in turned order.
local function add_margin(out, op)
  local from, count = schedule.mark(out.code), op.box.z[2] + 1
  if out.block.first >= count then return end
  local back = -out.block.first  -- to the first cell of the column
  out.code:op("setd image, mem(%d, length=%d)", out:address(op[2], back), count)
  out.code:op("setd imaged, mem(%d, length=%d, stride=-1)", out:address(op[3], back + count - 1), count)
  out.code:op("%s image, imaged", op[1])
  out:note{kind = "vector", op = op, first = 0, count = out.block.count, acts = schedule.acts(out.code, from)}
end

-- Returns a register with the operand of that text: its own, or `name`, which is loaded.
local function register_of(out, name, text)
  if not text:find("mem(", 1, true) then return text end
  out.code:op("setd %s, %s", name, text)
  return name
end

-- Adds what PEs near a mirror do besides: a copy, or a term of a sum. It has registers of its own.
local function add_image(out, op)
  local text, from = operand_writer(out, op.box, op.margin or 0), schedule.mark(out.code)
  if not text then return end
  local dst = register_of(out, "image", text(op[2]))
  local src = register_of(out, "imaged", text(op[1] == "fmacs" and op[4] or op[3]))
  if op[1] == "fmacs" then
    out.code:op("fmacs %s, %s, %s, %s", dst, dst, src, exchange.number(op[5]))
  else
    out.code:op("%s %s, %s", op[1], dst, src)
  end
  out:note{kind = "vector", op = op, first = out.block.first, count = out.block.count, acts = schedule.acts(out.code, from)}
end

local function add_vector(out, op)
  local text, from = operand_writer(out, op.box, 0), schedule.mark(out.code)
  if not text then return end
  local list = {}
  for k = 2, #op do
    local operand = op[k]
    list[k - 1] = type(operand) ~= "table" and exchange.number(operand) or operand.scalar or text(operand)
  end
  out.code:op("%s %s", elements.name(op), concat(list, ", "))
  out:note{kind = "vector", op = op, first = out.block.first, count = out.block.count, acts = schedule.acts(out.code, from)}
end

local function add_ops(out, ops)
  for _, op in ipairs(ops) do
    if op[1] == "exchange" then
      exchange.add(out, op.broadcasts, function()
        for _, image in ipairs(op.images) do add_image(out, image) end
      end)
    elseif op.is_margin then
      add_margin(out, op)
    elseif op[1] == "total" then
      numbers.add_up(out, op)
    elseif op[1] == "dot" then
      numbers.add_products(out, op)
    elseif op.cause == "mirror" then
      add_image(out, op)
    elseif op[1] == "halo" then
      out:note{kind = "halo", halo = op.halo, rounds = halo.add(out.code, out.kit, op.halo)}
    else
      add_vector(out, op)
    end
  end
end

-- Whether all operands of a loop over blocks have the length of a block.
local function is_uniform(ops)
  for _, op in ipairs(ops) do
    if op.box and op.cause == "mirror" and not op.is_margin then return false end
    for _, broadcast in ipairs(op.broadcasts or {}) do
      if broadcast.reach > 0 then return false end
    end
  end
  return true
end

-- Blocks as turns of a loop. Words that they computed beyond the end of the column become 0 again.
local function add_loop(out, all)
  local step, code, label = out.step, out.code, out:label("block")
  local ops = {}
  out.block = {first = 0, count = step.block}
  for _, op in ipairs(all) do
    if op.is_margin then add_margin(out, op) else ops[#ops + 1] = op end
  end
  out.block = {first = 0, count = step.block, is_turn = true}
  code:op("mov32 base, 0")
  if is_uniform(ops) then out.pool:fix(step.block, step.compact and {"window", "from", "into"} or {"window"}) end
  code:line("%s:", label)
  out.pool:forget()
  local outer, turn = out.entries, {}
  out.entries = turn
  add_ops(out, ops)
  local from = schedule.mark(code)
  local size = step.half and 2 or 4
  code:op("add32 base, base, %d", size * step.block)
  code:op("blt base, %d, %s", size * step.padded, label)
  out:note_branch(from, true)
  out.entries = outer
  out:note{kind = "loop", turns = step.blocks, entries = turn}
  out.pool:forget()
  out.pool:release()
  if step.padded == step.cells then return end
  local cleared = {}
  for _, op in ipairs(ops) do
    local region = type(op[2]) == "table" and op[2].region
    if region and region.field and not cleared[region] then
      cleared[region] = true
      local behind = out.pool:use(region.first + memory.element_bytes(region) * step.cells, step.padded - step.cells)
      code:op("%s %s, 0.0", elements.name{"fmovs", op[2]}, behind)
    end
  end
end

local function add_blocks(out, ops)
  if ends.add(out, ops, exchange.number) then return end
  ends.release(out)
  if out.step.loops and ops.can_loop then return add_loop(out, ops) end
  for _, piece in ipairs(plan.pieces(out.step, ops)) do
    out.block = piece
    add_ops(out, ops)
  end
end

local function add_group(out, ops)
  numbers.before(out, ops)
  add_blocks(out, ops)
  numbers.behind(out, ops)
end

-- ---- the program

-- The steps: a part for each phase; a run that does not end with the last one leaves in the middle.
local function add_steps(out, role)
  local step, code = out.step, out.code
  local period = #step.phases
  local last = (step.steps - 1) % period + 1
  code:line("new_step:")
  out.pool:forget()
  for phase = 1, period do
    out.entries = {}
    out.schedule[phase] = out.entries
    for _, group in ipairs(step.phases[phase]) do add_group(out, group) end
    ends.release(out)
    roles.add(out, role, phase - 1)
    local from = schedule.mark(code)
    code:op("add32 step, step, 1")
    out:note_branch(from, phase == period)
    numbers.end_step(out, step.phases[phase].ending)
    if phase == last and phase == period then code:op("blt step, %d, new_step", step.steps) end
    if phase == last and phase < period then code:op("bge step, %d, over", step.steps) end
    if phase == period and phase ~= last then code:op("jmp new_step") end
  end
  code:line("over:")
  numbers.end_run(out)
  code:op("mark end")
  code:op("halt")
end

-- Returns what a register of the pool is loaded with first.
local function pattern_of(step)
  local shape = step.shape
  if shape.is_column then return format("mem(0, length=%d)", step.block) end
  return format("mem(0, length=[%d, %d], stride=[%d, 1])", shape.ty, shape.tx, shape.stride)
end

local kColumnPool, kTilePool = 8, 5  -- registers; those that are left are for operands written as literals
local kBoxOperands = 3              -- of an instruction on part of the cells

-- Registers that no exchange between tiles may have.
local function other_registers(step)
  local is_whole = true
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, op in ipairs(group) do is_whole = is_whole and (not op.box or covers_tiles(step.shape, op.box)) end
    end
  end
  return kTilePool + (is_whole and 0 or kBoxOperands)
end

-- Returns the text once; length: that of all operands, or nil; shared: the rounds of exchanges that are subroutines, as of
-- rounds.shared, or nil.
local function write(step, name, role, length, shared)
  local out = setmetatable({step = step, role = role, code = Code.new(), away = Code.new(), labels = 0,
                            width = step.shape.width, height = step.shape.height, schedule = {}, entries = {},
                            rounds = shared or {}, counts = not shared and {} or nil, subroutines = {}}, Out)
  local code = out.code
  code:head(".program %s", name)
  declare_regions(code, step)
  declare_controls(code, step)
  roles.declare(code, step, role)
  code:line(".reg step, value, one%s%s%s", step.loops and ", base, at" or "", step.compact and ", link" or "",
            numbers.registers(step))
  numbers.declare(code, step)
  if not step.shape.is_column then code:line(".microthread %s", halo.microthreads()) end
  out.pool = descriptors.new(code, pattern_of(step), length, step.shape.is_column and kColumnPool or kTilePool)
  if step.shape.is_column then
    code:line(".dsr window%s%s%s", step:has_images() and ", image, imaged" or "", step.compact and ", " .. rounds.registers or "",
              numbers.has_products(step) and ", walk, partial" or "")
  else
    out.kit = halo.kit(step, other_registers(step))
    out.kit:declare(code)
  end
  code:line("task main:")
  out.pool:load()
  if step.shape.is_column then
    for name in ("window" .. (step.compact and ", " .. rounds.registers or "")):gmatch("%w+") do
      code:op("setd %s, %s", name, pattern_of(step))
    end
    if numbers.has_products(step) then
      code:op("setd walk, save(mem(0, length=1))")
      code:op("setd partial, save(circular(mem(0, length=2), length=1))")
    end
  else
    out.kit:load(code)
  end
  code:op("mov32 one, 1")
  code:op("mov32 step, 0")
  code:op("mark begin")
  numbers.begin(out)
  add_steps(out, role)
  local lengths = {}
  for count in pairs(out.pool.lengths) do lengths[#lengths + 1] = count end
  return code:text() .. out.away:text() .. concat(out.subroutines), lengths, out.schedule, out.counts
end

-- Returns the text of a program and its schedule, as of schedule.lua. role: {injections = {{field, cell, samples}}, recordings = {{field, cell,
-- name}}, coordinates = {x = list, y = list}}: what its PEs do besides, and where they are.
function program.text(step, name, role)
  local text, lengths, schedule_of, counts = write(step, name, role, nil)
  local is_one = not step.shape.is_column or #lengths == 1 and lengths[1] == step.block
  if is_one or step.compact then
    local shared = step.compact and rounds.shared(counts) or nil
    text, lengths, schedule_of = write(step, name, role, is_one and step.block or nil, shared)
  end
  return text, schedule_of
end

-- Returns the schedule of the program of PEs without sources and receivers, as of schedule.lua.
function program.schedule(step)
  local coordinates = {x = {}, y = {}}
  for at = 0, step.shape.width - 1 do coordinates.x[at + 1] = at end
  for at = 0, step.shape.height - 1 do coordinates.y[at + 1] = at end
  local _, entries = program.text(step, "cells", {injections = {}, recordings = {}, coordinates = coordinates})
  return entries
end

return program
