-- What a random collective (calls.lua) must leave in every PE, computed by plain loops.
local expected = {}

local operations = {add = function(a, b) return a + b end, max = math.max, min = math.min,
                    mul = function(a, b) return a * b end}
for _, type in ipairs{"f32", "f16", "i32"} do operations["own_" .. type] = math.max end -- of the program

-- Element i of the vector of PE (x, y): small integers, whose sums and products every type holds.
local function value(x, y, i, op)
  if op == "mul" then return (x * 7 + y * 3 + i * 5) % 3 == 0 and -1 or 1 end
  return (x * 7 + y * 5 + i * 3) % 9 - 4
end

-- The same as an expression of the language.
function expected.value_text(op)
  if op == "mul" then return "(x * 7 + y * 3 + i * 5) % 3 == 0 ? -1 : 1" end
  return "(x * 7 + y * 5 + i * 3) % 9 - 4"
end

-- The groups of a trial: lists of PEs {x, y} in order.
local function groups_of(trial)
  local groups, r = {}, trial.rect
  if trial.along == "rows" then
    for y = r.y0, r.y1 do
      local group = {}
      for x = r.x0, r.x1 do group[#group + 1] = {x, y} end
      groups[#groups + 1] = group
    end
  elseif trial.along == "columns" then
    for x = r.x0, r.x1 do
      local group = {}
      for y = r.y0, r.y1 do group[#group + 1] = {x, y} end
      groups[#groups + 1] = group
    end
  else
    local group = {}
    for y = r.y0, r.y1 do
      for x = r.x0, r.x1 do group[#group + 1] = {x, y} end
    end
    groups[1] = group
  end
  return groups
end

-- The number of the root in its group.
local function root_number(trial, width)
  if type(trial.root) == "table" then return trial.root[2] * width + trial.root[1] end
  return trial.root
end

local function combined(trial, group, i, last)
  local sum
  for k = 1, last or #group do
    local term = value(group[k][1], group[k][2], i, trial.op)
    sum = sum == nil and term or operations[trial.op](sum, term)
  end
  return sum
end

-- The lengths of the blocks of a group, and where each begins.
function expected.lengths_of(trial, count)
  local list, first = {}, {0}
  for k = 1, count do
    list[k] = type(trial.length) == "function" and trial.length(k - 1) or trial.length
    first[k + 1] = first[k] + list[k]
  end
  return list, first
end

-- check(pe, array, first, expected list): elements of an array of a PE from `first` (0) on.
local checks = {}

function checks.reduce(trial, group, root, check)
  local list = {}
  for i = 0, (trial.called or trial.length) - 1 do list[i + 1] = combined(trial, group, i) end
  for k, pe in ipairs(group) do
    if trial.kind ~= "reduce" or k == root + 1 then check(pe, "data", 0, list) end
  end
end
checks.allreduce = checks.reduce

function checks.broadcast(trial, group, root, check)
  local list = {}
  for i = 0, (trial.called or trial.length) - 1 do
    list[i + 1] = value(group[root + 1][1], group[root + 1][2], i, trial.op)
  end
  for _, pe in ipairs(group) do check(pe, "data", 0, list) end
end

function checks.barrier() end

function checks.gather(trial, group, root, check)
  local lengths, all = expected.lengths_of(trial, #group), {}
  for k, pe in ipairs(group) do
    for i = 0, lengths[k] - 1 do all[#all + 1] = value(pe[1], pe[2], i, trial.op) end
  end
  for k, pe in ipairs(group) do
    if trial.kind == "allgather" or k == root + 1 then check(pe, "into", 0, all) end
  end
end
checks.allgather = checks.gather

function checks.scatter(trial, group, root, check)
  local lengths, first = expected.lengths_of(trial, #group)
  for k, pe in ipairs(group) do
    local list = {}
    for i = 0, lengths[k] - 1 do
      list[i + 1] = value(group[root + 1][1], group[root + 1][2], first[k] + i, trial.op)
    end
    check(pe, "into", 0, list)
  end
end

function checks.reduce_scatter(trial, group, _, check)
  local lengths, first = expected.lengths_of(trial, #group)
  for k, pe in ipairs(group) do
    local list = {}
    for i = 0, lengths[k] - 1 do list[i + 1] = combined(trial, group, first[k] + i) end
    check(pe, "data", first[k], list)
  end
end

-- The most elements that a PE of a group has, and that one gets, in an all-to-all of unequal blocks.
function expected.most_unequal(trial, count)
  local most_sent, most_got = 0, 0
  for i = 0, count - 1 do
    local sent, got = 0, 0
    for j = 0, count - 1 do sent, got = sent + trial.length(i, j), got + trial.length(j, i) end
    most_sent, most_got = math.max(most_sent, sent), math.max(most_got, got)
  end
  return most_sent, most_got
end

local function check_unequal(trial, group, check)
  for k, pe in ipairs(group) do
    local list = {}
    for i, other in ipairs(group) do
      local first = 0
      for j = 0, k - 2 do first = first + trial.length(i - 1, j) end
      for e = first, first + trial.length(i - 1, k - 1) - 1 do
        list[#list + 1] = value(other[1], other[2], e, trial.op)
      end
    end
    check(pe, "into", 0, list)
  end
end

function checks.alltoall(trial, group, _, check)
  if trial.is_unequal then return check_unequal(trial, group, check) end
  for k, pe in ipairs(group) do
    local list = {}
    for _, other in ipairs(group) do
      for i = 0, trial.length - 1 do
        list[#list + 1] = value(other[1], other[2], (k - 1) * trial.length + i, trial.op)
      end
    end
    check(pe, "into", 0, list)
  end
end

-- The sum of nothing; a function has none, and leaves what was there.
local function of_nothing(trial)
  local least, most = -math.huge, math.huge
  if trial.type == "i32" then least, most = -2147483648, 2147483647 end
  return ({add = 0, mul = 1, max = least, min = most})[trial.op] or 0
end

function checks.scan(trial, group, _, check)
  for k, pe in ipairs(group) do
    local list, last = {}, trial.exclusive and k - 1 or k
    for i = 0, trial.size - 1 do
      list[i + 1] = last == 0 and of_nothing(trial) or combined(trial, group, i, last)
    end
    check(pe, "into", 0, list)
  end
end

-- Fails with the first element of the record that a trial should not have left.
function expected.check(trial, record)
  local r = trial.rect
  for _, group in ipairs(groups_of(trial)) do
    local root = trial.root and root_number(trial, r.x1 - r.x0 + 1)
    checks[trial.kind](trial, group, root, function(pe, array, first, expected)
      if #expected == 0 then return end
      local name = array == "data" and trial.data or trial.into
      local found = record:symbol(pe[1], pe[2], name)
      if type(found) ~= "table" then found = {found} end
      for i, wanted in ipairs(expected) do
        if found[first + i] ~= wanted then
          error(("%s: PE (%d, %d) has %s[%d] = %s, not %s"):format(expected.shown(trial), pe[1], pe[2], name,
                first + i - 1, found[first + i], wanted), 0)
        end
      end
    end)
  end
end

function expected.shown(trial)
  local function text(value)
    return type(value) == "table" and table.concat(value, ",") or tostring(value)
  end
  local r = trial.rect
  return ("seed %s: %s %s along %s of (%d..%d, %d..%d), root %s, length %s, %s %s %s%s%s"):format(
    tostring(trial.seed), trial.kind, trial.pattern or "", tostring(trial.along), r.x0, r.x1, r.y0, r.y1,
    text(trial.root), text(trial.length), trial.type, trial.op, trial.packed and "packed " or "",
    trial.after and "task " or "", (trial.exclusive and "exclusive " or "") .. (trial.is_any and "any root " or "") .. trial.name)
end

return expected
