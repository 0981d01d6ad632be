-- The laws of collectives as parts of a program, as a macro alone, on `model`: cycles from the mark before to the last
-- mark after. `rows` are those of a row of P PEs with B elements of 32 bits each, root at an end; `rectangles` those of W
-- x H PEs, root in a corner. An entry has {collective = method of a layout, or macro = of fabric.wsa, pattern, exclusive, sections = of its call,
-- law =, holds =}, texts of Lua with P or W and H, B, T = T_R, half = B / 2 rounded up, max, min, of(list, k) = entry k (from
-- 0) of a list, pick(condition, a, b) = a where it holds, else b. Tests run each entry; FUNCTIONS.md prints the tables.
local terms = require "collectives.lib.terms"
local ipairs, load, type, max, min = ipairs, load, type, math.max, math.min

local laws = {}

laws.rows = {
  {collective = "broadcast", law = "B + P + 2 * T", holds = "P >= 2"},
  {collective = "reduce", pattern = "chain", law = "B + (2 * T + 2) * (P - 1)", holds = "P >= 2"},
  {collective = "reduce", pattern = "star", law = "B * (P - 1) + 2 * T + 2", holds = "P >= 2"},
  {collective = "allreduce", pattern = "chain", law = "2 * B + (2 * T + 3) * P - 2", holds = "P >= 2"},
  {collective = "allreduce", pattern = "star", law = "B * P + P + 4 * T + 2", holds = "P >= 2"},
  {collective = "barrier", pattern = "chain", law = "(2 * T + 3) * P", holds = "P >= 2"},
  {collective = "barrier", pattern = "star", law = "2 * P + 4 * T + 2", holds = "P >= 2"},
  {collective = "gather", law = "B * (P - 1) + max(2 * T + 2, half)", holds = "P >= 2"},
  {collective = "scatter", law = "B * (P - 1) + max(2 * T + P, half)", holds = "P >= 2"},
  {collective = "allgather", law = "B * (P - 1) + half + 3 * P - 2", holds = "P >= 4 and B >= 4"},
  {collective = "reduce_scatter", law = "B * P + pick(B > 2 * T + 8, B, 2 * T + 4) + 4 * (T + 1) * (P - 1) - 2 * T - 4", holds = "P >= 3"},
  {collective = "alltoall", pattern = "chain", law = "B * P * (P - 1) + half + 4 * (T + 1) * (P - 1)", holds = "P >= 2"},
  -- The more PEs, the more trains ahead of its router a PE can put its words into its queue.
  {collective = "alltoall", pattern = "train", sections = 1,
   law = "P * P + 6 + min(12 - 4 * P, 24 - 5 * P, 48 - 6 * P, 96 - 7 * P)", holds = "P >= 6 and P <= 80 and B == 1"},
  {collective = "scan", law = "B + (2 * T + 2) * (P - 1)", holds = "P >= 3 and B <= 5"},
  -- The issue slots of a PE repeat what they do every 12 words, in an exclusive scan every 5.
  {collective = "scan", law = "B + (2 * T + 2) * (P - 1) + 14 * (B // 12) + of({-1, 1, 3, 3, 4, 7, 8, 8, 10, 12, 12, 13}, B % 12)",
   holds = "P >= 4 and B >= 10 and B <= 12 * P + 16"},
  {collective = "scan", exclusive = true, law = "B + (2 * T + 2) * (P - 1)", holds = "P >= 4 and B <= 5"},
  {collective = "scan", exclusive = true, law = "B + (2 * T + 2) * (P - 1) + 15 * (B // 5) + of({-13, -11, -6, -4, 0}, B % 5)",
   holds = "P >= 8 and P % 2 == 0 and B >= 22 and B <= 10 * P"},
}

laws.rectangles = {
  {collective = "broadcast", law = "B + W + H + 2 * T - 1"},
  {collective = "reduce", pattern = "chain", law = "B + max(B, 2 * T + 2) + (2 * T + 2) * (W + H - 3)"},
  {collective = "reduce", pattern = "snake", law = "B + (2 * T + 2) * (W * H - 1)"},
  {collective = "allreduce", pattern = "chain", law = "2 * B + max(B, 2 * T + 2) + (2 * T + 3) * (W + H - 2) - 1"},
  {collective = "allreduce", pattern = "snake", law = "2 * B + (2 * T + 2) * W * H + W + H - 3"},
  {collective = "barrier", pattern = "chain", law = "(2 * T + 3) * (W + H - 1)"},
}

-- Macros of fabric.wsa along a row of P PEs, `n` = B elements of each, or along a column.
laws.macros = {
  {macro = "row_gather", law = "max(B + (2 * T + 2) * (P - 1), B * (P - 1) + max(2 * T + 2, half))", holds = "P >= 2"},
  {macro = "row_scatter", law = "max((B + 2 * T + 2) * (P - 1), B * (P - 1) + half)", holds = "P >= 2"},
  {macro = "row_allgather", law = "max(B + (2 * T + 2) * (P - 1), B * (P - 1) + max(2 * T + 2, half)) + B * P + P + 2 * T",
   holds = "P >= 2"},
  {macro = "row_reduce_scatter_f32", law = "B * P + pick(B > 2 * T + 8, B, 2 * T + 4) + 4 * (T + 1) * (P - 1) - 2 * T - 4", holds = "P >= 3"},
  {macro = "row_scan_f32", law = "(B + 2 * T + 2) * (P - 1) + half", holds = "P >= 2"},
  {macro = "row_alltoall", law = "B * P * (P - 1) + half + 4 * (T + 1) * (P - 1)", holds = "P >= 2"},
}

local function of(list, k) return list[k + 1] end
local function pick(condition, a, b) return condition and a or b end

-- The value of a text of an entry; `size` is P, or {W =, H =}.
function laws.value(text, size, B)
  local known = {B = B, T = terms.ramp_latency_of_model(), half = (B + 1) // 2, max = max, min = min, of = of,
                 pick = pick}
  if type(size) == "table" then known.W, known.H = size.W, size.H else known.P = size end
  return load("return " .. text, "=law", "t", known)()
end

-- The entries of a list as texts for a table.
function laws.texts(list)
  local texts = {}
  for k, entry in ipairs(list) do
    local options = entry.pattern or entry.exclusive and "exclusive" or ""
    if entry.sections then options = options .. ", " .. entry.sections .. " section" end
    texts[k] = {collective = entry.macro or "w:" .. entry.collective, pattern = options,
                ["cycles on model"] = (entry.law:gsub(" %* ", " "):gsub("half", "B/2"):gsub("%f[%w]T%f[%W]", "T_R")
                                       :gsub("of%((%b{}), ([^)]*)%)", "%1[%2]")),
                holds = entry.holds or "W, H >= 2"}
  end
  return texts
end

return laws
