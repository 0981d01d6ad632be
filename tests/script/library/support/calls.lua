-- Random collectives in layouts, as macros and tasks of one program.
local wse = require "wse"
local collectives = require "collectives.calls"
local expected = require "support.calls_expected"

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

local kFunctions <const> = [[
  .reg own_a, own_b, own_r, own_link
  function own_f32 (own_a: f32, own_b: f32) -> own_r: f32 link own_link:
    fmaxs own_r, own_a, own_b
  function own_f16 (own_a: f16, own_b: f16) -> own_r: f16 link own_link:
    fmaxh own_r, own_a, own_b
  function own_i32 (own_a: i32, own_b: i32) -> own_r: i32 link own_link:
    max32 own_r, own_a, own_b]]

local kKinds <const> = {"reduce", "allreduce", "broadcast", "barrier", "scatter", "gather", "allgather",
                        "reduce_scatter", "alltoall", "scan"}
local kPatterns <const> = {"auto", "star", "chain", "tree", "two-phase", "auto-gen", "snake", "snake-auto-gen"}
local kWithRoot <const> = {reduce = true, allreduce = true, broadcast = true, scatter = true, gather = true}
local kWithOperation <const> = {reduce = true, allreduce = true, reduce_scatter = true, scan = true}
local kWithInto <const> = {scatter = true, gather = true, allgather = true, alltoall = true, scan = true}
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
  if trial.kind == "alltoall" and trial.is_unequal then return expected.most_unequal(trial, count) end
  if trial.kind == "alltoall" then return count * trial.length, count * trial.length end
  if not kBlocks[trial.kind] then return trial.length, 0 end
  local lengths, first = expected.lengths_of(trial, count)
  local most, total = 0, first[count + 1]
  for _, length in ipairs(lengths) do most = math.max(most, length) end
  if trial.kind == "scatter" then return total, most end
  if trial.kind == "reduce_scatter" then return total, 0 end
  return most, total
end

-- A tree in pre-order: PE v sends to an ancestor of PE v - 1, or to that one. `most`, if it is given: how
-- many ancestors it passes over, so that few messages meet.
local function random_tree(random, size, most)
  local list, path = {}, {0}
  for v = 1, size - 1 do
    for _ = 1, random(0, math.min(#path - 1, most or size)) do path[#path] = nil end
    list[v] = path[#path]
    path[#path + 1] = v
  end
  return list
end

-- One in four reduces has a tree of its own, with its root at an end of its lines.
function calls.choose_tree(random, trial, across, down, wanted)
  if trial.is_any then trial.pattern = nil end
  local has_tree = random(0, 3) == 0
  if wanted.kind then has_tree = wanted.has_tree end
  if trial.is_any or not has_tree then return end
  if not trial.along and random(0, 1) == 1 and across > 1 and down > 1 then
    trial.pattern, trial.tree = nil, {snake = random_tree(random, across * down, 1)}
    trial.root = {random(0, 1) * (across - 1), random(0, 1) * (down - 1)}
    return
  end
  trial.pattern, trial.tree = nil, {x = random_tree(random, across), y = random_tree(random, down)}
  local x, y = random(0, 1) * (across - 1), random(0, 1) * (down - 1)
  trial.root = trial.along == "rows" and x or trial.along == "columns" and y or {x, y}
end

-- A random collective on a grid: {kind, rect, along, root, length, type, op, pattern, after, packed, name, data,
-- into}, and the sizes of its arrays. `wanted`, which may be left out, says some of: kind, pattern, is_any, has_tree,
-- exclusive, sections.
function calls.trial(random, width, height, name, most_bytes, wanted)
  wanted = wanted or {}
  local trial = {kind = kKinds[random(1, #kKinds)], rect = rectangle(random, width, height), name = name,
                 data = name .. "_v", into = name .. "_w"}
  trial.kind = wanted.kind or trial.kind
  trial.along = ({false, "rows", "columns"})[random(1, 3)] or nil
  local r = trial.rect
  local across, down = r.x1 - r.x0 + 1, r.y1 - r.y0 + 1
  local count = trial.along == "rows" and across or trial.along == "columns" and down or across * down
  trial.type = ({"f32", "i32", "f16"})[random(1, 3)]
  local operations = {"add", "max", "min", "mul", "own_" .. trial.type}
  trial.op = operations[random(1, trial.kind == "reduce_scatter" and 4 or 5)]
  trial.packed = trial.type == "f16" and trial.op ~= "own_f16" and random(0, 1) == 1 or nil
  trial.pattern = (trial.kind == "reduce" or trial.kind == "allreduce") and kPatterns[random(1, #kPatterns)] or nil
  if wanted.pattern and trial.kind ~= "alltoall" then trial.pattern = wanted.pattern end
  if kWithRoot[trial.kind] then
    if trial.along then trial.root = random(0, count - 1)
    else trial.root = {random(0, across - 1), random(0, down - 1)} end
  end
  trial.is_any = (trial.kind == "reduce" or trial.kind == "broadcast") and random(0, 2) == 0
  if wanted.kind then trial.is_any = wanted.is_any or false end
  trial.after = random(0, 1) == 1 and name .. "_over" or nil
  trial.length = random(0, 3) == 0 and random(1, 70) or random(1, 12)
  if trial.kind == "reduce" or trial.kind == "allreduce" then
    calls.choose_tree(random, trial, across, down, wanted)
  end
  if trial.pattern == "star" and trial.op == "own_" .. trial.type then trial.op = "max" end
  if trial.packed and trial.pattern == "star" then trial.length = 2 * trial.length end
  if trial.kind == "scan" then
    trial.size, trial.exclusive = trial.length, random(0, 1) == 1
    if wanted.exclusive ~= nil then trial.exclusive = wanted.exclusive end
    local is_mapped_task = trial.after and trial.op == "own_" .. trial.type
    if random(0, 1) == 1 and not is_mapped_task then trial.length = nil end
  end
  if kBlocks[trial.kind] and random(0, 1) == 0 and (trial.kind ~= "scatter" or trial.along) then
    local salt, step = random(0, 100), trial.packed and 2 or 1
    trial.length = function(place) return (place * 5 + salt) % 7 * step end
  elseif (kBlocks[trial.kind] or trial.kind == "alltoall") and trial.packed then
    trial.length = 2 * ((trial.length + 1) // 2)
  end
  if trial.kind == "alltoall" and count * count * trial.length < 100000 then
    trial.pattern = ({"auto", "chain", "train"})[random(1, 3)]
    if trial.pattern ~= "chain" and random(0, 1) == 1 then trial.sections = random(1, 4) end
  end
  trial.is_unequal = trial.kind == "alltoall" and count <= 60 and random(0, 3) == 0
  if wanted.kind then trial.is_unequal = wanted.is_unequal end
  if trial.is_unequal then
    local salt, step, most = random(0, 100), trial.packed and 2 or 1, random(1, 7)
    trial.pattern, trial.sections = random(0, 1) == 0 and "chain" or nil, nil
    trial.length = function(i, j) return (i * 5 + j * 3 + i * j + salt) % (most + 1) * step end
  end
  if trial.kind == "alltoall" and wanted.pattern then trial.pattern, trial.sections = wanted.pattern, wanted.sections end
  local vector = trial.kind == "reduce" or trial.kind == "allreduce" or trial.kind == "broadcast"
  local is_free = vector and not trial.after and trial.pattern ~= "star" and trial.op ~= "own_" .. trial.type
  if is_free and random(0, 1) == 0 then
    trial.called, trial.length = random(0, trial.length), trial.length -- a length of run time
  end
  -- A second call leaves the same, if it finds all lanes as they were.
  local again = not kWithOperation[trial.kind] or trial.op ~= "add" and trial.op ~= "mul"
  trial.twice = again and random(0, 1) == 1
  trial.sizes = {sizes_of(trial, count)}
  local bytes = trial.type == "f16" and 2 or 4
  local between = trial.kind == "alltoall" and not trial.along and trial.sizes[1] or 0
  if (trial.sizes[1] + trial.sizes[2] + between) * bytes > most_bytes then
    return calls.trial(random, width, height, name, most_bytes, wanted)
  end
  return trial
end

-- Adds the trial to a layout.
function calls.add(w, trial)
  local r, given = trial.rect, {}
  for _, field in ipairs{"name", "along", "root", "length", "type", "pattern", "after", "packed", "exclusive", "tree", "sections"} do
    given[field] = trial[field]
  end
  if trial.is_any then
    local name = trial.name .. "_root"
    given.root = trial.along and {at = name .. "[0]"} or {x = name .. "[0]", y = name .. "[1]"}
  end
  given.at = w:rect({r.x0, r.x1}, {r.y0, r.y1})
  if trial.kind == "barrier" then given.type, given.packed = nil, nil end
  if trial.kind == "barrier" or trial.kind == "broadcast" then given.length = nil end
  if kWithOperation[trial.kind] then given.op = trial.op end
  if trial.kind ~= "barrier" and (trial.after or trial.given) then
    given.data = trial.data
    if kWithInto[trial.kind] then
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
    data[k] = ("  .%s %s[%d]%s"):format(trial.type, name, size, k == 1 and " = " .. expected.value_text(trial.op) or "")
  end
  if trial.is_any then
    local root = type(trial.root) == "table" and trial.root or {trial.root, 0}
    data[#data + 1] = ("  .i32 %s_root[2] = i ? %d : %d"):format(trial.name, root[2], root[1])
  end
  if trial.after then
    code[1] = "    activate " .. trial.name
    over = {"  task " .. trial.after .. ":"}
    if trial.twice then
      data[#data + 1] = "  .i32 " .. trial.name .. "_calls"
      table.move({("    add32 %s_calls, %s_calls, 1"):format(trial.name, trial.name),
                  ("    bne   %s_calls, 1, %s_ended"):format(trial.name, trial.name),
                  "    activate " .. trial.name, "    end", "  " .. trial.name .. "_ended:"}, 1, 5, 2, over)
    end
    table.move({"    add32 ended, ended, 1", "    beq   ended, tasks, all_over", "    end"}, 1, 3, #over + 1, over)
  elseif trial.kind == "barrier" then
    code[1] = "    " .. trial.name
  else
    local slice = trial.called and "[0 :+ elements]" or ""
    if trial.called then code[1] = "    mov32 elements, " .. trial.called end
    local into = kWithInto[trial.kind] and trial.into .. ", " or ""
    code[#code + 1] = "    " .. trial.name .. " " .. into .. trial.data .. slice
    if trial.twice then code[#code + 1] = code[#code] end
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
  .reg ended, elements
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
%s
.macro shift
  .if has(tx)
    mov32 fabout(tx), word
  .end
  .if has(rx)
    mov32 got, fabin(rx)
  .end
.end]]):format(table.concat(data, "\n"), table.concat(code, "\n"), table.concat(over, "\n"), kFunctions))
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

-- What is out, as messages name it: colours, registers, queues, microthreads, tasks.
local kRefusals <const> = {"do not fit", "no numbers were found", "E067", "E217", "E218", "E219",
                           "is one microthread too many", "is one local task too many"}

-- Runs a layout and checks all: false if it was refused before the run, which a message must explain.
function calls.run(w, trials, machine, width, height)
  local ok, record = pcall(w.run, w, {machine = machine, max_cycles = 1000000})
  if not ok then
    local message = tostring(record)
    for _, reason in ipairs(kRefusals) do
      if message:find(reason, 1, true) then return false, message end
    end
    error(expected.shown(trials[1]) .. (trials[2] and "\n" .. expected.shown(trials[2]) or "")
          .. (trials[3] and "\n" .. expected.shown(trials[3]) or "") .. "\n" .. machine .. ": " .. message, 0)
  end
  for _, trial in ipairs(trials) do expected.check(trial, record) end
  for y = 0, height - 1 do
    for x = 1, width - 1 do assert(record:symbol(x, y, "got") == 100 * y + x - 1, "the user's words") end
  end
  return true
end

-- Runs the trials of seeds first..last on all machines; returns how many were refused. `wanted` is that of trial(), of
-- the first of three collectives, too.
function calls.run_seeds(first, last, wanted)
  local refused = 0
  for seed = first, last do
    local random = calls.generator(seed)
    local width, height = random(1, 17), random(1, 13)
    local count, trials = seed % 3 == 0 and 3 or 1, {}
    for k = 1, count do
      trials[k] = calls.trial(random, width, height, "c" .. k, 40000 // count, k == 1 and wanted or nil)
      trials[k].seed = seed
    end
    local w = calls.layout(width, height, trials)
    for _, machine in ipairs{"wse2", "wse3", "model"} do
      if not calls.run(w, trials, machine, width, height) then refused = refused + 1 end
    end
  end
  return refused
end

-- All collectives with all patterns, as wanted by trial().
function calls.each_pattern()
  local list = {}
  local function add(kind, fields)
    local wanted = {kind = kind}
    for name, value in pairs(fields or {}) do wanted[name] = value end
    list[#list + 1] = wanted
  end
  for _, kind in ipairs{"reduce", "allreduce"} do
    for _, pattern in ipairs(kPatterns) do add(kind, {pattern = pattern}) end
    add(kind, {has_tree = true})
  end
  for _, pattern in ipairs(kPatterns) do add("barrier", {pattern = pattern}) end
  for _, kind in ipairs{"reduce", "broadcast"} do add(kind, {is_any = true}) end
  for _, kind in ipairs{"broadcast", "scatter", "gather", "allgather", "reduce_scatter"} do add(kind) end
  add("alltoall", {pattern = "chain"})
  add("alltoall", {is_unequal = true})
  for _, sections in ipairs{1, 3} do add("alltoall", {pattern = "train", sections = sections}) end
  for _, exclusive in ipairs{false, true} do add("scan", {exclusive = exclusive}) end
  return list
end

-- The text of a wanted one.
function calls.name_of(wanted)
  local parts = {wanted.kind}
  for _, name in ipairs{"pattern", "sections", "is_unequal", "is_any", "has_tree", "exclusive"} do
    if wanted[name] ~= nil then parts[#parts + 1] = name .. " = " .. tostring(wanted[name]) end
  end
  return table.concat(parts, ", ")
end

-- Cycles of one collective on a row of P PEs, from `mark begin` to the last `mark end`: B elements of each PE,
-- called as a macro. `rows`, if it is given: how many such rows the rectangle has.
function calls.cycles(kind, P, B, options, machine, rows)
  local w, given = wse.layout(P, rows or 1):use(collectives), {name = "it"}
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
