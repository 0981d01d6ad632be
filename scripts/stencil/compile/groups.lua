-- Groups: updates that are computed together, and how many levels of a field a PE must keep. An update
-- that reads f.next comes in a later group than those that set it.
local host = require "wse.host"
local normal = require "stencil.compile.normal"
local format = string.format

local groups = {}

-- Numbers the group of each update: one more than the latest that sets what it reads as next; updates
-- of one field are in one group.
local function number_updates(updates)
  local of_field, changed = {}, true
  while changed do
    changed = false
    for _, update in ipairs(updates) do
      local own = of_field[update.field] or 1
      normal.each_access(update.linear, function(access)
        if access.level == "next" then own = math.max(own, of_field[access.field] + 1) end
      end)
      if own > #updates then
        host.raise(format("update: %s.next is read by what it depends on (%s)", update.field.name, update.line))
      end
      if own ~= of_field[update.field] then of_field[update.field], changed = own, true end
    end
  end
  return of_field
end

-- Returns the list of groups, each a list of updates {field =, linear =, boxes =, group =}.
function groups.of(grid, context)
  local updates = {}
  for k, update in ipairs(grid.updates) do
    context.line = update.line
    updates[k] = {field = update.field, boxes = update.boxes, line = update.line,
                  linear = context:of(update.equation)}
  end
  local of_field, list = number_updates(updates), {}
  for _, update in ipairs(updates) do
    update.group = of_field[update.field]
    while #list < update.group do list[#list + 1] = {} end
    local group = list[update.group]
    group[#group + 1] = update
  end
  return list, of_field
end

-- Returns {[field] = 1, 2 or 3}: how many levels a field needs. A level may be overwritten by the next
-- one when nothing reads it any more; with several blocks a cell of another block still may.
function groups.levels(grid, list, of_field, several_blocks)
  local levels = {}
  for _, field in ipairs(grid.fields) do levels[field] = 1 end
  local function need(field, count) levels[field] = math.max(levels[field], count) end
  for number, group in ipairs(list) do
    for _, update in ipairs(group) do
      normal.each_access(update.linear, function(access)
        local set_in = of_field[access.field]
        local late = set_in and (number > set_in or several_blocks and number == set_in and access.offset[3] ~= 0)
        if access.level == "before" and not set_in then
          host.raise(format("update: %s.before is read, but no update sets %s (%s)", access.field.name,
                            access.field.name, update.line))
        elseif access.level == "before" then
          need(access.field, late and 3 or 2)
        elseif access.level == "now" and late then
          need(access.field, 2)
        end
      end)
    end
  end
  return levels
end

return groups
