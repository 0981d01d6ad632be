-- Prints what findings.lua finds in the panels of a figure, beside what the paper says:
-- panel.published = {on = size, speedup = over the chain, error = text, choice = cycles}.
-- "As measured on the wafer" are the same runs and what wafer.lua adds. "profile" is Auto-Gen with planner=profile, by the costs of the machine.
local findings = require "collectives.study.findings"
local points = require "collectives.study.points"
local wafer = require "collectives.study.wafer"
local wse = require "wse"
local format = string.format

local report = {}

-- "; published for 512 PEs: 3.16", or nothing.
local function published(panel, what)
  local value = panel.published and panel.published[what]
  return value and format("; published for %s: %s", panel.published.on, value) or ""
end

local function factor(value) return format("%.2f", value) end
local function percent(value) return format("%.0f %%", 100 * value) end

-- The patterns that are planned, and how the tables call them.
local generated = {{name = "auto-gen", as = "auto-gen"}, {name = "auto-gen-profile", as = "profile"}}

-- Returns those of them that were run.
local function generated_in(found)
  local list = {}
  for _, one in ipairs(generated) do
    if found[one.name] then list[#list + 1] = one end
  end
  return list
end

local function best_table(panel, found, options)
  local rows, columns, own = {}, {panel.over, "best fixed", "cycles", "by the model"},
                             generated_in(found)
  for _, one in ipairs(own) do columns[#columns + 1] = one.as end
  for _, one in ipairs(found.chain and own or {}) do columns[#columns + 1] = "chain / " .. one.as end
  for k, best in ipairs(findings.best(panel, found, options.machine)) do
    rows[k] = {[panel.over] = best.value, ["best fixed"] = best.fixed, cycles = best.cycles,
               ["by the model"] = best.by_model}
    for _, one in ipairs(own) do
      local cycles = best.own[one.name]
      rows[k][one.as] = cycles
      if best.chain and cycles then rows[k]["chain / " .. one.as] = factor(best.chain / cycles) end
    end
  end
  return wse.table(rows, columns)
end

-- `where`: of which cycles the errors are.
local function error_line(panel, found, where)
  local parts = {}
  for _, name in ipairs(points.names(panel)) do
    if found[name] then
      local own = findings.error(panel, found, name)
      parts[#parts + 1] = format("%s %s (%s)", name, percent(own.mean), percent(own.largest))
    end
  end
  return "  model off by, mean (largest), " .. where .. published(panel, "error") .. "\n    " ..
         table.concat(parts, ", ")
end

local function list_text(values)
  return #values == 0 and "nowhere" or table.concat(values, " ")
end

-- Prints nothing without the chain, or without what is planned.
local function print_speedup(panel, found, what, compared)
  if not found.chain or #generated_in(found) == 0 then return end
  local parts = {}
  for k, one in ipairs(generated_in(found)) do
    local most, at = findings.speedup(panel, found, one.name)
    parts[#parts + 1] = format("chain / %s %s%.2f (%s = %d)", one.as, k == 1 and "at most " or "",
                               most, panel.over, at)
  end
  print("  " .. table.concat(parts, ", ") .. ", " .. what ..
        (compared and published(panel, "speedup") or ""))
end

-- Prints nothing where no fixed pattern was run.
local function print_against_fixed(panel, found)
  for _, one in ipairs(generated_in(found)) do
    local own = findings.against_fixed(panel, found, one.name)
    if not own then return end
    local behind = own.most > 0 and format("behind by at most %s (%s = %d)", percent(own.most),
                                           panel.over, own.at) or "never behind"
    print(format("  %s: ahead of all fixed patterns at %s = %s; %s", one.name, panel.over,
                 list_text(own.ahead), behind))
  end
end

-- Returns nothing where there was nothing to choose from.
local function choice_line(panel, found)
  local worst = findings.worst_choice(panel, found)
  if not worst then return nil end
  if worst.cycles == 0 then
    return "  of two fixed patterns but the star the model prefers the faster"
  end
  return format("  of two fixed patterns but the star the model's choice costs at most %d " ..
                "cycles (%s, not %s, %s = %d)%s", worst.cycles, worst.taken, worst.better, panel.over,
                worst.value, published(panel, "choice"))
end

local function ring_line(panel, found, by_model)
  local ring = findings.ring(panel, found, by_model)
  return format("  ring, %s: fastest at %s = %s; at its best %.2f of the fastest other (%s = %d)",
                by_model and "by the model" or "simulated", panel.over, list_text(ring.wins),
                ring.nearest, panel.over, ring.at)
end

-- `rows` of points.rows; options: machine, code, other_code.
function report.panel(panel, rows, options)
  local found = points.of_panel(panel, rows, options.code)
  print(format("%s  %s, %s, code=%s", panel.name, panel.title, options.label, options.code))
  if panel.collective == "broadcast" then
    print(error_line(panel, found, options.code == "paper" and "timed by ping-pong" or "a flood"))
    return
  end
  local on_wafer = wafer.rows(panel, found)
  print(best_table(panel, found, options))
  print_speedup(panel, found, "code=" .. options.code)
  print_speedup(panel, on_wafer, "as measured on the wafer", true)
  if options.other_code and panel.collective == "reduce" and panel.over == "B" then
    local other = points.of_panel(panel, rows, options.other_code)
    print_speedup(panel, other, "code=" .. options.other_code)
  end
  print_against_fixed(panel, found)
  print(error_line(panel, found, "code=" .. options.code))
  print(error_line(panel, on_wafer, "as measured on the wafer"))
  local choice = choice_line(panel, found)
  if choice then print(choice) end
  if found.ring then
    print(ring_line(panel, found, false))
    print(ring_line(panel, found, true))
  end
end

return report
