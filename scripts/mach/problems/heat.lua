-- The heat equation on a box of points, explicit steps, borders at 0. It begins with the slowest mode
-- of the grid, which decays by the same factor in each step:
--   1 - 4 c (sin^2(pi / 2(W-1)) + sin^2(pi / 2(H-1)) + sin^2(pi / 2(N-1))),  c = dt / h^2.
local command = require "mach.problems.command"
local derived = require "support.figures"
local format, sin, pi = string.format, math.sin, math.pi

local heat = {name = "heat", arguments = {steps = 50, c = 0.125},
              ranges = {height = {4, 4092}, nz = {3}, steps = {0}, c = {0.0, 1.0}}}  -- two are border

local function mode_of(options)
  return function(x, y, i)
    return sin(pi * x / (options.width - 1)) * sin(pi * y / (options.height - 1))
           * sin(pi * i / (options.nz - 1))
  end
end

local function exact_factor(options)
  local sum = 0
  for _, points in ipairs{options.width, options.height, options.nz} do
    sum = sum + sin(pi / 2 / (points - 1)) ^ 2
  end
  return 1 - 4 * options.c * sum
end

local function border_aside(options, mode)
  return function(x, y, i)
    local inside = x > 0 and x < options.width - 1 and y > 0 and y < options.height - 1
                   and i > 0 and i < options.nz - 1
    return inside and mode(x, y, i) or 0
  end
end

-- How much of the mode is left, and how far the field is from that much of it.
local function compared(result, options, mode, factor)
  local u = result:array("u")
  local dot, norm, worst = 0, 0, 0
  for y = 0, options.height - 1 do
    for x = 0, options.width - 1 do
      for i = 0, options.nz - 1 do
        local m, value = mode(x, y, i), u:at(x, y, i)
        dot, norm = dot + m * value, norm + m * m
        worst = math.max(worst, math.abs(value - m * factor))
      end
    end
  end
  return dot / norm, worst
end

function heat.run(given)
  local options = command.options(heat, given)
  local p = command.program(options)
  local mode = border_aside(options, mode_of(options))
  local u = p:LA("u", options.nz, mode)
  p:loop(options.steps, function()
    local near = u["2:, 1:-1, 1:-1"] + u[":-2, 1:-1, 1:-1"] + u["1:-1, 2:, 1:-1"]
                 + u["1:-1, :-2, 1:-1"] + u["1:-1, 1:-1, 2:"] + u["1:-1, 1:-1, :-2"]
    local here = u["1:-1, 1:-1, 1:-1"]
    u["1:-1, 1:-1, 1:-1"] = here + options.c * (near - 6 * here)
  end)
  local result = command.run(p, options)
  local factor = exact_factor(options)
  local left, worst = compared(result, options, mode, factor ^ options.steps)
  return command.figures(result, {
    rate = derived.decay(1, left, options.steps), rate_exact = derived.decay(1, factor, 1),
    max_abs_error = derived.finite(worst, "the field is not finite")})
end

function heat.lines(figures)
  return format("  decays by %s per step, the mode of the grid by %s; off by at most %s",
                derived.text("%.7f", figures.rate), derived.text("%.7f", figures.rate_exact),
                derived.text("%.2g", figures.max_abs_error))
end

return heat
