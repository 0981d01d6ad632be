-- The planner's cycles of a tree are those of the machine: programs for whole trees, planned and
-- random, one colour for each message, run on `model` and on `wse2`.
local wse = require "wse"
local model = require "collectives.model"
local planner = require "collectives.planner"

local seed = 12345
local function random(n)  -- 0..n-1
  seed = (seed * 1103515245 + 12345) % (1 << 31)
  return (seed >> 8) % n
end

-- Any tree in pre-order over PEs root..root+n-1.
local function random_tree(root, n, children)
  children[root] = {}
  local first = root + 1
  while first < root + n do
    local size = 1 + random(root + n - first)
    table.insert(children[root], first)
    random_tree(first, size, children)
    first = first + size
  end
  return children
end

-- The colour of the message of each PE: where they share a link, those that come earlier go first.
local function colours_of(children)
  local colour, count = {}, 0
  local function visit(pe)
    for _, child in ipairs(children[pe]) do
      visit(child)
      colour[child], count = count, count + 1
    end
  end
  visit(0)
  return colour
end

local function vector_code(pe, list, colour, add)
  add "  task main:\n    mark begin\n"
  if #list == 0 then return add(("    fmovs fabout(%d), x\n    halt\n"):format(colour[pe])) end
  for k, child in ipairs(list) do
    if k == #list and pe > 0 then
      add(("    fadds fabout(%d), x, fabin(%d)\n    halt\n"):format(colour[pe], colour[child]))
    elseif k == #list then
      add(("    fadds x, x, fabin(%d)\n    mark end\n    halt\n"):format(colour[child]))
    else
      add(("    fadds x, x, fabin(%d) async receiving activate round%d\n  task round%d:\n")
          :format(colour[child], k, k))
    end
  end
end

local function program_of(children, B)
  local P, colour, lines = #children + 1, colours_of(children), {}
  local function add(text) lines[#lines + 1] = text end
  add((".grid %d, 1\n"):format(P))
  for pe = 0, P - 1 do
    add((".program pe%d\n  .f32 x[%d] exported = x + i\n"):format(pe, B))
    if #children[pe] > 1 then add "  .microthread receiving\n" end
    vector_code(pe, children[pe], colour, add)
    add((".place pe%d at (%d, 0)\n"):format(pe, pe))
    for _, child in ipairs(children[pe]) do
      add((".route %d at (%d, 0): ramp -> west\n"):format(colour[child], child))
      add((".route %d at (%d..%d, 0): east -> west\n"):format(colour[child], pe + 1, child - 1))
      add((".route %d at (%d, 0): east -> ramp\n"):format(colour[child], pe))
    end
  end
  return table.concat(lines)
end

local runs = 0

local function expect_cycles(children, B, machine)
  local P = #children + 1
  local record = wse.run{text = program_of(children, B), machine = machine}
  local x = record:array "x"
  for i = 0, B - 1 do assert(x:at(0, 0, i) == P * (P - 1) / 2 + P * i) end
  local cycles = record.marks["end"].last - record.marks.begin.first
  local expected = planner.cycles(children, B, planner.costs{machine = machine})
  assert(cycles == expected, ("P = %d, B = %d on %s: %d cycles, %d expected"):format(
    P, B, machine, cycles, expected))
  local _, messages, hops = planner.measure(children)
  assert(record.fabric.hops == B * hops)
  assert(record.fabric.max_ramp_wavelets == B * messages)
  runs = runs + 1
end

for _, machine in ipairs{"model", "wse2"} do
  for _ = 1, 60 do
    local P, B = 2 + random(23), 1 + random(40)
    expect_cycles(random_tree(0, P, {}), B, machine)
  end
  for _, P in ipairs{2, 5, 16, 24} do
    for _, B in ipairs{1, 7, 32, 200} do
      for _, name in ipairs{"paper", "profile"} do
        local plan = planner.plan(P, B, {planner = name, machine = machine})
        expect_cycles(plan.children, B, machine)
        assert(name == "paper" or plan.cost == planner.cycles(plan.children, B,
                                                              planner.costs{machine = machine}))
      end
    end
  end
end
assert(runs == 2 * (60 + 32))

-- The fixed patterns as trees: the terms of the model, and on `model` its exact laws.
local function check_shape(children, estimate, exact, B)
  local depth, messages, hops = planner.measure(children)
  local terms = estimate.terms
  assert(depth == terms.D and B * messages == terms.C and B * hops == terms.E)
  local cycles = planner.cycles(children, B, planner.costs{machine = "model"})
  assert(not exact or cycles == exact)
end
local shapes, row, exact = planner.shapes, model.row, model.exact
for P = 2, 66 do
  for _, B in ipairs{1, 3, 17, 300} do
    check_shape(shapes.star(P), row.star(P, B), exact.star(P, B), B)
    check_shape(shapes.chain(P), row.chain(P, B), exact.chain(P, B), B)
    local full = P & (P - 1) == 0
    check_shape(shapes.tree(P), row.tree(P, B), full and exact.tree(P, B), B)
    for S = 1, P do
      local whole = S > 1 and P % S == 0 and P >= 2 * S
      check_shape(shapes.two_phase(P, S), row.two_phase(P, B, {group = S}),
                  whole and exact.two_phase(P, B, S), B)
    end
  end
end

-- What the paper's authors measured on the vendor's simulator, less 29 cycles of time stamps: the
-- costs of wse2 give each within 1.1 %.
local measured <const> = {
  {shapes.chain(512), 1, 3128}, {shapes.chain(512), 256, 3383}, {shapes.chain(512), 4096, 7223},
  {shapes.tree(512), 1, 742}, {shapes.tree(512), 64, 1155}, {shapes.tree(512), 512, 4977},
  {shapes.tree(512), 8192, 74097}, {shapes.two_phase(512, 32), 1, 819},
  {shapes.two_phase(512, 32), 256, 1329}, {shapes.two_phase(512, 32), 8192, 17201},
}
for _, row in ipairs(measured) do
  local cycles = planner.cycles(row[1], row[2], planner.costs{machine = "wse2"})
  assert(math.abs(cycles / (row[3] - 29) - 1) < 0.011, cycles)
end
