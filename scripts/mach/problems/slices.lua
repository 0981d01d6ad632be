-- Each worker adds two arrays as far as a length of its own, which it has drawn at random.
local command = require "mach.problems.command"
local mach = require "mach"
local types = require "mach.lang.types"
local format = string.format

local slices = {name = "slices", arguments = {}}

-- Elements that differ from what the two arrays say.
local function errors_of(result, options)
  local stop, a, b, c = result:array("stop"), result:array("a"), result:array("b"), result:array("c")
  local wrong, added = 0, 0
  for w = 1, options.width * options.height do
    for i = 1, options.nz do
      local at = (w - 1) * options.nz + i
      local wanted = i <= stop[w] and types.f32.round(a[at] + b[at]) or 0
      if c[at] ~= wanted then wrong = wrong + 1 end
    end
    added = added + stop[w]
  end
  return wrong, added
end

function slices.run(given)
  local options = command.options(slices, given)
  local p = command.program(options)
  local stop = p:LS("stop", nil, "i32")
  local a, b, c = p:LA("a", options.nz), p:LA("b", options.nz), p:LA("c", options.nz)
  stop:set(mach.random(0, options.nz))
  a:set(mach.random(-10.0, 10.0))
  b:set(mach.random(-10.0, 10.0))
  c[":, :, :stop"] = a[":, :, :stop"] + b[":, :, :stop"]
  local result = command.run(p, options)
  local wrong, added = errors_of(result, options)
  return command.figures(result, {wrong = wrong, added = added})
end

function slices.lines(figures)
  return format("  %d elements added, %d wrong", figures.added, figures.wrong)
end

return slices
