-- Macros of fabric.wsa that move blocks along rows and columns: what they leave, on all machines, and on `model` the
-- cycles of their laws, of which asm/library/README.md shows the table.
local laws = require "collectives.model.laws"
local wse = require "wse"

local kArguments <const> = {
  row_gather = "all, v, N", row_scatter = "v, all, N", row_allgather = "all, v, N, t, s1, s2",
  row_reduce_scatter_f32 = "all, N", row_scan_f32 = "sums, v, N", row_alltoall = "into, all, N, t, u",
}

local function run(macro, P, B, is_column, machine)
  return wse.run{machine = machine, values = {W = is_column and 1 or P, H = is_column and P or 1, N = B}, text = [[
.const W = 1
.const H = 1
.const N = 1
.include "fabric.wsa"
.grid W, H
.program p
  .f32 v[N] = 100 * (x + y) + i
  .f32 sums[N]
  .f32 all[N * W * H] = 1000 * (x + y) + i
  .f32 into[N * W * H]
  .reg t, u
  .microthread s1, s2
  task main:
    mark begin
]] .. "    " .. (is_column and macro:gsub("row_", "column_") or macro) .. " " .. kArguments[macro] .. [[

    mark end
.place p at (0..W - 1, 0..H - 1)
]]}
end

-- Returns what PE p of P holds after a macro: {array, function of the element e of it, how many}, all of which are sums of what
-- PEs q have, v = 100 q + e and all = 1000 q + e; nothing where the macro leaves nothing.
local function wanted(macro, p, P, B)
  local function block(e) return 100 * (e // B) + e % B end
  if macro == "row_gather" then return "all", block, p == 0 and P * B or 0 end
  if macro == "row_allgather" then return "all", block, P * B end
  if macro == "row_scatter" then return "v", function(e) return p * B + e end, B end
  if macro == "row_scan_f32" then return "sums", function(e) return 50 * p * (p + 1) + (p + 1) * e end, B end
  if macro == "row_alltoall" then return "into", function(e) return 1000 * (e // B) + p * B + e % B end, P * B end
  return "all", function(e) return e // B == p and 500 * P * (P - 1) + P * e or 1000 * p + e end, P * B
end

local function check(macro, P, B, is_column, machine)
  local record = run(macro, P, B, is_column, machine)
  for p = 0, P - 1 do
    local name, value, count = wanted(macro, p, P, B)
    local found = record:symbol(is_column and 0 or p, is_column and p or 0, name)
    if type(found) ~= "table" then found = {found} end
    for e = 0, count - 1 do
      local is_kept = macro == "row_reduce_scatter_f32" and e // B ~= p
      assert(found[e + 1] == value(e), ("%s, P = %d, B = %d: PE %d has %s[%d] = %s%s"):format(macro, P, B, p, name, e,
             found[e + 1], is_kept and ", not its own block" or ""))
    end
  end
  return record.marks["end"].last - record.marks.begin.first
end

for _, entry in ipairs(laws.macros) do
  for _, P in ipairs{1, 2, 3, 4, 9, 16} do
    for _, B in ipairs{1, 4, 9, 13, 33} do
      for _, is_column in ipairs{false, true} do
        local cycles = check(entry.macro, P, B, is_column, "model")
        local law = laws.value(entry.holds, P, B) and laws.value(entry.law, P, B)
        assert(not law or cycles == law, ("%s, P = %d, B = %d: %d cycles, not %s"):format(entry.macro, P, B, cycles, law))
      end
    end
  end
  for _, machine in ipairs{"wse2", "wse3"} do check(entry.macro, 7, 5, machine == "wse3", machine) end
end
