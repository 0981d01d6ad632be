-- A collective as tasks: the one of its name begins it, on microthreads of its own, and the last one
-- activates the user's. Between its instructions the PE is free. Must never know where PEs are.
--
-- Where strands run beside each other, a task for each pair of them waits for both: it is blocked, the end
-- of one unblocks it and that of the other one activates it. A block acts from the next cycle on, and a
-- strand of no words ends at once, so the first task does nothing but block; later turns find it blocked again.
local format, ipairs = string.format, ipairs

local tasks = {}

-- A writer of tasks of one role: `now` are the lines of the task that is being written, `lines` all before.
local function writer(request, code)
  local self = {count = 1, base = 0, joins = {}, later = {}}

  function self.name() -- of the next task
    self.count = self.count + 1
    return format("%s_%d", request.name, self.count)
  end

  function self.filled(text) return "    " .. code.filled(request, text) end

  return self
end

-- Issues the strand's instructions from the k-th on, on microthread m, then `signal`.
local function issue(self, lines, strand, k, m, signal)
  local instruction = strand[k]
  if k == #strand then
    lines[#lines + 1] = self.filled(format("%s async %s %s", instruction, m, signal))
    return
  end
  local name = self.name()
  lines[#lines + 1] = self.filled(format("%s async %s activate %s", instruction, m, name))
  local after = {format("  task %s high:", name)}
  issue(self, after, strand, k + 1, m, signal)
  self.later[#self.later + 1] = after
end

local steps_from

-- Writes the steps of a strand, which run on the microthread that has its number.
local function steps_of_strand(self, request, lines, role, number, signal)
  self.base = number - 1
  steps_from(self, request, lines, role.steps, 1, function(after) after[#after + 1] = "    " .. signal end, signal)
  self.base = 0
end

-- Begins strands first..last, whose common end is `signal`: "activate TASK" or "unblock TASK".
local function begin(self, request, lines, strands, first, last, signal)
  if first == last and strands[first].steps then
    return steps_of_strand(self, request, lines, strands[first], first, signal)
  end
  if first == last then
    return issue(self, lines, strands[first], 1, format("%s_thread%d", request.name, self.base + first), signal)
  end
  local join, middle = self.name(), (first + last) // 2
  self.joins[#self.joins + 1] = "    block " .. join
  begin(self, request, lines, strands, first, middle, "unblock " .. join)
  begin(self, request, lines, strands, middle + 1, last, "activate " .. join)
  self.later[#self.later + 1] = {format("  task %s high:", join), "    block " .. join, "    " .. signal}
end

-- A loop: its turn begins with a task that its end activates again.
local function loop(self, request, lines, step, continue)
  local turn = self.name()
  local counter = request.operands.turns
  lines[#lines + 1] = self.filled(format("mov32 %s, {%s}", counter, step.loop))
  lines[#lines + 1] = "    activate " .. turn
  local body = {format("  task %s high:", turn)}
  self.later[#self.later + 1] = body
  steps_from(self, request, body, step.body.steps, 1, function(after)
    local ended = format("%s_ended%d", request.name, self.count)
    after[#after + 1] = format("    sub32 %s, %s, 1", counter, counter)
    after[#after + 1] = format("    ble   %s, 0, %s", counter, ended)
    after[#after + 1] = "    activate " .. turn
    after[#after + 1] = "    end"
    after[#after + 1] = "  " .. ended .. ":"
    continue(after)
  end)
end

-- A choice: each case ends with the activation of the same task, or with `signal` if that is all that comes after.
local function choose(self, request, lines, step, signal)
  local label, register = format("%s_choice%d", request.name, self.count), request.operands.at
  self.count = self.count + 1
  lines[#lines + 1] = self.filled(format("mov32 %s, %s", register, step.by))
  lines[#lines + 1] = self.filled(format("beq %s, {%s}, %s_equal", register, step.slot, label))
  lines[#lines + 1] = self.filled(format("blt %s, {%s}, %s_less", register, step.slot, label))
  for k, name in ipairs{"greater", "equal", "less"} do
    if k > 1 then lines[#lines + 1] = format("  %s_%s:", label, name) end
    steps_from(self, request, lines, step.cases[name].steps, 1, function(after)
      after[#after + 1] = "    " .. signal
    end, signal)
    lines[#lines + 1] = "    end"
  end
end

-- Writes the steps from the k-th on into `lines`; continue(lines) writes what comes after them all. Where that is
-- no more than `signal`, the end of the last step gives it.
function steps_from(self, request, lines, steps, k, continue, signal)
  local step = steps[k]
  if not step then return continue(lines) end
  local function rest(after) return steps_from(self, request, after, steps, k + 1, continue, signal) end
  if step.line then
    lines[#lines + 1] = self.filled(step.line)
    return rest(lines)
  end
  if step.cases then
    if signal and not steps[k + 1] then return choose(self, request, lines, step, signal) end
    local next_task = self.name()
    choose(self, request, lines, step, "activate " .. next_task)
    local after = {format("  task %s high:", next_task)}
    self.later[#self.later + 1] = after
    return rest(after)
  end
  if step.loop then return loop(self, request, lines, step, rest) end
  if signal and not steps[k + 1] then return begin(self, request, lines, step.strands, 1, #step.strands, signal) end
  local next_task = self.name()
  begin(self, request, lines, step.strands, 1, #step.strands, "activate " .. next_task)
  local after = {format("  task %s high:", next_task)}
  self.later[#self.later + 1] = after
  return rest(after)
end

-- The statements of a program: microthreads, and tasks for each role.
function tasks.statements(request, list, code, threads)
  local lines = {}
  for k = 1, threads do lines[k] = format("  .microthread %s_thread%d", request.name, k) end
  local function write(role, to)
    local self = writer(request, code)
    local begins, first = self.name(), {}
    steps_from(self, request, first, role.steps, 1, function(after)
      after[#after + 1] = "    activate " .. request.after
    end, "activate " .. request.after)
    to[#to + 1] = format("  task %s high:", request.name)
    if #self.joins > 0 then
      table.move(self.joins, 1, #self.joins, #to + 1, to)
      to[#to + 1] = "    activate " .. begins
      to[#to + 1] = format("  task %s high:", begins)
    end
    table.move(first, 1, #first, #to + 1, to)
    for _, task in ipairs(self.later) do
      for _, line in ipairs(task) do to[#to + 1] = line end
    end
  end
  local nothing = {format("  task %s high:", request.name), "    activate " .. request.after}
  for _, line in ipairs(code.branches(request, list, write, nothing)) do lines[#lines + 1] = line end
  return lines
end

return tasks
