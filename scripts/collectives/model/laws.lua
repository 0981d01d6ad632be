-- The laws of collectives as parts of a program on a row of P PEs with B elements of 32 bits each, root at an end, as a
-- macro alone, on `model`: cycles from the mark before to the last mark after. A row has {collective = method of a
-- layout, options = of its call, law =, holds =}, texts of Lua with P, B, T = T_R, half = B / 2 rounded up, max. Tests
-- run each row; FUNCTIONS.md prints the table.
local terms = require "collectives.lib.terms"
local ipairs, load, max = ipairs, load, math.max

local laws = {}

laws.rows = {
  {collective = "broadcast", law = "B + P + 2 * T", holds = "P >= 2"},
  {collective = "reduce", pattern = "chain", law = "B + (2 * T + 2) * (P - 1)", holds = "P >= 2"},
  {collective = "reduce", pattern = "star", law = "B * (P - 1) + 2 * T + 2", holds = "P >= 2"},
  {collective = "allreduce", pattern = "chain", law = "2 * B + (2 * T + 3) * P - 2", holds = "P >= 2"},
  {collective = "barrier", pattern = "chain", law = "(2 * T + 3) * P", holds = "P >= 2"},
  {collective = "gather", law = "B * (P - 1) + max(2 * T + 2, half)", holds = "P >= 2"},
  {collective = "scatter", law = "B * (P - 1) + max(2 * T + P, half)", holds = "P >= 2"},
  {collective = "allgather", law = "B * (P - 1) + half + 3 * P - 2", holds = "P >= 4 and B >= 4"},
  {collective = "reduce_scatter", law = "B * P + max(B, 2 * T + 4) + 4 * (T + 1) * (P - 1) - 2 * T - 4", holds = "P >= 3"},
  {collective = "alltoall", pattern = "chain", law = "B * P * (P - 1) + half + 4 * (T + 1) * (P - 1)", holds = "P >= 2"},
  {collective = "scan", law = "B + (2 * T + 2) * (P - 1)", holds = "P >= 3 and B <= 5"},
}

-- The value of a text of a row.
function laws.value(text, P, B)
  local known = {P = P, B = B, T = terms.ramp_latency_of_model(), half = (B + 1) // 2, max = max}
  return load("return " .. text, "=law", "t", known)()
end

-- The rows as texts for a table.
function laws.texts()
  local list = {}
  for k, row in ipairs(laws.rows) do
    list[k] = {collective = "w:" .. row.collective, pattern = row.pattern or "",
               ["cycles on model"] = (row.law:gsub(" %* ", " "):gsub("half", "B/2"):gsub("%f[%w]T%f[%W]", "T_R")),
               holds = row.holds}
  end
  return list
end

return laws
