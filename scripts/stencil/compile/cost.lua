-- What a step costs a PE that has all its neighbours, by cause, from the instructions and the machine's
-- table: cycles in which it issues, cycles that it loses to bank conflicts, and the start and end of each
-- instruction. Waiting for other PEs is not in it.
local format, concat = string.format, table.concat

local cost = {}

local kWide = {fmovs = true, fadds = true, fsubs = true}
local kFlops = {fmovs = 0, fnegs = 0, fadds = 1, fsubs = 1, fmuls = 1, fmacs = 2}

local Account = {}
Account.__index = Account

function Account:row(cause)
  local row = self.rows[cause]
  if not row then
    row = {cause = cause, instructions = 0, issue = 0, stall = 0, flops = 0}
    self.rows[cause], self.order[#self.order + 1] = row, row
  end
  return row
end

local function add(row, elements, issue, stall, flops)
  row.instructions = row.instructions + 1
  row.issue, row.stall, row.flops = row.issue + issue, row.stall + stall, row.flops + flops * elements
end

-- Elements of an instruction that issue in a cycle, from so many memory sources.
local function rate(machine, name, sources)
  if not kWide[name] then return 1 end
  local most = math.min(machine.simd_32bit, machine.write_port_bytes // 4)
  if sources > 0 then most = math.min(most, machine.read_port_bytes // (4 * sources)) end
  return math.max(most, 1)
end

-- Adds an instruction in memory; addresses are known to be in one half of the banks or not.
function Account:vector(cause, name, elements, operands)
  local sources = {}
  for k = 2, #operands do
    if type(operands[k]) == "table" and operands[k].region then sources[#sources + 1] = operands[k] end
  end
  local cycles = (elements + rate(self.machine, name, #sources) - 1) // rate(self.machine, name, #sources)
  local stall = 0
  if #sources == 2 then
    local a = sources[1].region.parity + sources[1].delta
    local b = sources[2].region.parity + sources[2].delta
    local conflict = (a - b) * 2 % self.machine.bank_conflict_banks == 0
    if conflict then stall = cycles * (self.machine.bank_conflict_cycles - 1) end
  end
  add(self:row(cause), elements, cycles, stall, kFlops[name])
end

function Account:exchange(op, count)
  for _, broadcast in ipairs(op.broadcasts) do
    local words = count + 2 * broadcast.reach
    add(self:row("send"), words, words, 0, 0)
    for _, group in ipairs(broadcast.groups) do
      for _, offset in ipairs(group.offsets) do
        if group.handlers[offset].buffer then
          add(self:row("receive"), words, words, 0, 0)
        else
          add(self:row("receive, multiply, add"), words, words, 0, 2)
        end
      end
    end
  end
end

function Account:halo(op, shape)
  local one = op.halo
  local width = one.corners and one.west + shape.tx + one.east or shape.tx
  for _, words in ipairs{one.west * shape.ty, one.east * shape.ty, one.north * width, one.south * width} do
    if words > 0 then
      add(self:row("send"), words, words, 0, 0)
      add(self:row("receive"), words, words, 0, 0)
    end
  end
end

-- Elements of an instruction in a block, at a PE in the middle of the grid.
local function elements_of(step, op, first, count)
  if not step.shape.is_column then return step.shape.tx * step.shape.ty end
  if not op.box or step.loops then return count end
  return math.max(math.min(op.box.z[2], first + count - 1) - math.max(op.box.z[1], first) + 1, 0)
end

-- Whether the PE in the middle of the grid has cells of a box.
local function is_in_the_middle(step, op)
  if not op.box or not step.shape.is_column then return true end
  local x, y = step.shape.width // 2, step.shape.height // 2
  return op.box.x[1] <= x and x <= op.box.x[2] and op.box.y[1] <= y and y <= op.box.y[2]
end

-- Returns the rows of a step, means over its phases: {cause, instructions, issue, stall, flops}, and the
-- cells of a PE.
function cost.rows(step, machine)
  local self = setmetatable({rows = {}, order = {}, machine = machine}, Account)
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for b = 1, step.blocks do
        local first = (b - 1) * step.block
        local count = step.loops and step.block or math.min(step.block, step.cells - first)
        for _, op in ipairs(group) do
          if op[1] == "exchange" then
            self:exchange(op, count)
          elseif op[1] == "halo" then
            self:halo(op, step.shape)
          elseif is_in_the_middle(step, op) then
            self:vector(op.cause, op[1], elements_of(step, op, first, count), table.pack(table.unpack(op, 2)))
          end
        end
      end
    end
  end
  local period = #step.phases
  for _, row in ipairs(self.order) do
    for _, name in ipairs{"instructions", "issue", "stall", "flops"} do row[name] = row[name] / period end
  end
  local cells = step.shape.is_column and step.cells or step.shape.tx * step.shape.ty
  return self.order, cells
end

-- Returns lines of text: cycles per cell by cause, and their sum; `measured`, the cycles of a step by
-- what the record says they were, or nil.
function cost.text(step, machine, measured)
  local rows, cells = cost.rows(step, machine)
  local lines = {"cause                    instructions   issue   stall  set-up    flop  (cycles per cell)"}
  local total = {instructions = 0, issue = 0, stall = 0, set_up = 0, flops = 0}
  local each = machine.vector_start_cycles + machine.vector_drain_cycles
  local function line(name, row)
    lines[#lines + 1] = format("%-24s %12.1f %7.2f %7.2f %7.2f %7.2f", name, row.instructions, row.issue / cells,
                               row.stall / cells, row.set_up / cells, row.flops / cells)
  end
  for _, row in ipairs(rows) do
    row.set_up = row.instructions * each
    line(row.cause, row)
    for name, value in pairs(total) do total[name] = value + row[name] end
  end
  line("all", total)
  lines[#lines + 1] = format("%.2f cycles per cell without waiting, %d cells and %d bytes in a PE",
                             (total.issue + total.stall + total.set_up) / cells, cells, step.plan.bytes)
  if measured then
    lines[#lines + 1] = format("measured: %.2f cycles per cell: %.2f busy, %.2f memory stall, %.2f waiting",
                               measured.all / cells, measured.busy / cells, measured.stall / cells,
                               measured.waiting / cells)
  end
  return concat(lines, "\n")
end

return cost
