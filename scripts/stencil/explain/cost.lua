-- The cost of a step at the PE in the middle of the grid, by cause: cycles in which it issues, cycles that it loses to
-- banks, cycles of set-up before, between and after instructions, and the rest, in which it waits for other PEs.
-- Issue and stall are counted from the plan, set-up and the whole come from timeline.lua.
local plan = require "stencil.compile.plan"
local rates = require "stencil.explain.rates"
local timeline = require "stencil.explain.timeline"
local format, concat = string.format, table.concat

local cost = {}

cost.flops = {fmovs = 0, fnegs = 0, fadds = 1, fsubs = 1, fmuls = 1, fmacs = 2}

local Account = {}
Account.__index = Account

function Account:row(cause)
  local row = self.rows[cause]
  if not row then
    row = {cause = cause, instructions = 0, issue = 0, stall = 0, set_up = 0, flops = 0}
    self.rows[cause], self.order[#self.order + 1] = row, row
  end
  return row
end

local function add(row, elements, issue, stall, flops)
  row.instructions = row.instructions + 1
  row.issue, row.stall, row.flops = row.issue + issue, row.stall + stall, row.flops + flops * elements
end

function Account:exchange(op, count)
  for _, broadcast in ipairs(op.broadcasts) do
    local words = count + 2 * broadcast.reach
    add(self:row("send"), words, words, 0, 0)
    for _, group in ipairs(broadcast.groups) do
      for _, offset in ipairs(group.offsets) do
        local handler = group.handlers[offset]
        local name = handler.weight and "receive, multiply" or handler.buffer and "receive" or "receive, multiply, add"
        add(self:row(name), words, words, 0, handler.weight and 1 or handler.buffer and 0 or 2)
      end
    end
  end
end

-- On duplex machines the sends have slots of their own, beside the receives.
function Account:halo(op, shape)
  local one = op.halo
  local width = one.corners and one.west + shape.tx + one.east or shape.tx
  local is_beside = self.machine.issue == 1
  for _, words in ipairs{one.west * shape.ty, one.east * shape.ty, one.north * width, one.south * width} do
    if words > 0 then
      add(self:row("send"), words, is_beside and 0 or words, 0, 0)
      add(self:row("receive"), words, words, 0, 0)
    end
  end
end

-- Whether the PE in the middle of the grid has cells of a box.
local function is_in_the_middle(step, op)
  if not op.box or not step.shape.is_column then return true end
  local x, y = step.shape.width // 2, step.shape.height // 2
  return op.box.x[1] <= x and x <= op.box.x[2] and op.box.y[1] <= y and y <= op.box.y[2]
end

function Account:block(step, ops, first, count)
  for _, op in ipairs(ops) do
    if op[1] == "exchange" then
      self:exchange(op, count)
    elseif op[1] == "halo" then
      self:halo(op, step.shape)
    elseif is_in_the_middle(step, op) then
      local elements = rates.elements(step, op, first, count)
      local issue, stall = rates.cycles(self.machine, op, elements)
      add(self:row(op.cause), elements, issue, stall, cost.flops[op[1]])
    end
  end
end

local function cells_of(step) return step.shape.is_column and step.cells or step.shape.tx * step.shape.ty end

-- Returns the rows of a step, means over its phases: {cause, instructions, issue, stall, set_up, flops}, the cells of a PE,
-- and the cycles of a step. phases: the schedule of its program.
function cost.rows(step, machine, phases)
  local self = setmetatable({rows = {}, order = {}, machine = machine}, Account)
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, piece in ipairs(plan.pieces(step, group)) do self:block(step, group, piece.first, piece.count) end
    end
  end
  local period = #step.phases
  for _, row in ipairs(self.order) do
    for _, name in ipairs{"instructions", "issue", "stall", "flops"} do row[name] = row[name] / period end
  end
  local cycles, set_up = timeline.cycles(step, phases, machine)
  for _, cause in ipairs(set_up.order) do self:row(cause).set_up = set_up[cause] end
  return self.order, cells_of(step), cycles
end

local kColumns = {"instructions", "issue", "stall", "set_up", "flops"}

local function line(name, row, cells)
  return format("%-24s %12.1f %7.2f %7.2f %7.2f %7.2f", name, row.instructions, row.issue / cells, row.stall / cells,
                row.set_up / cells, row.flops / cells)
end

-- Returns lines of text: cycles per cell by cause, their sum and what a step is predicted to take; measured: {all =, busy =,
-- stall =, waiting =}, cycles of a step by what the record says they were, or nil.
function cost.text(step, machine, phases, measured)
  local rows, cells, cycles = cost.rows(step, machine, phases)
  local lines = {"cause                    instructions   issue   stall  set-up    flop  (cycles per cell)"}
  local total = {}
  for _, name in ipairs(kColumns) do total[name] = 0 end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = line(row.cause, row, cells)
    for _, name in ipairs(kColumns) do total[name] = total[name] + row[name] end
  end
  lines[#lines + 1] = line("all", total, cells)
  local busy, stall = total.issue + total.set_up, total.stall
  lines[#lines + 1] = format("predicted: %.2f cycles per cell: %.2f busy, %.2f memory stall, %.2f waiting", cycles / cells,
                             busy / cells, stall / cells, math.max(cycles - busy - stall, 0) / cells)
  if measured then
    lines[#lines + 1] = format("measured:  %.2f cycles per cell: %.2f busy, %.2f memory stall, %.2f waiting (predicted: %+.1f %%)",
                               measured.all / cells, measured.busy / cells, measured.stall / cells,
                               measured.waiting / cells, 100 * (cycles / measured.all - 1))
  end
  lines[#lines + 1] = format("%d cells and %d bytes in a PE", cells, step.bytes)
  return concat(lines, "\n")
end

return cost
