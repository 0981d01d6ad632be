-- kernel=paper: the program of a PE as the paper describes it, for any star.
--
-- A block of b cells: one send of b words in each direction, and on another microthread one
-- receive-multiply of [r + 1, b] words, coefficient by the distance from which they come; the
-- centre is in the words from the west. Then all rows are added up, the neighbours along z are
-- multiplied and added, and the field before is subtracted.
--
-- Descriptors of memory are structures in memory, built before `begin` and fetched (`ldd`) for every
-- operand, also for both sides of a sum; those of blocks are moved on after the fetch. Descriptors of the
-- fabric never change, so they are literals, as are those with which parts.lua clears padding and adds the
-- source: the paper has neither.
local Code = require "support.code"
local directions = require "stencil.lib.directions"
local held = require "support.held"
local paper_accounts = require "stencil.lib.paper_accounts"
local parts = require "stencil.lib.program_parts"
local requests = require "stencil.lib.requests"
local switches = require "stencil.lib.switches"
local format = string.format

-- The code takes more bytes than that of other kernels, with up to 16 descriptors of 56 bytes and their fetches.
local paper = {code_bytes = 2688}

-- Rows begin in one half of the banks, whatever their length is.
local function row_words(request) return request.block + request.block % 2 end
paper.row_words = row_words

local function rows(request) return 4 * (request.radius + 1) end

function paper.parameters() return {} end

-- Lays out the memory of a PE. banks=other: the sum and the rows lie in different halves.
function paper.plan(plan, request)
  parts.plan_fields(plan, request)
  plan:add("received", rows(request) * row_words(request), 0,
           "a row for each PE that is heard in each direction")
  plan:add("sum", request.block, request.banks == "same" and 0 or 1,
           "accumulator, banks=" .. request.banks)
  for _, direction in ipairs(directions.all) do
    plan:add("weights_" .. direction.going, request.radius + 1, nil, "coefficients by step")
  end
end

-- Initial values of the coefficients: 0 for the words from the PE itself, but from the west.
local function weights(request)
  local values = {}
  for _, direction in ipairs(directions.all) do
    local list = {[0] = direction.going == "east" and request.weights.centre or 0.0}
    for m, value in ipairs(request.weights[direction.axis]) do list[m] = value end
    values["weights_" .. direction.going] =
      parts.choose("(" .. switches.distance(direction, request.radius) .. ")", list)
  end
  return values
end

-- The descriptors that are structures in memory, {name, operand}: of a block of a field, whose base is set
-- where it is used; of control words; of the rows and coefficients of each direction; of the sum.
local function structures(request, lead)
  local b, plan, S = request.block, request.plan, request.radius + 1
  local row, received, sum = row_words(request), plan.places.received, plan.places.sum
  local list = {}
  local function add(name, text, ...) list[#list + 1] = {name = name, operand = format(text, ...)} end
  add("cells", "mem(0, length=%d)", b)
  if lead then add("lead", "mem(address(lead), length=1)") end
  add("turn", "turn[0:1]")
  add("end", "turn[1:2]")
  for k, direction in ipairs(directions.all) do
    local heard, going = switches.heard(direction, request.radius), direction.going
    add("rows_" .. going, "mem(%d, length=[%s, %d], stride=[%d, 1])",
        received + 4 * (k - 1) * S * row, heard, b, row)
    add("weights_" .. going, "mem(%d, length=[%s, %d], stride=[1, 0])",
        plan.places["weights_" .. going], heard, b)
  end
  add("first", "mem(%d, length=%d)", received, b)
  add("others", "mem(%d, length=[%d, %d], stride=[%d, 1])", received + 4 * row, 4 * S - 1, b, row)
  add("sum", "mem(%d, length=%d)", sum, b)
  add("sums", "mem(%d, length=[%d, %d], stride=[0, 1])", sum, 4 * S - 1, b)
  return list
end

local function fetch(code, register, name) code:op(held.fetch(register, name)) end

-- Fetches a block of a field, which begins at the address in the register `at`.
local function fetch_cells(code, register)
  fetch(code, register, "cells")
  code:op("setdbase %s, at", register)
end

-- Fetches both sides of an addition to the sum: into, from.
local function fetch_sum(code, name)
  fetch(code, "into", name)
  fetch(code, "from", name)
end

-- Returns whether a control word goes ahead of the words.
local function declare(code, request)
  parts.declare(code, request, weights(request))
  local lead = parts.declare_controls(code, request)
  for _, structure in ipairs(structures(request, lead)) do
    code:line(held.declaration(structure.name))
  end
  code:line(".reg now, next, base, step, pending, at, value")
  code:line(".dsr into, from, other")
  parts.declare_descriptors(code, request)
  parts.declare_microthreads(code)
  return lead
end

-- Builds the structures, one after the other in the same register.
local function store_structures(code, request, lead)
  for _, structure in ipairs(structures(request, lead)) do
    code:op("setd other, %s", structure.operand)
    code:op(held.store("other", structure.name))
  end
end

-- Starts the send of a control word in a direction, and the task after it.
local function send_control(code, direction, name, task)
  fetch(code, "from", name)
  code:op("mov32 fabout(%s, control), from async %s_out activate %s_%s", direction.colour,
          direction.going, task, direction.going)
end

-- Starts the send of the block at the address in the register `at`.
local function send_cells(code, direction)
  fetch_cells(code, "from")
  code:op("fmovs fabout(%s), from async %s_out activate turn_%s", direction.colour,
          direction.going, direction.going)
end

-- Sends and receives of a block.
local function communicate(code, lead)
  for _, direction in ipairs(directions.all) do
    if lead then send_control(code, direction, "lead", "send")
    else send_cells(code, direction) end
  end
  for _, direction in ipairs(directions.all) do
    local going = direction.going
    fetch(code, "into", "rows_" .. going)
    fetch(code, "other", "weights_" .. going)
    code:op("fmuls into, fabin(%s), other async %s_in activate heard_%s", direction.colour, going,
            going)
  end
end

-- Adds up the rows: the first one is copied, the others are added to it in one instruction.
local function add_rows(code)
  fetch(code, "into", "sum")
  fetch(code, "from", "first")
  code:op("fadds into, from, 0.0")
  fetch_sum(code, "sums")
  fetch(code, "other", "others")
  code:op("fadds into, from, other")
end

-- The register `at` still has the address of the first cell of the block.
local function along_z(code, request)
  local before = 0
  for _, offset in ipairs(paper_accounts.offsets(request)) do
    code:op("add32 at, at, %d", 4 * (offset - before))
    fetch_sum(code, "sum")
    fetch_cells(code, "other")
    code:op("fmacs into, from, other, %s", parts.number(request.weights.z[math.abs(offset)]))
    before = offset
  end
end

-- Makes the new cells, in place of the field before.
local function make_cells(code, request)
  code:op("add32 at, next, base")
  fetch_cells(code, "into")
  fetch(code, "from", "sum")
  if request.subtracts then fetch_cells(code, "other") end
  code:op(request.subtracts and "fsubs into, from, other" or "fmovs into, from")
end

local function compute(code, request)
  code:line("compute:")
  add_rows(code)
  along_z(code, request)
  make_cells(code, request)
  code:op("add32 base, base, %d", 4 * request.block)
  code:op("blt base, %d, new_block", 4 * request.padded)
  parts.next_step(code, request)
end

-- Writes what follows a send: one control word after the other, each from a task, and a task for every end
-- of a send and of a receive. The last of these eight continues to the computation. Tasks that send
-- control words are picked first: else a root would be replaced only after the computation.
local function tasks(code, lead)
  for _, direction in ipairs(directions.all) do
    local going = direction.going
    if lead then
      code:line("task send_%s high:", going)
      send_cells(code, direction)
    end
    code:line("task turn_%s high:", going)
    send_control(code, direction, "turn", "end")
    code:line("task end_%s high:", going)
    send_control(code, direction, "end", "sent")
  end
  for _, what in ipairs{"sent", "heard"} do
    for _, direction in ipairs(directions.all) do
      code:line("task %s_%s:", what, direction.going)
      code:op("sub32 pending, pending, 1")
      code:op("beq pending, 0, compute")
    end
  end
  code:op("end")
end

paper.accounts = paper_accounts.rows
paper.block_rule = requests.paper_block
function paper.add_routes(layout, request)
  switches.add_all(layout, directions.all, request, true)
end

-- The text of a program.
function paper.text(request, name)
  local code = Code.new()
  code:head(".program %s", name)
  local lead = declare(code, request)
  code:line("task main:")
  code:op("mov32 now, %d", request.plan.places.even)
  code:op("mov32 next, %d", request.plan.places.odd)
  store_structures(code, request, lead)
  parts.load_descriptors(code, request)
  code:op("mov32 step, 0")
  code:op("mark begin")
  code:line("new_step:")
  code:op("mov32 base, 0")
  code:line("new_block:")
  code:op("mov32 pending, 8")  -- sends and receives
  code:op("add32 at, now, base")
  communicate(code, lead)
  tasks(code, lead)
  compute(code, request)
  return code:text()
end

return paper
