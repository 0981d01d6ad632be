-- The steps of the executive: checked, and played in Lua.
local host = require "wse.host"
local format, ipairs = string.format, ipairs

local steps = {}

local function immediates_of(section)
  local count = 0
  for _, call in ipairs(section.calls) do
    if type(call.value) == "table" then count = count + 1 end
  end
  return count
end

function steps.check(program, list)
  for _, step in ipairs(list) do
    if step[1] == "loop" then
      steps.check(program, step[3])
    elseif step[1] == "section" then
      local section = program.sections[step[2]]
      if not section then
        host.raise(format("there is no section %s; there are %d", tostring(step[2]),
                          #program.sections))
      end
      local wanted, given = immediates_of(section), #(step[3] or {})
      if wanted ~= given then
        host.raise(format("section %d wants %d values of the executive, %d are given", step[2],
                          wanted, given))
      end
    end
  end
end

local function global(run, name)
  if type(name) == "number" then return name end
  return run.globals[name]
end

local function section(run, step)
  local next_value = 1
  for _, call in ipairs(run.program.sections[step[2]].calls) do
    if type(call.value) == "table" then
      local filled = {}
      for name, value in pairs(call) do filled[name] = value end
      filled.value = global(run, step[3][next_value])
      next_value = next_value + 1
      call = filled
    end
    call.kernel.apply(run, call)
    run.calls = (run.calls or 0) + 1
  end
end

local function play(run, list)
  for _, step in ipairs(list) do
    if step[1] == "section" then
      section(run, step)
    elseif step[1] == "loop" then
      for _ = 1, step[2] do play(run, step[3]) end
    elseif step[1] == "receive" then
      run.globals[step[2]] = table.remove(run.received, 1)
    end
  end
end

-- Plays the steps on a run of the reference.
function steps.play(run, list)
  run.globals = {}
  for _, scalar in ipairs(run.program.globals) do run.globals[scalar[1]] = scalar[3] or 0 end
  play(run, list)
end

-- The numbers of sections in the order of their execution.
function steps.order(list, order)
  order = order or {}
  for _, step in ipairs(list) do
    if step[1] == "section" then order[#order + 1] = step[2] end
    if step[1] == "loop" then
      for _ = 1, step[2] do steps.order(step[3], order) end
    end
  end
  return order
end

return steps
