-- A timeline of the E-PE, the first R-PE and the workers during an iteration of conjugate gradients, from marks
-- of runs; a mark takes no time. Events of the workers are those of the worker that is last.
local cg = require "mach.problems.cg"
local command = require "mach.problems.command"

local timeline = {}

local kSide = 48
local kGap = 240  -- cycles; of events of one name nearer than this only the later one is seen

local function events_of(method)
  local options = {width = kSide, height = kSide, nz = 20, fuse = true, method = method, machine = "wse2",
                   setup = false}
  local function cycles(most)
    options.most = most
    return cg.run(options).cycles
  end
  local first, last = cycles(1), cycles(2)
  local p = cg.program(command.options(cg, options), 0)
  return p:events(first, last, kGap), first, last
end

-- The first time in any list of marks with that beginning of a name at or after `from`.
local function next_of(events, prefix, from)
  local found
  for name, list in pairs(events) do
    for _, cycle in ipairs(name:sub(1, #prefix) == prefix and list or {}) do
      if cycle >= from and (not found or cycle < found) then found = cycle end
    end
  end
  return found
end

-- Intervals in which the workers wait: in the receipt of a sum, and after one that goes to the E-PE until
-- the first call of the section that is named when it is there.
local function waits_of(events)
  local waits = {}
  for k, begins in ipairs(events.begins_receive or {}) do
    waits[#waits + 1] = {begins, events.ends_receive[k]}
  end
  for _, heard in ipairs(events.heard or {}) do
    local before
    for name, list in pairs(events) do
      for _, cycle in ipairs(name:match("^ends_") and list or {}) do
        if cycle < heard and (not before or cycle > before) then before = cycle end
      end
    end
    local after = next_of(events, "begins_", heard)
    local busy = next_of(events, "ends_", heard)
    if before and after and after < (busy or math.huge) then waits[#waits + 1] = {before, after} end
  end
  table.sort(waits, function(a, b) return a[1] < b[1] end)
  return waits
end

-- From the end of the calls that send the workers' words to the E-PE's or the workers' receipt.
local function sums_of(events)
  local sums = {}
  for name, list in pairs(events) do
    if name:match("^ends_sum_to_") then
      local receipt = name:match("workers") and "ends_receive" or "heard"
      for _, cycle in ipairs(list) do
        local there = next_of(events, receipt, cycle)
        if there then sums[#sums + 1] = {cycle, there} end
      end
    end
  end
  table.sort(sums, function(a, b) return a[1] < b[1] end)
  return sums
end

local function beside(intervals, first, last)
  local rest, from = {}, first
  for _, one in ipairs(intervals) do
    if one[1] > from then rest[#rest + 1] = {from, one[1]} end
    from = math.max(from, one[2])
  end
  if from < last then rest[#rest + 1] = {from, last} end
  return rest
end

-- Adds a line for each interval, of which the first is in the legend.
local function bars(lines, name, row, intervals, first)
  for k, one in ipairs(intervals) do
    lines[#lines + 1] = {name = name, x = {one[1] - first, one[2] - first}, y = {row, row}, marks = false,
                         listed = k == 1}
  end
end

local kColours = {["workers work"] = "#009e73", ["workers wait for a sum"] = "#d55e00",
                  ["a sum is on its way, or there and not yet taken"] = "#0072b2",
                  ["response PE sends a section"] = "#cc79a7", ["executive has heard, names"] = "#000000"}

local function panel(method)
  local events, first, last = events_of(method)
  local waits, lines = waits_of(events), {}
  local sent, executive = {}, {}
  for _, cycle in ipairs(events.received or {}) do
    sent[#sent + 1] = {cycle, next_of(events, "started", cycle) or cycle}
  end
  for _, cycle in ipairs(events.heard or {}) do
    executive[#executive + 1] = {cycle, next_of(events, "named", cycle) or cycle}
  end
  bars(lines, "executive has heard, names", 5, executive, first)
  bars(lines, "response PE sends a section", 4, sent, first)
  bars(lines, "a sum is on its way, or there and not yet taken", 3, sums_of(events), first)
  bars(lines, "workers wait for a sum", 2, waits, first)
  bars(lines, "workers work", 1, beside(waits, first, last), first)
  local styles = {}
  for name, colour in pairs(kColours) do styles[name] = {colour = colour, thickness = 8, dash = "solid"} end
  local waiting = 0
  for _, one in ipairs(waits) do waiting = waiting + one[2] - one[1] end
  return {title = string.format("%s: %d cycles, %d of them waiting", method, last - first, waiting),
          lines = lines, styles = styles, y_range = {0.5, 5.5}, x_range = {0, 2500}, legend = "below",
          y_ticks = {{1, "workers work"}, {2, "workers wait"}, {3, "sums"}, {4, "response"}, {5, "executive"}},
          x_label = string.format("cycles of an iteration, %d x %d workers", kSide, kSide), width = 900, height = 330}
end

function timeline.picture() return {panels = {panel "plain", panel "pipelined"}, columns = 1} end

return timeline
