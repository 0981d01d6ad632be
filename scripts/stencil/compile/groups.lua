-- Groups: updates that are computed together, and how many levels of a field a PE must keep. An update
-- that reads f.next comes in a later group than those that set it. An update that reads the next of the field that it sets
-- continues what earlier updates have set: a later wave of that field. Totals come between the updates before and behind them.
local host = require "wse.host"
local normal = require "stencil.compile.normal"
local spans = require "stencil.compile.spans"
local format, concat = string.format, table.concat

local groups = {}

-- Calls see(access) for each access of an update to the next of a field.
local function each_next(update, see)
  normal.each_access(update.linear, function(access)
    if access.level == "next" then see(access) end
  end)
end

-- Gives each update its wave: {field =, before = the wave of the field before it, group =}. Updates of a field between two totals are
-- one wave, but for those that read its next. latest: the latest wave of each field; first: the least group.
local function set_waves(updates, latest, first)
  local waves, own = {}, {}
  for _, update in ipairs(updates) do
    update.wave, update.reads = latest[update.field], {}
    each_next(update, function(access) update.reads[#update.reads + 1] = latest[access.field] end)
    if update.continues or not own[update.field] then
      update.reads[#update.reads + 1] = latest[update.field]
      update.wave = {field = update.field, before = latest[update.field], group = first}
      waves[#waves + 1], latest[update.field], own[update.field] = update.wave, update.wave, true
    end
  end
  return waves
end

-- Numbers the group of each wave: one more than the latest that sets what it reads as next, and than those that read what the
-- wave before it has set.
local function number_waves(updates, waves, first)
  local changed = true
  local function raise(wave, least, update)
    if least >= first + #updates then
      host.raise(format("update: %s.next is read by what it depends on (%s)", update.field.name, update.line))
    end
    if least > wave.group then wave.group, changed = least, true end
  end
  while changed do
    changed = false
    for _, update in ipairs(updates) do
      for _, read in ipairs(update.reads) do raise(update.wave, read.group + 1, update) end
      for _, wave in ipairs(waves) do
        for _, read in ipairs(update.reads) do
          if wave.before == read and wave ~= update.wave then raise(wave, update.wave.group + 1, update) end
        end
      end
    end
  end
end

-- ---- columns that travel once

-- Returns {[key] = true} for the columns that an update reads from other PEs, with the axes along which they come.
local function travelling(update)
  local keys = {}
  normal.each_access(update.linear, function(access)
    local name = format("%s.%s", access.field.name, access.level)
    if access.offset[1] ~= 0 then keys["x " .. name] = true end
    if access.offset[2] ~= 0 then keys["y " .. name] = true end
  end)
  return keys
end

local function share_any(keys, others)
  for key in pairs(keys) do
    if others[key] then return true end
  end
  return false
end

-- Whether a wave may as well be computed in a later group: nobody needs it before, and nothing that it reads is replaced until then.
local function may_wait(updates, wave, group)
  local read_as_now = {}
  for _, update in ipairs(updates) do
    for _, read in ipairs(update.reads) do
      if read == wave and update.wave ~= wave and update.wave.group <= group then return false end
    end
    if update.wave.before == wave and update.wave.group <= group then return false end
    if update.wave == wave then
      normal.each_access(update.linear, function(access)
        if access.level ~= "next" and access.field ~= wave.field then read_as_now[access.field] = true end
        if access.level == "next" then read_as_now[access.field] = read_as_now[access.field] or "next" end
      end)
    end
  end
  for _, update in ipairs(updates) do
    local read = update.wave ~= wave and read_as_now[update.field]
    if read == true and update.wave.group < group then return false end
    if read == "next" and update.wave.group > wave.group and update.wave.group <= group then return false end
  end
  return true
end

-- Moves waves to later groups that read the same columns of other PEs: these travel once.
local function gather(updates)
  local keys = {}
  for k, update in ipairs(updates) do keys[k] = travelling(update) end
  for k, update in ipairs(updates) do
    for j, other in ipairs(updates) do
      local group = other.wave.group
      if group > update.wave.group and share_any(keys[k], keys[j]) and may_wait(updates, update.wave, group) then
        update.wave.group = group
      end
    end
  end
end

-- ---- parts of a group

-- Returns a text of the heights of the cells of an update.
local function heights_of(update, cells)
  local list = {}
  for k, range in ipairs(spans.of_boxes(update.boxes, cells) or {}) do list[k] = format("%d..%d", range[1], range[2]) end
  return concat(list, " ")
end

-- Returns the keys of what an update shares with others that are better computed with it: columns that travel along an axis, and
-- sums and products of the same heights.
local function shared_keys(update, heights)
  local keys = {}
  local function see(linear)
    for _, term in ipairs(linear.terms) do
      local factor = term.factor
      if factor.kind == "product" then keys[factor.key .. heights] = true end
      for _, one in ipairs(factor.kind == "product" and factor.factors or {factor}) do
        if one.kind == "sum" then
          keys[one.key .. heights] = true
          see(one.linear)
        elseif one.kind == "access" then
          local name = format("%s.%s", one.field.name, one.level)
          if one.offset[1] ~= 0 then keys["x " .. name] = true end
          if one.offset[2] ~= 0 then keys["y " .. name] = true end
        end
      end
    end
  end
  see(update.linear)
  return keys
end

-- Whether an update must not come after one that sets a field, since it reads what that replaces.
local function reads_before(update, other)
  local found = false
  normal.each_access(update.linear, function(access)
    found = found or access.field == other.field and access.level ~= "next"
  end)
  return found
end

-- Returns for each update the number of its part: that of its first update. Parts are joined until each update that reads what another
-- one sets comes before it.
local function numbers_of(group, cells, smallest)
  local part_of, keys, heights = {}, {}, {}
  local function join(a, b)
    local low, high = math.min(a, b), math.max(a, b)
    for k, part in ipairs(part_of) do
      if part == high then part_of[k] = low end
    end
  end
  for k, update in ipairs(group) do
    heights[k] = heights_of(update, cells)
    part_of[k], keys[k] = k, shared_keys(update, heights[k])
    for j = 1, k - 1 do
      local is_one = not smallest and heights[j] == heights[k] or group[j].field == update.field
      for key in pairs(keys[k]) do is_one = is_one or keys[j][key] end
      if is_one then join(part_of[j], part_of[k]) end
    end
  end
  local changed = true
  while changed do
    changed = false
    for k, reader in ipairs(group) do
      for j, setter in ipairs(group) do
        if part_of[k] > part_of[j] and reads_before(reader, setter) then
          join(part_of[k], part_of[j])
          changed = true
        end
      end
    end
  end
  return part_of
end

-- Returns the parts of a group: updates of the same heights with what they share; smallest: only those that share something, such that
-- each part needs memory for its own sums only.
local function parts_of(group, cells, smallest)
  local part_of, parts, of_number = numbers_of(group, cells, smallest), {}, {}
  for k, update in ipairs(group) do
    local number = part_of[k]
    if not of_number[number] then
      of_number[number] = {}
      parts[#parts + 1] = of_number[number]
    end
    table.insert(of_number[number], update)
  end
  return parts
end

-- Returns the updates of a grid as {field =, linear =, boxes =, line =, continues =}, and its totals as {linear =, total =, line =}.
local function normal_statements(grid, context)
  local updates, totals = {}, {}
  for k, update in ipairs(grid.updates) do
    context.line = update.line
    updates[k] = {field = update.field, boxes = update.boxes, line = update.line, continues = update.continues,
                  linear = context:of(update.equation)}
  end
  for k, total in ipairs(grid.totals) do
    context.line = total.line
    totals[k] = {linear = context:of(total.equation), total = total, line = total.line}
  end
  return updates, totals
end

-- Adds the groups of updates between two totals to the list.
local function add_stage(grid, list, updates, latest, smallest)
  local first, numbered = #list + 1, {}
  number_waves(updates, set_waves(updates, latest, first), first)
  gather(updates)
  for _, update in ipairs(updates) do
    update.is_first = update.wave.before == nil
    while #numbered < update.wave.group - first + 1 do numbered[#numbered + 1] = {} end
    table.insert(numbered[update.wave.group - first + 1], update)
  end
  for _, group in ipairs(numbered) do
    for _, part in ipairs(grid.dims == 3 and parts_of(group, grid.sizes[3], smallest) or {group}) do
      if #part > 0 then list[#list + 1] = part end
    end
  end
  for _, update in ipairs(updates) do update.wave.group = 0 end  -- before all groups of what comes
end

-- Returns the list of groups, each a list of updates {field =, linear =, boxes =, line =, is_first = whether it is of the first wave of
-- its field}, or with `totals` a list of totals {linear =, total =}, which are computed at once. smallest: groups as small as they can
-- be, for columns in blocks.
function groups.of(grid, context, smallest)
  local updates, totals = normal_statements(grid, context)
  local list, latest, over, k = {}, {}, 0, 1
  while over < #updates or k <= #totals do
    local upto = totals[k] and totals[k].total.updates_before or #updates
    local stage = table.move(updates, over + 1, upto, 1, {})
    add_stage(grid, list, stage, latest, smallest)
    over = upto
    local together = {totals = true}
    while totals[k] and totals[k].total.updates_before == upto do
      together[#together + 1], k = totals[k], k + 1
    end
    if #together > 0 then list[#list + 1] = together end
  end
  return list
end

-- Returns {[field] = 1, 2 or 3}: how many levels a field needs. A level may be overwritten by the next
-- one when nothing reads it any more; with several blocks a cell of another block still may.
function groups.levels(grid, list, several_blocks)
  local levels, set_in = {}, {}
  for _, field in ipairs(grid.fields) do levels[field] = 1 end
  for number, group in ipairs(list) do
    for _, update in ipairs(group.totals and {} or group) do set_in[update.field] = set_in[update.field] or number end
  end
  local function need(field, count) levels[field] = math.max(levels[field], count) end
  for number, group in ipairs(list) do
    for _, update in ipairs(group) do
      normal.each_access(update.linear, function(access)
        local first = set_in[access.field]
        local late = first and (number > first or several_blocks and number == first and access.offset[3] ~= 0)
        if access.level == "before" and not first then
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
