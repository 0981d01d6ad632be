-- The cycles of collectives as parts of a program on a row, each alone as a macro, beside the law of `model` where there
-- is one (model/laws.lua), and the lower bound; with laws = true the laws alone, as formulas.
--
--   wsevm run scripts/collectives/costs.lua P=16 B=64 --machine=model
local calls = require "collectives.calls"
local laws = require "collectives.model.laws"
local model = require "collectives.model"
local wse = require "wse"
local P = wse.argument("P", 16, 2, 64)
local B = wse.argument("B", 64, 1, 4096 // P)
local shows_laws = wse.argument("laws", false)
wse.no_more_arguments()
if shows_laws then
  local columns = {"collective", "pattern", "cycles on model", "holds"}
  print(wse.table(laws.texts(laws.rows), columns) .. "\n\n" .. wse.table(laws.texts(laws.rectangles), columns) .. "\n\n"
        .. wse.table(laws.texts(laws.macros), {{name = "collective", title = "macro"}, "cycles on model", "holds"}))
  return
end

-- The call in the program, options, and the lower bound.
local bound = model.lower_bound
local kCollectives <const> = {
  {"broadcast", "it a", {}, bound.broadcast},
  {"reduce", "it a", {pattern = "chain"}},
  {"reduce", "it a", {pattern = "star", length = B}},
  {"reduce", "it", {data = "a", length = B}},
  {"allreduce", "it a", {pattern = "chain"}, bound.allreduce_row},
  {"allreduce", "it", {data = "a", length = B}, bound.allreduce_row},
  {"barrier", "it", {}},
  {"gather", "it all, a", {length = B}, bound.gather},
  {"scatter", "it a, all", {length = B}, bound.scatter},
  {"allgather", "it all, a", {length = B}, bound.allgather},
  {"reduce_scatter", "it all", {length = B}, bound.reduce_scatter},
  {"alltoall", "it others, all", {length = B, pattern = "chain"}, bound.alltoall},
  {"alltoall", "it others, all", {length = B}, bound.alltoall},
  {"scan", "it b, a", {}, bound.scan},
  {"scan", "it b, a", {length = B, exclusive = true}, bound.scan},
}

-- The law of a collective by a pattern, where there is one.
local function law_of(kind, pattern, options)
  for _, entry in ipairs(laws.rows) do
    local is_pattern = entry.pattern == nil or entry.pattern == pattern
    if entry.collective == kind and is_pattern and entry.exclusive == options.exclusive
       and entry.sections == options.sections and laws.value(entry.holds, P, kind == "barrier" and 1 or B) then
      return laws.value(entry.law, P, B)
    end
  end
end

local function run(kind, call, options)
  local w = wse.layout(P, 1):use(calls)
  options.name = "it"
  local made = w[kind](w, options)
  w:const("B", B)
  w:const("P", P)
  local own = ("  .f32 a[B] = x\n  .f32 b[B]\n") .. (call:find("all") and "  .f32 all[P * B] = i\n" or "")
              .. (call:find("others") and "  .f32 others[P * B]\n" or "")
  w:program(".program p\n" .. own .. "  task main:\n    mark begin\n    " .. call .. "\n    mark end\n")
  w:place("p", w:all())
  local marks = w:run().marks
  return marks["end"].last - marks.begin.first, made.pattern
end

local rows, on_model = {}, wse.machine().name == "model"
for _, of in ipairs(kCollectives) do
  local kind, call, options, least = table.unpack(of, 1, 4)
  local cycles, pattern = run(kind, call, options)
  least = least and least(P, B).cycles
  rows[#rows + 1] = {collective = kind, pattern = pattern, cycles = cycles, law = on_model and law_of(kind, pattern, options) or "-",
                     bound = least or "-", ratio = least and ("%.2f"):format(cycles / least) or "-"}
end
print(("%d PEs, %d f32 of each, %s"):format(P, B, wse.machine().name))
print(wse.table(rows, {"collective", "pattern", "cycles", "law", "bound", "ratio"}))
