-- Prints what findings.lua finds in the panels of a figure, beside what the paper says:
-- panel.published = {on = size, speedup = over the chain, error = text, choice = cycles}.
-- "profile" is Auto-Gen with planner=profile, by the costs of the machine.
local findings = require "collectives.study.findings"
local points = require "collectives.study.points"
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

local function best_table(panel, found, options)
  local rows = {}
  for k, one in ipairs(findings.best(panel, found, options.machine)) do
    local by_paper, by_profile = one.own["auto-gen"], one.own["auto-gen-profile"]
    rows[k] = {
      [panel.over] = one.value, ["best fixed"] = one.fixed, cycles = one.cycles,
      ["by the model"] = one.by_model, ["auto-gen"] = by_paper, profile = by_profile,
      ["chain / auto-gen"] = factor(one.chain / by_paper),
      ["chain / profile"] = factor(one.chain / by_profile)}
  end
  return wse.table(rows, {panel.over, "best fixed", "cycles", "by the model", "auto-gen",
                          "profile", "chain / auto-gen", "chain / profile"})
end

local function error_line(panel, found)
  local parts = {}
  for _, name in ipairs(points.names(panel)) do
    if found[name] then
      local own = findings.error(panel, found, name)
      parts[#parts + 1] = format("%s %s (%s)", name, percent(own.mean), percent(own.largest))
    end
  end
  return "  model off by, mean (largest)" .. published(panel, "error") .. "\n    " ..
         table.concat(parts, ", ")
end

local function list_text(values)
  return #values == 0 and "nowhere" or table.concat(values, " ")
end

local function speedup_line(panel, found, code, compared)
  local paper, paper_at = findings.speedup(panel, found, "auto-gen")
  local costs, costs_at = findings.speedup(panel, found, "auto-gen-profile")
  return format("  chain / auto-gen at most %.2f (%s = %d), chain / profile %.2f (%s = %d), " ..
                "code=%s%s", paper, panel.over, paper_at, costs, panel.over, costs_at, code,
                compared and published(panel, "speedup") or "")
end

local function against_fixed_lines(panel, found)
  local lines = {}
  for _, name in ipairs{"auto-gen", "auto-gen-profile"} do
    local own = findings.against_fixed(panel, found, name)
    local behind = own.most > 0 and format("behind by at most %s (%s = %d)", percent(own.most),
                                           panel.over, own.at) or "never behind"
    lines[#lines + 1] = format("  %s: ahead of all fixed patterns at %s = %s; %s", name, panel.over,
                               list_text(own.ahead), behind)
  end
  return table.concat(lines, "\n")
end

local function choice_line(panel, found)
  local worst = findings.worst_choice(panel, found)
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
    print(error_line(panel, found))
    return
  end
  print(best_table(panel, found, options))
  print(speedup_line(panel, found, options.code, true))
  if options.other_code and panel.collective == "reduce" and panel.over == "B" then
    local other = points.of_panel(panel, rows, options.other_code)
    print(speedup_line(panel, other, options.other_code))
  end
  print(against_fixed_lines(panel, found))
  print(error_line(panel, found))
  print(choice_line(panel, found))
  if found.ring then
    print(ring_line(panel, found, false))
    print(ring_line(panel, found, true))
  end
end

return report
