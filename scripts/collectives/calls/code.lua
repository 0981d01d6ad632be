-- The code of a collective, from the roles of its PEs: a macro that programs call by the collective's name,
-- or tasks that begin with one of that name. One text serves all PEs; what differs are parameters.
-- Must never know where PEs are.
local roles = require "collectives.calls.roles"
local tasks = require "collectives.calls.tasks"
local format, gsub, concat = string.format, string.gsub, table.concat
local ipairs, pairs, sort, max = ipairs, pairs, table.sort, math.max

local code = {}

-- Puts the program's names into a text of a role. Arguments of a macro keep their names.
function code.filled(request, text)
  return (gsub(text, "{([%w_]+)}", function(slot)
    return request.operands[slot] or request.name .. "_" .. slot
  end))
end

-- The most strands that run beside each other.
local function most_strands(list)
  local most = 1
  for _, role in ipairs(list) do
    for _, step in ipairs(role.steps) do
      local strands = step.strands or {}
      most = max(most, #strands)
      roles.each_within(step, function(within)
        most = max(most, most_strands{within} + (step.strands and #strands - 1 or 0))
      end)
    end
  end
  return most
end

local add_steps

-- A choice: register `at` holds the operand, which may be one of memory.
local function add_choice(request, step, lines, base, is_loop)
  local label = format("%s_choice%d", request.name, #lines)
  local function add(text, ...) lines[#lines + 1] = "    " .. code.filled(request, format(text, ...)) end
  add("mov32 {at}, %s", step.by)
  add("beq {at}, {%s}, %s_equal", step.slot, label)
  add("blt {at}, {%s}, %s_less", step.slot, label)
  for k, name in ipairs{"greater", "equal", "less"} do
    if k > 1 then lines[#lines + 1] = format("  %s_%s:", label, name) end
    add_steps(request, step.cases[name], lines, base, is_loop)
    if k < 3 then add("jmp %s_over", label) end
  end
  lines[#lines + 1] = format("  %s_over:", label)
end

-- Strands of a role that is a strand itself run on microthreads from `base` + 1 on. Sends of a loop have
-- their descriptors loaded in each turn: registers for all would be the program's.
function add_steps(request, role, lines, base, is_loop)
  local function add(text, ...) lines[#lines + 1] = "    " .. code.filled(request, format(text, ...)) end
  for _, step in ipairs(role.steps) do
    if step.line then add("%s", step.line) end
    local strands = step.strands or {}
    local many = is_loop and (#strands > 1 or #strands == 1 and #strands[1] > 1)
    if many then lines[#lines + 1] = "    ;! allow E230" end
    for k = 1, #strands - 1 do add("%s async collective_%d", strands[k][1], base + k) end
    local last = strands[#strands] or {}
    if last.steps then add_steps(request, last, lines, base + #strands - 1) end
    if many and #strands > 1 then lines[#lines + 1] = "    ;! allow E230" end
    for _, instruction in ipairs(last) do add("%s", instruction) end
    for k = 1, #strands - 1 do
      add("wait collective_%d", base + k)
      for j = 2, #strands[k] do add("%s", strands[k][j]) end
    end
    if step.cases then add_choice(request, step, lines, base, is_loop) end
    if step.loop then
      local label = "turn" .. #lines
      add("mov32 {turns}, {%s}", step.loop)
      lines[#lines + 1] = "  " .. label .. ":"
      add_steps(request, step.body, lines, base, true)
      add("sub32 {turns}, {turns}, 1")
      add("bgt {turns}, 0, %s", label)
    end
  end
end

-- Whether any step of the roles has a field.
local function has(list, field)
  local found = false
  for _, role in ipairs(list) do
    for _, step in ipairs(role.steps) do
      found = found or step[field] ~= nil
      roles.each_within(step, function(within) found = found or has({within}, field) end)
    end
  end
  return found
end

local kMore <const> = {{"reg", "down_at"}, {"reg", "count"}, {"reg", "rest"}, {"reg", "entry"}, {"dsr", "passed_out"},
                       {"dsr", "passed_in"}}

-- The registers of loops and choices: those of a macro may be another macro's, tasks have their own.
local function add_registers(request, part, list)
  local registers = has(list, "loop") and {"turns", "at"} or has(list, "cases") and {"at"}
  if not registers then return end
  local function declare(kind, use)
    local name = (request.after and request.name or "collective") .. "_" .. use
    request.operands[use] = name
    part.declarations[#part.declarations + 1] = format("  .%s %s", kind, name)
  end
  for _, use in ipairs(registers) do declare("reg", use) end
  local texts = {}
  for k, role in ipairs(list) do texts[k] = role:text() end
  local text = concat(texts)
  for _, use in ipairs(kMore) do
    if text:find("{" .. use[2] .. "}", 1, true) then declare(use[1], use[2]) end
  end
end

-- Branches of all roles that do something: `.if NAME_role == 1` ..., with write(role, lines) for each;
-- `otherwise`: lines for who does nothing.
function code.branches(request, list, write, otherwise)
  local lines = {}
  for k, role in ipairs(list) do
    lines[#lines + 1] = format("  .%s %s_role == %d", k == 1 and "if" or "else if", request.name, k)
    write(role, lines)
  end
  if otherwise then
    if #list > 0 then lines[#lines + 1] = "  .else" end
    for _, line in ipairs(otherwise) do lines[#lines + 1] = line end
  end
  if #list > 0 then lines[#lines + 1] = "  .end" end
  return lines
end

local function macro_of(request, list, title)
  local arguments = concat(request.arguments, ", ")
  local lines = {format("; %s: %s", request.name, title),
                 format(".macro %s%s", request.name, arguments ~= "" and "(" .. arguments .. ")" or "")}
  local body = code.branches(request, list, function(role, to) add_steps(request, role, to, 0) end)
  for _, line in ipairs(body) do lines[#lines + 1] = line end
  lines[#lines + 1] = ".end"
  return lines
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  sort(list)
  return list
end

-- Numbers the roles of cells {{pieces =, role =}, ...} that do something: those with one text have one
-- number.
local function numbered(cells)
  local list, number_of = {}, {}
  for _, cell in ipairs(cells) do
    if #cell.role.steps > 0 then
      local text = cell.role:text()
      if not number_of[text] then
        list[#list + 1] = cell.role
        number_of[text] = #list
      end
      cell.number = number_of[text]
    end
  end
  return list
end

local function values_of(request, cell)
  local values = {format("%s_role = %d", request.name, cell.number)}
  for _, slot in ipairs(sorted(cell.role.colours)) do
    values[#values + 1] = format("%s_%s = %s", request.name, slot, cell.role.colours[slot].name)
  end
  for _, slot in ipairs(sorted(cell.role.numbers)) do
    values[#values + 1] = format("%s_%s = %s", request.name, slot, cell.role.numbers[slot])
  end
  return concat(values, ", ")
end

local function parameters_of(request, cells)
  local colours, numbers = {}, {}
  for _, cell in ipairs(cells) do
    for slot in pairs(cell.role.colours) do colours[slot] = true end
    for slot in pairs(cell.role.numbers) do numbers[slot] = true end
  end
  local list = {format("%s_role: const = 0", request.name)}
  for _, slot in ipairs(sorted(colours)) do list[#list + 1] = format("%s_%s: colour?", request.name, slot) end
  for _, slot in ipairs(sorted(numbers)) do
    list[#list + 1] = format("%s_%s: i32 = 0", request.name, slot)
  end
  return list
end

-- Returns the part of a layout (wse/layout/parts.lua) for the cells; `title` says in the output what it is.
function code.part(request, cells, title)
  local list = numbered(cells)
  local part = {name = request.name, title = title, call = request.call, line = request.line, macro = {},
                declarations = {}, parameters = parameters_of(request, cells), statements = {}, cells = {},
                lanes = request.lanes, remedy = request.remedy, geometry = request.geometry, after = request.after}
  add_registers(request, part, list)
  part.declarations[#part.declarations + 1] = request.own_data
  if request.after then
    part.macro = {format("; %s: %s", request.name, title)}
    part.statements = tasks.statements(request, list, code, most_strands(list))
  else
    part.macro = macro_of(request, list, title)
    for k = 1, most_strands(list) - 1 do
      part.declarations[#part.declarations + 1] = "  .microthread collective_" .. k
    end
  end
  for _, cell in ipairs(cells) do
    local values = cell.number and values_of(request, cell) or format("%s_role = 0", request.name)
    part.cells[#part.cells + 1] = {pieces = cell.pieces, values = values}
  end
  return part
end

return code
