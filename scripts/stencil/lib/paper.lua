-- kernel=paper: the program of a PE as the paper describes it, for any star.
--
-- A block of b cells: one send of b words in each direction, and on another microthread one
-- receive-multiply of [r + 1, b] words, coefficient by the distance from which they come; the
-- centre is in the words from the west. Then all rows are added up, the neighbours along z are
-- multiplied and added, and the field before is subtracted.
local Code = require "support.code"
local directions = require "stencil.lib.directions"
local paper_accounts = require "stencil.lib.paper_accounts"
local parts = require "stencil.lib.program_parts"
local requests = require "stencil.lib.requests"
local switches = require "stencil.lib.switches"
local format = string.format

local paper = {}

-- Rows begin in one half of the banks, whatever their length is.
local function row_words(request) return request.block + request.block % 2 end
paper.row_words = row_words

local function rows(request) return 4 * (request.radius + 1) end

-- The accumulator. Its place is a parameter of the program: the assembler cannot know that
-- banks=same is meant, and would warn of it.
local function sum(request) return format("mem(sum_at, length=%d)", request.block) end

function paper.parameters(request) return {sum_at = request.plan.places.sum} end

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

local function declare(code, request)
  parts.declare(code, request, weights(request))
  local lead = parts.declare_controls(code, request)
  code:line(".reg now, next, base, step, pending, at, value")
  code:line(".dsr mine, window, target")
  parts.declare_descriptors(code, request)
  parts.declare_microthreads(code)
  return lead
end

-- Sends and receives of a block.
local function communicate(code, request, lead)
  local b, plan = request.block, request.plan
  for _, direction in ipairs(directions.all) do
    local going = direction.going
    if lead then
      code:op("mov32 fabout(%s, control), lead async %s_out activate send_%s", direction.colour,
              going, going)
    else
      code:op("fmovs fabout(%s), mine async %s_out activate turn_%s", direction.colour, going,
              going)
    end
  end
  for k, direction in ipairs(directions.all) do
    local heard = switches.heard(direction, request.radius)
    code:op("fmuls mem(%d, length=[%s, %d], stride=[%d, 1]), fabin(%s), "
            .. "mem(%d, length=[%s, %d], stride=[1, 0]) async %s_in activate heard_%s",
            plan.places.received + 4 * (k - 1) * (request.radius + 1) * row_words(request), heard,
            b, row_words(request), direction.colour, plan.places["weights_" .. direction.going],
            heard, b, direction.going, direction.going)
  end
end

-- Adds up the rows: the first one is copied, the others are added to it in one instruction.
local function add_rows(code, request)
  local b, plan, count = request.block, request.plan, rows(request) - 1
  local sums = format("mem(sum_at, length=[%d, %d], stride=[0, 1])", count, b)
  code:op("fadds %s, mem(%d, length=%d), 0.0", sum(request), plan.places.received, b)
  code:op("fadds %s, %s, mem(%d, length=[%d, %d], stride=[%d, 1])", sums, sums,
          plan.places.received + 4 * row_words(request), count, b, row_words(request))
end

-- The register `at` still has the address of the first cell of the block.
local function along_z(code, request)
  local before = 0
  for _, offset in ipairs(paper_accounts.offsets(request)) do
    code:op("add32 at, at, %d", 4 * (offset - before))
    code:op("setdbase window, at")
    code:op("fmacs %s, %s, window, %s", sum(request), sum(request),
            parts.number(request.weights.z[math.abs(offset)]))
    before = offset
  end
end

local function compute(code, request)
  code:line("compute:")
  add_rows(code, request)
  along_z(code, request)
  code:op("add32 at, next, base")
  code:op("setdbase target, at")
  code:op(request.subtracts and "fsubs target, %s, target" or "fmovs target, %s", sum(request))
  code:op("add32 base, base, %d", 4 * request.block)
  code:op("blt base, %d, new_block", 4 * request.padded)
  parts.next_step(code, request)
end

-- What follows a send: one control word after the other, each from a task, and a task for every end
-- of a send and of a receive. The last of these eight continues to the computation. Tasks that send
-- control words are picked first: else a root would be replaced only after the computation.
local function tasks(code, lead)
  for _, direction in ipairs(directions.all) do
    local going, colour = direction.going, direction.colour
    if lead then
      code:line("task send_%s high:", going)
      code:op("fmovs fabout(%s), mine async %s_out activate turn_%s", colour, going, going)
    end
    code:line("task turn_%s high:", going)
    code:op("mov32 fabout(%s, control), turn[0:1] async %s_out activate end_%s", colour, going,
            going)
    code:line("task end_%s high:", going)
    code:op("mov32 fabout(%s, control), turn[1:2] async %s_out activate sent_%s", colour, going,
            going)
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
  code:head(".program %s(sum_at: i32)", name)
  local lead = declare(code, request)
  code:line("task main:")
  code:op("mov32 now, %d", request.plan.places.even)
  code:op("mov32 next, %d", request.plan.places.odd)
  for _, register in ipairs{"mine", "window", "target"} do
    code:op("setd %s, mem(0, length=%d)", register, request.block)
  end
  parts.load_descriptors(code, request)
  code:op("mov32 step, 0")
  code:op("mark begin")
  code:line("new_step:")
  code:op("mov32 base, 0")
  code:line("new_block:")
  code:op("mov32 pending, 8")  -- sends and receives
  code:op("add32 at, now, base")
  code:op("setdbase mine, at")
  communicate(code, request, lead)
  tasks(code, lead)
  compute(code, request)
  return code:text()
end

return paper
