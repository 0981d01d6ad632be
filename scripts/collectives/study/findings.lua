-- The findings in the rows of a panel: the best pattern of each size, speed-ups, how far the model is off.
-- All functions take `found` as of points.of_panel. Must never print.
local points = require "collectives.study.points"
local series = require "collectives.study.series"

local findings = {}

-- The fixed patterns of a panel.
local function fixed_of(panel)
  local names = {table.unpack(series.fixed)}
  if panel.grid then names[#names + 1] = "snake" end
  return names
end

local function cycles_at(found, name, k)
  local row = found[name] and found[name][k]
  return row and row.cycles
end

-- The name with the least cycles(name), and these; the first of equals.
local function least(names, cycles)
  local best, fewest
  for _, name in ipairs(names) do
    local own = cycles(name)
    if own and (not fewest or own < fewest) then best, fewest = name, own end
  end
  return best, fewest
end

-- For each size: {value =, fixed = best fixed pattern, cycles =, by_model = what the model takes,
-- own = {["auto-gen"] = cycles, ["auto-gen-profile"] = cycles}, chain = cycles}.
function findings.best(panel, found, machine)
  local list, fixed, sizes = {}, fixed_of(panel), points.sizes(panel)
  for k, value in ipairs(panel.values) do
    local row = {value = value, chain = cycles_at(found, "chain", k), own = {}}
    row.fixed, row.cycles = least(fixed, function(name) return cycles_at(found, name, k) end)
    row.by_model = least(fixed, function(name)
      return series.model(name, panel.collective, sizes[k], machine)
    end)
    for _, name in ipairs{"auto-gen", "auto-gen-profile"} do
      row.own[name] = cycles_at(found, name, k)
    end
    list[k] = row
  end
  return list
end

-- The largest speed-up over the chain: the factor and the value where it is.
function findings.speedup(panel, found, name)
  local most, at = 0, nil
  for k, value in ipairs(panel.values) do
    local chain, own = cycles_at(found, "chain", k), cycles_at(found, name, k)
    if chain and own and chain / own > most then most, at = chain / own, value end
  end
  return most, at
end

-- {name =, mean =, largest =, at = value of the largest} of |model - simulated| / simulated.
function findings.error(panel, found, name)
  local sum, count, largest, at = 0, 0, -1, nil
  for k, value in ipairs(panel.values) do
    local row = found[name] and found[name][k]
    if row then
      local own = math.abs(row.model - row.cycles) / row.cycles
      sum, count = sum + own, count + 1
      if own > largest then largest, at = own, value end
    end
  end
  return {name = name, mean = sum / count, largest = largest, at = at}
end

-- Returns the most cycles that it costs where the model puts the slower one of two fixed patterns first,
-- {cycles =, value =, taken =, better =}, 0 if it never does. Without the star unless asked
-- for: the paper names it as the exception, what each of its messages costs is not in the model.
-- Returns nothing if fewer than two were run.
function findings.worst_choice(panel, found, with_star)
  local worst, names = {cycles = 0}, {}
  for _, name in ipairs(fixed_of(panel)) do
    if found[name] and (with_star or name ~= "star") then names[#names + 1] = name end
  end
  if #names < 2 then return nil end
  local function compare(k, value, a, b)
    if a and b and a.model < b.model and a.cycles - b.cycles > worst.cycles then
      worst = {cycles = a.cycles - b.cycles, value = value, taken = a.pattern, better = b.pattern}
    end
  end
  for k, value in ipairs(panel.values) do
    for _, one in ipairs(names) do
      for _, other in ipairs(names) do
        compare(k, value, found[one][k], found[other][k])
      end
    end
  end
  return worst
end

-- Where a pattern of Auto-Gen loses to a fixed one: the largest share that it is above the best
-- fixed pattern, and where; and the values at which it is ahead of all of them. Returns nothing
-- if no fixed pattern was run.
function findings.against_fixed(panel, found, name)
  local most, at, ahead = 0, nil, {}
  for k, value in ipairs(panel.values) do
    local own = cycles_at(found, name, k)
    local _, fixed = least(fixed_of(panel), function(one) return cycles_at(found, one, k) end)
    if not fixed then return nil end
    if own < fixed then ahead[#ahead + 1] = value end
    if own / fixed - 1 > most then most, at = own / fixed - 1, value end
  end
  return {most = most, at = at, ahead = ahead}
end

-- The sizes at which the ring, simulated or by the model's curve, is below every other pattern, and
-- the least factor that it is above the best one. `by_model`: the model's for all.
function findings.ring(panel, found, by_model)
  local wins, nearest, at = {}, math.huge, nil
  for k, value in ipairs(panel.values) do
    local function cycles(name)
      local row = found[name] and found[name][k]
      return row and (by_model and row.model or row.cycles)
    end
    local _, best = least(series.reduces, cycles)
    local ring = cycles("ring")
    if ring < best then wins[#wins + 1] = value end
    if ring / best < nearest then nearest, at = ring / best, value end
  end
  return {wins = wins, nearest = nearest, at = at}
end

return findings
