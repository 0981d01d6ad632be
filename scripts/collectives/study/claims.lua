-- The published numbers of Near-Optimal Wafer-Scale Reduce beside what the runs of its programs say:
-- {claim =, paper =, here =, why =}, from kept rows. Must never run a machine, and choose nothing.
local findings = require "collectives.study.findings"
local model = require "collectives.model"
local planner = require "collectives.planner"
local points = require "collectives.study.points"
local wafer = require "collectives.study.wafer"
local wse = require "wse"
local format, max, min = string.format, math.max, math.min

local claims = {}

local kMachine <const> = "wse2"
local kCode <const> = "paper"
local kWords <const> = points.powers(1, 4096)

local function row_panel(collective, values)
  return {collective = collective, over = "B", values = values or kWords, size = 512}
end

local function size_panel(collective)
  return {collective = collective, over = "P", values = points.powers(4, 512), B = 256}
end

local function grid_panel(collective, values)
  return {collective = collective, over = "B", values = values, size = 512, grid = true}
end

-- The rows of a panel, as they were run and as measured on the wafer.
local function both(panel, rows)
  local found = points.of_panel(panel, rows, kCode)
  return found, wafer.rows(panel, found)
end

local function speedup_text(panel, rows, name)
  local found, on_wafer = both(panel, rows)
  return format("%.2f; without the wafer's line %.2f",
                (findings.speedup(panel, on_wafer, name)), (findings.speedup(panel, found, name)))
end

local function add_speedups(list, data)
  local grid = points.powers(1, 64)
  local kinds = {
    {"11b, Reduce, P = 512: chain / Auto-Gen", "3.16", row_panel "reduce", data.figure11, "auto-gen"},
    {"11c, AllReduce, P = 512: chain / Auto-Gen", "2.47", row_panel "allreduce", data.figure11,
     "auto-gen"},
    {"13a, Reduce, 512 x 512: X-Y Chain / X-Y Auto-Gen", "3.27", grid_panel("reduce", grid),
     data.wafer, "auto-gen"},
    {"13b, AllReduce, 512 x 512: X-Y Chain / X-Y Auto-Gen", "2.54", grid_panel("allreduce", grid),
     data.wafer, "auto-gen"},
    {"13a, 512 x 512: X-Y Chain / X-Y Two-Phase", "3.32", grid_panel("reduce", grid), data.wafer,
     "two-phase", "not reproduced: here X-Y Two-Phase is behind X-Y Auto-Gen, there ahead; unknown"},
    {"13b, 512 x 512: X-Y Chain / X-Y Two-Phase", "2.56", grid_panel("allreduce", grid), data.wafer,
     "two-phase", "as 13a"},
  }
  for _, kind in ipairs(kinds) do
    local claim, paper, panel, rows, name, why = table.unpack(kind)
    list[#list + 1] = {claim = claim, paper = paper, here = speedup_text(panel, rows, name),
                       why = why or "the programs of the authors, and what their clock adds"}
  end
end

-- The star of one word: groups of four words, and what its root does once (published_code.lua).
local kGroup <const> = 4

-- Returns the least and the most cycles that a group of the star would have to take on the wafer so that the
-- star is ahead of the tree, and of Auto-Gen by at most 110; `added` is what the clock adds.
local function group_range(found, added)
  local star, P = found.star[1], 512
  local groups = (P - 1) // kGroup
  local once = star.cycles - groups * star.group
  local least = found["auto-gen"][1].cycles - 110
  local most = found.tree[1].cycles
  local shift = wafer.cycles(P, 1) - added
  return (least + shift - once) / groups, (most + shift - once) / groups
end

-- The best fixed pattern, the star among them, and Auto-Gen, of one word.
local function add_scalar(list, data)
  local panel = row_panel("reduce", {1})
  local found = both(panel, data.figure11)
  local best, name = math.huge, nil
  for _, one in ipairs{"chain", "tree", "two-phase", "star"} do
    local row = found[one] and found[one][1]
    if row and row.cycles < best then best, name = row.cycles, one end
  end
  list[#list + 1] = {
    claim = "11b, one word: Auto-Gen behind the best by at most", paper = "110 cycles",
    here = format("%d cycles, behind the %s", found["auto-gen"][1].cycles - best, name),
    why = "there the best is the star"}
  local profile = wse.machine(kMachine)
  local costs = planner.costs{machine = kMachine, code = kCode}
  found.star[1].group = math.max(kGroup + costs.gap, costs.again)
  local least, most = group_range(found, wafer.cycles(512, 1))
  local late, latest = group_range(found, wafer.once(1))
  list[#list + 1] = {
    claim = "11b, one word: the star", paper = "the best",
    here = format("%d cycles, %d for each group of four", found.star[1].cycles, found.star[1].group),
    why = format("not reproduced: there a group takes %.1f to %.1f cycles, or %.1f to %.1f if the " ..
                 "%.1f per PE are not of the star; an instruction of four words alone takes %d here " ..
                 "(n + 6, measured)", least, most, late, latest, wafer.each_pe,
                 profile.vector_start_cycles + kGroup + profile.vector_drain_cycles)}
end

local function choice_text(worst)
  return format("%d cycles (%s, not %s, B = %s)", worst.cycles, worst.taken or "-",
                worst.better or "-", tostring(worst.value))
end

local function add_choice(list, data)
  local panel = row_panel "reduce"
  local found = both(panel, data.figure11)
  list[#list + 1] = {
    claim = "11b: of two patterns the model's choice costs at most", paper = "114 cycles",
    here = choice_text(findings.worst_choice(panel, found)),
    why = "without the star, which the paper names as the exception"}
  list[#list + 1] = {
    claim = "11b: the same with the star", paper = "not said",
    here = choice_text(findings.worst_choice(panel, found, true)),
    why = "the star pays for each message, as the paper says of longer vectors"}
end

-- Least and largest mean error of the patterns, in percent.
local function error_range(panel, found, names)
  local least, most = math.huge, 0
  for _, name in ipairs(names) do
    if found[name] then
      local mean = 100 * findings.error(panel, found, name).mean
      least, most = min(least, mean), max(most, mean)
    end
  end
  return least, most
end

local kFixed <const> = {"chain", "tree", "two-phase", "auto-gen"}

local function add_errors(list, data)
  local kinds = {
    {"11b: mean error of the model", "12 to 35 %", row_panel "reduce", data.figure11},
    {"11c: mean error of the model", "at most 15 % (largest)", row_panel "allreduce", data.figure11},
    {"12b: mean error of the model", "13 to 28 %", size_panel "reduce", data.figure12},
    {"12c: mean error of the model", "as 12b", size_panel "allreduce", data.figure12},
  }
  for _, kind in ipairs(kinds) do
    local claim, paper, panel, rows = table.unpack(kind)
    local found, on_wafer = both(panel, rows)
    local low, high = error_range(panel, on_wafer, kFixed)
    local least, most = error_range(panel, found, kFixed)
    list[#list + 1] = {claim = claim, paper = paper,
                       here = format("%.0f to %.0f %%; without the wafer's line %.0f to %.0f %%",
                                     low, high, least, most),
                       why = "without the star; most of it is what the wafer adds"}
  end
  local panel = size_panel "reduce"
  local _, on_wafer = both(panel, data.figure12)
  local least = math.huge
  for _, row in pairs(on_wafer.star) do
    least = min(least, 100 * math.abs(row.model - row.cycles) / row.cycles)
  end
  list[#list + 1] = {claim = "12b: least error of the star", paper = "10 %",
                     here = format("%.0f %%", least), why = "each message pays its gap"}
end

local function add_broadcasts(list, data)
  local kinds = {{"11a: error of the broadcast", "at most 21 %", row_panel "broadcast", data.figure11},
                 {"12a: error of the broadcast", "8 to 21 %", size_panel "broadcast", data.figure12}}
  for _, kind in ipairs(kinds) do
    local claim, paper, panel, rows = table.unpack(kind)
    local found = both(panel, rows)
    local own = findings.error(panel, found, "broadcast")
    list[#list + 1] = {claim = claim, paper = paper,
                       here = format("at most %.0f %%", 100 * own.largest),
                       why = "timed by ping-pong, as there, without start skew; what adds to it there is unknown"}
  end
end

-- The largest ratio of a pattern to the lower bound over all sizes, by the model.
local function worst_ratio(pattern)
  local most = 0
  for _, P in ipairs(points.powers(4, 512)) do
    for _, B in ipairs(points.powers(1, 8192)) do
      most = max(most, model.reduce(pattern, P, B).cycles / model.lower_bound.row(P, B).cycles)
    end
  end
  return most
end

local function add_bounds(list)
  for _, kind in ipairs{{"auto-gen", "1.4"}, {"two-phase", "2.4"}, {"chain", "5.9"}} do
    list[#list + 1] = {claim = "1: " .. kind[1] .. " / lower bound at most", paper = kind[2],
                       here = format("%.2f", worst_ratio(kind[1])), why = "the model alone"}
  end
end

local function add_ring(list, data)
  local panel = row_panel "allreduce"
  local found = both(panel, data.figure11)
  local ring = findings.ring(panel, found, true)
  list[#list + 1] = {claim = "11c: the ring is never the best", paper = "never",
                     here = #ring.wins == 0 and "never" or "at B = " .. table.concat(ring.wins, " "),
                     why = format("by the model; at its best %.2f of the best", ring.nearest)}
end

local function add_snake(list, data)
  local panel = grid_panel("reduce", points.powers(1, 64))
  local found, on_wafer = both(panel, data.wafer)
  local own = findings.error(panel, on_wafer, "snake")
  local plain = findings.error(panel, found, "snake")
  list[#list + 1] = {claim = "13a: error of the snake", paper = "at most 10 %",
                     here = format("%.2f %%; without the wafer's line %.2f %%", 100 * own.largest,
                                   100 * plain.largest),
                     why = "without no-ops and repeated runs the model is right"}
end

-- data: rows of wse.read_csv by figure: figure11, figure12, wafer (13 on 512 x 512 PEs).
function claims.list(data)
  local list = {}
  add_speedups(list, data)
  add_scalar(list, data)
  add_choice(list, data)
  add_errors(list, data)
  add_broadcasts(list, data)
  add_snake(list, data)
  add_ring(list, data)
  add_bounds(list)
  return list
end

return claims
