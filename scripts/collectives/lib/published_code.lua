-- The code of a PE as the authors of Near-Optimal Wafer-Scale Reduce wrote it: one program for all
-- PEs of a pattern, in which each message is one synchronous instruction.
--
--   count = 1                                 the last message is not received in this loop
--   while count < receives: count += 1; x += message
--   receives and sends:  send (x + message)   one instruction
--   receives nothing:    send x
--   sends nothing:       x += message
--   send a control wavelet, if this PE is its parent's last child
--
-- `paper`, the programs of the conference: descriptors are loaded before `begin`, and a task that is
-- activated at the very end marks `end`. `measured`, the programs of the vendor's simulator: descriptors
-- are structures in memory, built before `begin`; each receive fetches three of them, and there is no
-- task. The counter of the loop is held in a register; what the code asks after it, whether it receives,
-- sends, and turns switches, are variables in memory. Scalar lines that set descriptors or choose the
-- next collective are left out.
-- Must never know where PEs are, or what a message costs.
local structures = require "support.held"
local format = string.format

local code = {}

local function writer()
  local lines = {}
  return lines, function(text, ...)
    lines[#lines + 1] = select("#", ...) > 0 and format(text, ...) or text
  end
end

-- Returns the meanings of the descriptor registers of a stage.
local function meanings(stage)
  local p = stage.prefix
  return {
    whole = "x", again = "x", from = format("fabin(%srx)", p),
    to = format(stage.advance and "fabout(%stx, advance)" or "fabout(%stx)", p),
    switch = format("fabout(%stx, control)", p), word = "turn",
    parts = p .. "partial", part = format("save(circular(%spartial, length=1))", p),
    result = format(stage.flood == "sends" and "fabout(%sflood)" or "fabin(%sflood)", p),
  }
end

-- Descriptors that the conference code loads before its first instruction, in every PE.
local held = {
  chain = {"from", "to", "again", "whole"},
  star = {"to", "again", "whole", "from"},
  loop = {"whole", "again", "from", "to", "switch", "word"},
}

-- Descriptors that `measured` has in memory, those of its form; both sides of a sum share one of x.
local stored = {
  chain = {"whole", "from", "to"},
  star = {"whole", "from", "to"},
  loop = {"whole", "from", "to", "switch", "word"},
}

-- The name of the descriptor in memory.
local function name_of(stage, name) return stage.prefix .. (name == "again" and "whole" or name) end

-- The names of the descriptors that a stage of `measured` has in memory.
function code.stored(stage)
  local names = stage.works and table.move(stored[stage.form], 1, #stored[stage.form], 1, {}) or {}
  local function add(name, is) names[#names + 1] = is and name or nil end
  add("whole", not stage.works and stage.flood)
  add("parts", stage.scalar)
  add("part", stage.scalar)
  add("switch", stage.works and stage.control and stage.form ~= "loop")
  add("word", stage.works and stage.control and stage.form ~= "loop")
  add("result", stage.flood)
  return names
end

-- Builds the descriptors of all stages in memory. `count`: how many any PE builds; a PE that needs fewer
-- builds the first one again, so that all begin at once.
local function store_all(stages, count, out)
  local left = count
  local function store(stage, name)
    out("    setd %s, %s", name, meanings(stage)[name])
    out("    " .. structures.store(name, name_of(stage, name)))
    left = left - 1
  end
  for _, stage in ipairs(stages) do
    for _, name in ipairs(code.stored(stage)) do store(stage, name) end
  end
  for _ = 1, left do store(stages[1], "whole") end
end

-- Declarations of the places of these descriptors.
function code.places(stages, count)
  local lines, needed = {}, count
  local function add(stage, name)
    lines[#lines + 1] = "  " .. structures.declaration(name_of(stage, name))
    needed = needed - 1
  end
  for _, stage in ipairs(stages) do
    for _, name in ipairs(code.stored(stage)) do add(stage, name) end
  end
  if needed > 0 and code.stored(stages[1])[1] ~= "whole" then add(stages[1], "whole") end
  return lines
end

-- Writes fetches of descriptors of a stage.
local function fetch(stage, out, names)
  for _, name in ipairs(names) do out("    " .. structures.fetch(name, name_of(stage, name))) end
end

-- The writer of the vector instructions of a stage: of `measured` each with the fetches of its
-- operands, of `paper` without.
local function instruction(stage, out, holds)
  return function(mnemonic, ...)
    if not holds then fetch(stage, out, {...}) end
    out("    %s %s", mnemonic, table.concat({...}, ", "))
  end
end

local function load_all(stage, out)
  if not stage.works then return end
  local meaning = meanings(stage)
  local function load(name) out("    setd %s, %s", name, meaning[name]) end
  for _, name in ipairs(held[stage.form]) do load(name) end
  if stage.scalar then
    load "parts"
    load "part"
  end
  if stage.control and stage.form ~= "loop" then
    load "switch"
    load "word"
  end
end

-- x += message. The published code has one descriptor for both sides; without held ones it has two.
local function receive(vector, element, holds)
  vector(element.combine, "whole", holds and "whole" or "again", "from")
end

local function send_chain(stage, out, vector, element, holds)
  if holds then
    out("    mov32 asked, %snumber", stage.prefix)
    out("    beq asked, 0, %sfirst", stage.prefix)
    out("    beq asked, 2, %slast", stage.prefix)
  end
  if stage.sends and stage.receives > 0 then
    vector(element.combine, "to", holds and "whole" or "again", "from")
  end
  if holds then out("  %sfirst:", stage.prefix) end
  for _ = 1, stage.sends and 0 or stage.receives do receive(vector, element, holds) end
  if holds then out("  %slast:", stage.prefix) end
  if stage.receives == 0 then vector(element.move, "to", "again") end
end

-- The root of a star; of one word in groups of four, into four partial sums.
local function receive_star(stage, out, vector, element, holds)
  local p, singles = stage.prefix, stage.singles
  out("    mov32 count, %sturns", p)
  out("  %snext:", p)
  if stage.groups then
    vector(element.combine, "parts", "parts", "from")
  else
    receive(vector, element, holds)
  end
  out "    sub32 count, count, 1"
  out("    bgt count, 0, %snext", p)
  for _ = 1, stage.groups and singles or 0 do receive(vector, element, holds) end
  if not stage.groups then return end
  if not holds then fetch(stage, out, {"part"}) end
  for _ = 1, 4 do
    if not holds then fetch(stage, out, {"whole"}) end
    out("    %s whole, whole, part", element.combine)
  end
end

local function send_star(stage, out, vector, element, holds)
  if stage.sends then
    vector(element.move, "to", "again")
  else
    receive_star(stage, out, vector, element, holds)
  end
end

local function send_loop(stage, out, vector, element, holds)
  local p = stage.prefix
  out("    mov32 count, %sreceives", p)
  out "    mov32 got, 1"
  out("    bge got, count, %sreceived", p)
  out("  %snext:", p)
  out "    add32 got, got, 1"
  receive(vector, element, holds)
  out("    blt got, count, %snext", p)
  out("  %sreceived:", p)
  out("    mov32 asked, %sreceives", p)
  out("    beq asked, 0, %sleaf", p)
  out("    mov32 asked, %ssends", p)
  out("    beq asked, 0, %sroot", p)
  vector(element.combine, "to", holds and "whole" or "again", "from")
  out("    jmp %ssent", p)
  out("  %sleaf:", p)
  vector(element.move, "to", "again")
  out("    jmp %ssent", p)
  out("  %sroot:", p)
  receive(vector, element, holds)
  out("  %ssent:", p)
  out("    mov32 asked, %scontrols", p)
  out("    beq asked, 0, %sover", p)
  vector("mov32", "switch", "word")
  out("  %sover:", p)
end

local forms = {chain = send_chain, star = send_star, loop = send_loop}

local function reduce(stage, out, element, holds)
  if not stage.works then return end
  local vector = instruction(stage, out, holds)
  forms[stage.form](stage, out, vector, element, holds)
  if stage.control and stage.form ~= "loop" then vector("mov32", "switch", "word") end
end

-- The flood of the result in the programs of the conference: asynchronous on a row; on a grid it has its
-- descriptors loaded and a time stamp, as every collective there.
local function flood(stage, out, element, grid, next_task)
  local colour = stage.prefix .. "flood"
  local operands = stage.flood == "sends" and format("fabout(%s), x", colour)
                   or format("x, fabin(%s)", colour)
  if not grid then
    out("    %s %s async flooding activate %s", element.move, operands, next_task)
    return
  end
  out "    tsc stamp"
  out("    %s %s", element.move, operands)
  out("    activate %s", next_task)
end

-- Writes the flood of the programs of the simulator.
local function fetched_flood(stage, out, element)
  local operands = stage.flood == "sends" and {"result", "again"} or {"whole", "result"}
  instruction(stage, out, false)(element.move, table.unpack(operands))
end

local function new_task(out, name)
  out "    end"
  out("  task %s:", name)
end

-- The steps of a program: a reduce, and perhaps a flood, for each stage.
local function paper(stages, element, options, out)
  local number = 0
  local function follow()
    number = number + 1
    return "step" .. number
  end
  for k, stage in ipairs(stages) do
    if stage.rewrite then out("    setroute %sflood, %srouting", stage.prefix, stage.prefix) end
    load_all(stage, out)
    out(k == 1 and "    mark begin" or "    tsc stamp")
    reduce(stage, out, element, true)
    local name = follow()
    out("    activate %s", name)
    new_task(out, name)
    if stage.flood then
      name = follow()
      flood(stage, out, element, options.grid, name)
      new_task(out, name)
    end
  end
  out "    mark end"
  out "    halt"
end

local function measured(stages, element, options, out)
  store_all(stages, options.stored, out)
  out "    mark begin"
  for _, stage in ipairs(stages) do
    if stage.rewrite then out("    setroute %sflood, %srouting", stage.prefix, stage.prefix) end
    reduce(stage, out, element, false)
    if stage.flood then fetched_flood(stage, out, element) end
  end
  out "    mark end"
end

local codes = {paper = paper, measured = measured}

local names = {
  {".reg", {"got", "count", "asked", "stamp"}},
  {".dsr", {"whole", "again", "from", "to", "switch", "word", "parts", "part", "result"}},
  {".microthread", {"flooding"}},
}

-- Declarations of the names that the lines use.
local function declarations(lines)
  local text, list = table.concat(lines, "\n"), {}
  for _, kind in ipairs(names) do
    local used = {}
    for _, name in ipairs(kind[2]) do
      if text:find(" " .. name .. "%f[^%w_]") then used[#used + 1] = name end
    end
    if #used > 0 then list[#list + 1] = format("  %s %s", kind[1], table.concat(used, ", ")) end
  end
  return list
end

-- Declarations, and the lines of task main and the others. stages: as of published_programs.lua;
-- options: code, element, grid = not a row, stored = descriptors that any PE has in memory.
function code.lines(stages, options)
  local lines, out = writer()
  out "  task main:"
  codes[options.code](stages, options.element, options, out)
  local all = declarations(lines)
  table.move(lines, 1, #lines, #all + 1, all)
  return all
end

return code
