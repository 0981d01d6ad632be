-- The cycles of collectives as parts of a program on a row, each alone as a macro, beside the law of `model` where there
-- is one, and the lower bound; with laws = true the laws alone, as formulas.
--
--   wsevm run scripts/collectives/costs.lua P=16 B=64 --machine=model
local calls = require "collectives.calls"
local model = require "collectives.model"
local wse = require "wse"
local P = wse.argument("P", 16, 2, 64)
local B = wse.argument("B", 64, 1, 4096 // P)
local shows_laws = wse.argument("laws", false)
wse.no_more_arguments()
if shows_laws then
  print(wse.table(require("collectives.model.laws").texts(), {"collective", "pattern", "cycles on model", "holds"}))
  return
end

-- The call in the program, options, and what model.exact and model.lower_bound know.
local exact, bound = model.exact, model.lower_bound
local kCollectives <const> = {
  {"broadcast", "it a", {}, exact.broadcast, bound.broadcast},
  {"reduce", "it a", {pattern = "chain"}, exact.chain},
  {"reduce", "it a", {pattern = "star", length = B}, exact.star},
  {"reduce", "it", {data = "a", length = B}},
  {"allreduce", "it a", {pattern = "chain"}, function(...) return exact.allreduce("chain", ...) end,
   bound.allreduce_row},
  {"allreduce", "it", {data = "a", length = B}, nil, bound.allreduce_row},
  {"barrier", "it", {}},
  {"gather", "it all, a", {length = B}, exact.gather, bound.gather},
  {"scatter", "it a, all", {length = B}, exact.scatter, bound.scatter},
  {"allgather", "it all, a", {length = B}, P >= 4 and B >= 4 and exact.allgather, bound.allgather},
  {"reduce_scatter", "it all", {length = B}, P >= 3 and exact.reduce_scatter, bound.reduce_scatter},
  {"alltoall", "it others, all", {length = B, pattern = "chain"}, exact.alltoall_chain, bound.alltoall},
  {"alltoall", "it others, all", {length = B}, nil, bound.alltoall},
  {"scan", "it b, a", {}, P >= 3 and B <= 5 and exact.scan, bound.scan},
  {"scan", "it b, a", {length = B, exclusive = true}, nil, bound.scan},
}

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
  local kind, call, options, law, least = table.unpack(of, 1, 5)
  local cycles, pattern = run(kind, call, options)
  least = least and least(P, B).cycles
  rows[#rows + 1] = {collective = kind, pattern = pattern, cycles = cycles, law = law and on_model and law(P, B) or "-",
                     bound = least or "-", ratio = least and ("%.2f"):format(cycles / least) or "-"}
end
print(("%d PEs, %d f32 of each, %s"):format(P, B, wse.machine().name))
print(wse.table(rows, {"collective", "pattern", "cycles", "law", "bound", "ratio"}))
