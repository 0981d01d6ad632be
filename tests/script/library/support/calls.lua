-- Random collectives in layouts, and what each must leave in every PE, computed by plain loops.
local wse = require "wse"
local collectives = require "collectives.calls"

local calls = {}

-- xorshift: the same on every host.
function calls.generator(seed)
  local state = seed * 2654435761 + 88172645463325252
  return function(first, last)
    state = state ~ (state << 13)
    state = state ~ (state >> 7)
    state = state ~ (state << 17)
    return first + (state >> 11) % (last - first + 1)
  end
end

local operations = {add = function(a, b) return a + b end, max = math.max, min = math.min,
                    mul = function(a, b) return a * b end}

-- Element i of the vector of PE (x, y): small integers, whose sums and products every type holds.
local function value(x, y, i, op)
  if op == "mul" then return (x * 7 + y * 3 + i * 5) % 3 == 0 and -1 or 1 end
  return (x * 7 + y * 5 + i * 3) % 9 - 4
end

local function value_text(op)
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

local function lengths_of(trial, count)
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
  for i = 0, trial.length - 1 do list[i + 1] = combined(trial, group, i) end
  for k, pe in ipairs(group) do
    if trial.kind ~= "reduce" or k == root + 1 then check(pe, "data", 0, list) end
  end
end
checks.allreduce = checks.reduce

function checks.broadcast(trial, group, root, check)
  local list = {}
  for i = 0, trial.length - 1 do list[i + 1] = value(group[root + 1][1], group[root + 1][2], i, trial.op) end
  for _, pe in ipairs(group) do check(pe, "data", 0, list) end
end

function checks.barrier() end

function checks.gather(trial, group, root, check)
  local lengths, all = lengths_of(trial, #group), {}
  for k, pe in ipairs(group) do
    for i = 0, lengths[k] - 1 do all[#all + 1] = value(pe[1], pe[2], i, trial.op) end
  end
  for k, pe in ipairs(group) do
    if trial.kind == "allgather" or k == root + 1 then check(pe, "into", 0, all) end
  end
end
checks.allgather = checks.gather

function checks.scatter(trial, group, root, check)
  local lengths, first = lengths_of(trial, #group)
  for k, pe in ipairs(group) do
    local list = {}
    for i = 0, lengths[k] - 1 do
      list[i + 1] = value(group[root + 1][1], group[root + 1][2], first[k] + i, trial.op)
    end
    check(pe, "into", 0, list)
  end
end

function checks.reduce_scatter(trial, group, _, check)
  local lengths, first = lengths_of(trial, #group)
  for k, pe in ipairs(group) do
    local list = {}
    for i = 0, lengths[k] - 1 do list[i + 1] = combined(trial, group, first[k] + i) end
    check(pe, "data", first[k], list)
  end
end

function checks.alltoall(trial, group, _, check)
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

function checks.scan(trial, group, _, check)
  for k, pe in ipairs(group) do
    local list = {}
    for i = 0, trial.size - 1 do list[i + 1] = combined(trial, group, i, k) end
    check(pe, "into", 0, list)
  end
end

-- Fails with the first element of the record that a trial should not have left.
function calls.check(trial, record)
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
          error(("%s: PE (%d, %d) has %s[%d] = %s, not %s"):format(calls.shown(trial), pe[1], pe[2], name,
                first + i - 1, found[first + i], wanted), 0)
        end
      end
    end)
  end
end

function calls.shown(trial)
  local function text(value)
    return type(value) == "table" and table.concat(value, ",") or tostring(value)
  end
  local r = trial.rect
  return ("seed %s: %s %s along %s of (%d..%d, %d..%d), root %s, length %s, %s %s %s%s%s"):format(
    tostring(trial.seed), trial.kind, trial.pattern or "", tostring(trial.along), r.x0, r.x1, r.y0, r.y1,
    text(trial.root), text(trial.length), trial.type, trial.op, trial.packed and "packed " or "",
    trial.after and "task " or "", trial.name)
end

local kKinds <const> = {"reduce", "allreduce", "broadcast", "barrier", "scatter", "gather", "allgather",
                        "reduce_scatter", "alltoall", "scan"}
local kPatterns <const> = {"auto", "star", "chain", "tree", "two-phase", "auto-gen"}
local kWithRoot <const> = {reduce = true, allreduce = true, broadcast = true, scatter = true, gather = true}
local kWithOperation <const> = {reduce = true, allreduce = true, reduce_scatter = true, scan = true}
local kOnLines <const> = {reduce_scatter = true, alltoall = true, scan = true}
local kBlocks <const> = {scatter = true, gather = true, allgather = true, reduce_scatter = true}

local function rectangle(random, width, height)
  local x0, y0 = random(0, width - 1), random(0, height - 1)
  if random(0, 2) == 0 then x0, y0 = 0, 0 end
  return {x0 = x0, y0 = y0, x1 = random(x0, width - 1), y1 = random(y0, height - 1)}
end

-- Elements that a PE has of a trial, of which `count` PEs are in a group: of data and of into.
local function sizes_of(trial, count)
  if trial.kind == "barrier" then return 0, 0 end
  if trial.kind == "scan" then return trial.size, trial.size end
  if trial.kind == "alltoall" then return count * trial.length, count * trial.length end
  if not kBlocks[trial.kind] then return trial.length, 0 end
  local lengths, first = lengths_of(trial, count)
  local most, total = 0, first[count + 1]
  for _, length in ipairs(lengths) do most = math.max(most, length) end
  if trial.kind == "scatter" then return total, most end
  if trial.kind == "reduce_scatter" then return total, 0 end
  return most, total
end

-- A random collective on a grid: {kind, rect, along, root, length, type, op, pattern, after, packed, name, data,
-- into}, and the sizes of its arrays.
function calls.trial(random, width, height, name, most_bytes)
  local kinds = kKinds
  local trial = {kind = kinds[random(1, #kinds)], rect = rectangle(random, width, height), name = name,
                 data = name .. "_v", into = name .. "_w"}
  trial.along = ({false, "rows", "columns"})[random(1, 3)] or nil
  local r = trial.rect
  local across, down = r.x1 - r.x0 + 1, r.y1 - r.y0 + 1
  if kOnLines[trial.kind] and not trial.along then trial.along = random(0, 1) == 0 and "rows" or "columns" end
  local count = trial.along == "rows" and across or trial.along == "columns" and down or across * down
  trial.type = ({"f32", "i32", "f16"})[random(1, 3)]
  trial.op = ({"add", "max", "min", "mul"})[random(1, 4)]
  trial.packed = trial.type == "f16" and random(0, 1) == 1 or nil
  trial.pattern = (trial.kind == "reduce" or trial.kind == "allreduce") and kPatterns[random(1, #kPatterns)] or nil
  if kWithRoot[trial.kind] then
    if trial.along then trial.root = random(0, count - 1)
    else trial.root = {random(0, across - 1), random(0, down - 1)} end
  end
  trial.after = random(0, 1) == 1 and name .. "_over" or nil
  trial.length = random(0, 3) == 0 and random(1, 70) or random(1, 12)
  if trial.packed and trial.pattern == "star" then trial.length = 2 * trial.length end
  if trial.kind == "scan" then trial.size, trial.length = trial.length, nil end
  if kBlocks[trial.kind] and random(0, 1) == 0 and (trial.kind ~= "scatter" or trial.along) then
    local salt, step = random(0, 100), trial.packed and 2 or 1
    trial.length = function(place) return (place * 5 + salt) % 7 * step end
  elseif (kBlocks[trial.kind] or trial.kind == "alltoall") and trial.packed then
    trial.length = 2 * ((trial.length + 1) // 2)
  end
  trial.sizes = {sizes_of(trial, count)}
  local bytes = trial.type == "f16" and 2 or 4
  if (trial.sizes[1] + trial.sizes[2]) * bytes > most_bytes then
    return calls.trial(random, width, height, name, most_bytes)
  end
  return trial
end

-- Adds the trial to a layout.
function calls.add(w, trial)
  local r, given = trial.rect, {}
  for _, field in ipairs{"name", "along", "root", "length", "type", "pattern", "after", "packed"} do
    given[field] = trial[field]
  end
  given.at = w:rect({r.x0, r.x1}, {r.y0, r.y1})
  if trial.kind == "barrier" then given.type, given.packed = nil, nil end
  if trial.kind == "barrier" or trial.kind == "broadcast" then given.length = nil end
  if kWithOperation[trial.kind] then given.op = trial.op end
  if trial.kind ~= "barrier" and (trial.after or trial.given) then
    given.data = trial.data
    if checks[trial.kind] ~= checks.reduce and trial.kind ~= "broadcast" and trial.kind ~= "reduce_scatter" then
      given.into = trial.into
    end
  end
  return w[trial.kind](w, given)
end

-- Lines of the program: arrays, the call in main, and the task after it.
function calls.lines(trial)
  local data, code, over = {}, {}, {}
  for k, name in ipairs{trial.data, trial.into} do
    local size = math.max(1, trial.sizes[k] or 0)
    data[k] = ("  .%s %s[%d]%s"):format(trial.type, name, size, k == 1 and " = " .. value_text(trial.op) or "")
  end
  if trial.after then
    code[1] = "    activate " .. trial.name
    over = {"  task " .. trial.after .. ":", "    add32 ended, ended, 1", "    beq ended, tasks, all_over", "    end"}
  elseif trial.kind == "barrier" then
    code[1] = "    " .. trial.name
  else
    local has_into = trial.kind == "scan" or trial.kind == "alltoall" or trial.kind == "scatter"
                     or trial.kind == "gather" or trial.kind == "allgather"
    code[1] = "    " .. trial.name .. " " .. (has_into and trial.into .. ", " or "") .. trial.data
  end
  return data, code, over
end

-- A layout of one program that passes a word to the neighbour in the row, runs all trials, and passes a
-- word again.
function calls.layout(width, height, trials)
  local w = wse.layout(width, height):use(collectives)
  local even, odd = w:colour("even"), w:colour("odd")
  for _, trial in ipairs(trials) do trial.made = calls.add(w, trial) end
  local data, code, over, tasks = {}, {}, {}, 0
  for _, trial in ipairs(trials) do
    local a, b, c = calls.lines(trial)
    table.move(a, 1, #a, #data + 1, data)
    table.move(b, 1, #b, #code + 1, code)
    table.move(c, 1, #c, #over + 1, over)
    if trial.after then tasks = tasks + 1 end
  end
  w:const("tasks", tasks + 1)
  w:program(([[
.program own(tx: colour?, rx: colour?)
%s
  .i32 word = 100 * y + x
  .i32 got = -1
  .reg ended
  task main:
    shift
%s
    shift
    add32 ended, ended, 1
    beq   ended, tasks, all_over
    end
%s
  all_over:
    halt
.macro shift
  .if has(tx)
    mov32 fabout(tx), word
  .end
  .if has(rx)
    mov32 got, fabin(rx)
  .end
.end]]):format(table.concat(data, "\n"), table.concat(code, "\n"), table.concat(over, "\n")))
  w:place("own", w:all(), {
    tx = function(x) if x < width - 1 then return x % 2 == 0 and even or odd end end,
    rx = function(x) if x > 0 then return x % 2 == 1 and even or odd end end})
  for x = 0, width - 2 do
    local colour = x % 2 == 0 and even or odd
    w:route(colour, w:column(x), "ramp -> east")
    w:route(colour, w:column(x + 1), "west -> ramp")
  end
  return w
end

-- Runs a layout and checks all: false if it was refused before the run, which a message must explain.
function calls.run(w, trials, machine, width, height)
  local ok, record = pcall(w.run, w, {machine = machine, max_cycles = 1000000})
  if not ok then
    local message = tostring(record)
    if message:find("do not fit", 1, true) or message:find("no numbers were found", 1, true)
       or message:find("E217", 1, true) or message:find("E218", 1, true)
       or message:find("is one microthread too many", 1, true) then
      return false, message
    end
    error(calls.shown(trials[1]) .. (trials[2] and "\n" .. calls.shown(trials[2]) or "")
          .. (trials[3] and "\n" .. calls.shown(trials[3]) or "") .. "\n" .. machine .. ": " .. message, 0)
  end
  for _, trial in ipairs(trials) do calls.check(trial, record) end
  for y = 0, height - 1 do
    for x = 1, width - 1 do assert(record:symbol(x, y, "got") == 100 * y + x - 1, "the user's words") end
  end
  return true
end

-- Cycles of one collective on a row of P PEs, from `mark begin` to the last `mark end`: B elements of each PE,
-- called as a macro.
function calls.cycles(kind, P, B, options, machine)
  local w, given = wse.layout(P, 1):use(collectives), {name = "it"}
  for field, value in pairs(options) do given[field] = value end
  w[kind](w, given)
  local whole = kBlocks[kind] or kind == "alltoall"
  local call = ({barrier = "it", reduce_scatter = "it a", scan = "it b, a"})[kind]
               or whole and "it b, a" or "it a"
  w:program(([[
.program p
  .f32 a[%d] = x
  .f32 b[%d]
  task main:
    mark begin
    %s
    mark end]]):format(whole and P * B or B, whole and P * B or B, call))
  w:place("p", w:all())
  local marks = w:run{machine = machine}.marks
  return marks["end"].last - marks.begin.first
end

return calls
