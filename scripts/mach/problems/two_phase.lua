-- Two-phase flow in a porous medium, water that displaces oil: in each step the pressure first, by conjugate gradients
-- with the diagonal as preconditioner, then the saturation of water from the flow upstream (IMPES). Cells have porosity 1
-- and a permeability of their own; relative permeabilities are S^2 and (1 - S)^2, and `ratio` says how much more viscous
-- oil is than water. wells=corner: in at one corner, out at the opposite one; wells=line: in along one side, out along
-- the other, where contrast=1 has the solution of Buckley and Leverett.
local checks = require "support.checks"
local command = require "mach.problems.command"
local derived = require "support.figures"
local host = require "wse.host"
local mach = require "mach"
local random = require "mach.lang.random"
local format, sqrt, max, min = string.format, math.sqrt, math.max, math.min

local two_phase = {name = "two_phase",
                   arguments = {steps = 60, volumes = 0.3, ratio = 2.0, contrast = 10.0, wells = "corner",
                                tolerance = 1e-5, most = 400},
                   ranges = {steps = {1}, volumes = {0.0, 2.0}, ratio = {0.1, 100.0}, contrast = {1.0, 1000.0},
                             most = {1}, tolerance = {1e-7, 1.0}}}

local kWellIndex = 10.0  -- how well a producing cell leads to the pressure 0 outside

-- Cells that take in water, at rate 1, and those that give off both.
local function is_injector(options, x, y) return x == 0 and (options.wells == "line" or y == 0) end

local function is_producer(options, x, y)
  return x == options.width - 1 and (options.wells == "line" or y == options.height - 1)
end

local function permeability(options)
  return function(x, y, i)
    local share = (random.first_state(options.seed * 4099 + i, x, y) >> 8) * 2.0 ^ -24
    return options.contrast ^ share
  end
end

-- The harmonic mean of a cell's permeability and of the one dx, dy, di further on; 0 at the border.
local function between(options, dx, dy, di)
  local k = permeability(options)
  return function(x, y, i)
    if x + dx >= options.width or y + dy >= options.height or i + di >= options.nz then return 0 end
    local a, b = k(x, y, i), k(x + dx, y + dy, i + di)
    return 2 * a * b / (a + b)
  end
end

-- The three axes: slices of the cells that have a next one, and of those.
local kAxes = {{":-1, :, :", "1:, :, :", 1, 0, 0}, {":, :-1, :", ":, 1:, :", 0, 1, 0}, {":, :, :-1", ":, :, 1:", 0, 0, 1}}

local function axes_of(options)
  local axes = {}
  for k, axis in ipairs(kAxes) do
    if k < 3 or options.nz > 1 then axes[#axes + 1] = axis end
  end
  return axes
end

-- Sets what flows per pressure: of all faces towards the next cell (`face`) and the one before (`back`), and the diagonal.
local function conduct(self)
  self.mobility:set(self.s * self.s + (1 - self.s) * (1 - self.s) * (1 / self.ratio))
  self.diagonal:set(self.well)
  for k, axis in ipairs(self.axes) do
    local here, there = axis[1], axis[2]
    self.face[k][here] = self.between[k][here] * ((self.mobility[here] + self.mobility[there]) * 0.5)
    self.back[k][there] = self.face[k][here]
    self.diagonal[here] = self.diagonal[here] + self.face[k][here]
    self.diagonal[there] = self.diagonal[there] + self.back[k][there]
  end
  self.inverse:set(1 / self.diagonal)
end

-- to = A from.
local function multiply(self, to, from)
  to:set(self.diagonal * from)
  for k, axis in ipairs(self.axes) do
    local here, there = axis[1], axis[2]
    to[here] = to[here] - self.face[k][here] * from[there]
    to[there] = to[there] - self.back[k][there] * from[here]
  end
end

-- The pressure from the one of the step before.
local function solve(self, p, options, limit)
  local r, d, q, z, rr = self.r, self.d, self.q, self.z, self.rr
  multiply(self, q, self.pressure)
  r:set(self.source - q)
  z:set(self.inverse * r)
  d:set(z)
  rr:set(p:dot(r, r))
  self.new:set(p:dot(r, z))
  p:loop(options.most, function()
    p:break_if(rr, "<=", limit)
    multiply(self, q, d)
    self.alpha:set(self.new / p:dot(d, q))
    self.pressure:set(self.pressure + self.alpha * d)
    r:set(r - self.alpha * q)
    local sum = p:dot(r, r)
    z:set(self.inverse * r)
    rr:set(sum)
    self.old:set(self.new)
    self.new:set(p:dot(r, z))
    self.beta:set(self.new / self.old)
    d:set(z + self.beta * d)
    self.count:set(self.count + 1)
  end)
end

-- The water moves with the flow of both, by the share that it has upstream.
local function transport(self, p, dt)
  local share, change = self.z, self.q
  share:set(self.s * self.s / self.mobility)
  change:set(self.source - self.well * self.pressure * share)
  self.produced:set(self.produced + p:sum(self.well * self.pressure * share))
  for k, axis in ipairs(self.axes) do
    local here, there = axis[1], axis[2]
    self.r[here] = self.face[k][here] * (self.pressure[here] - self.pressure[there])
    self.r[here] = self.r[here] * mach.where(self.r[here], ">", 0, share[here], share[there])
    change[here] = change[here] - self.r[here]
    change[there] = change[there] + self.r[here]
  end
  self.s:set(self.s + change * dt)
end

local function build(p, options, dt, limit)
  local n = options.nz
  local function array(name, first) return p:LA(name, n, first) end
  local self = {ratio = options.ratio, axes = axes_of(options), between = {}, face = {}, back = {}}
  for k, axis in ipairs(self.axes) do
    self.between[k] = array("between" .. k, between(options, axis[3], axis[4], axis[5]))
    self.face[k], self.back[k] = array("face" .. k), array("back" .. k)
  end
  for _, name in ipairs{"mobility", "diagonal", "inverse", "r", "d", "q", "z"} do self[name] = array(name) end
  self.s, self.pressure = array("s", 0), array("pressure", 0)
  self.source = array("source", function(x, y) return is_injector(options, x, y) and 1 or 0 end)
  self.well = array("well", function(x, y) return is_producer(options, x, y) and kWellIndex or 0 end)
  self.rr, self.produced, self.count = p:GS("rr"), p:GS("produced", 0), p:GS("count", 0, "i32")
  for _, name in ipairs{"old", "new", "alpha", "beta"} do self[name] = p:ULS(name) end
  p:output(self.s, self.pressure, self.produced, self.count)
  p:loop(options.steps, function()
    conduct(self)
    solve(self, p, options, limit)
    transport(self, p, dt)
  end)
end

-- ---- the share of water in the flow, and Buckley and Leverett's solution

function two_phase.share(s, ratio) return s * s / (s * s + (1 - s) * (1 - s) / ratio) end

local function slope(s, ratio)
  local h = 1e-6
  return (two_phase.share(min(s + h, 1), ratio) - two_phase.share(max(s - h, 0), ratio)) / (min(s + h, 1) - max(s - h, 0))
end

local function steepest(ratio)
  local most = 0
  for k = 0, 1000 do most = max(most, slope(k / 1000, ratio)) end
  return most
end

-- The saturation at a place, in parts of the length, after so many pore volumes: 0 beyond the front, whose saturation
-- has f' = f / s; behind it the one whose f' says how far it has come.
function two_phase.front(place, volumes, ratio)
  local low, high = 1e-3, 1.0
  for _ = 1, 60 do
    local s = (low + high) / 2
    if slope(s, ratio) * s > two_phase.share(s, ratio) then low = s else high = s end
  end
  if place >= volumes * slope(low, ratio) then return 0 end
  local below, above = low, 1.0
  for _ = 1, 60 do
    local s = (below + above) / 2
    if volumes * slope(s, ratio) > place then below = s else above = s end
  end
  return below
end

-- ---- the same in double precision, cell by cell

-- The field: lists by cell, and faces {cell, next cell, permeability between}.
local function field_in_doubles(options)
  local w, h, n, k = options.width, options.height, options.nz, permeability(options)
  local field = {size = w * h * n, faces = {}, s = {}, pressure = {}, source = {}, well = {}, mobility = {},
                 diagonal = {}, r = {}, d = {}, q = {}, z = {}}
  local function at(x, y, i) return (y * w + x) * n + i + 1 end
  local function add_faces(x, y, i)
    for _, axis in ipairs(kAxes) do
      local to_x, to_y, to_i = x + axis[3], y + axis[4], i + axis[5]
      if to_x < w and to_y < h and to_i < n then
        local a, b = k(x, y, i), k(to_x, to_y, to_i)
        field.faces[#field.faces + 1] = {at(x, y, i), at(to_x, to_y, to_i), 2 * a * b / (a + b)}
      end
    end
  end
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      for i = 0, n - 1 do
        local here = at(x, y, i)
        field.s[here], field.pressure[here] = 0.0, 0.0
        field.source[here] = is_injector(options, x, y) and 1 or 0
        field.well[here] = is_producer(options, x, y) and kWellIndex or 0
        add_faces(x, y, i)
      end
    end
  end
  return field
end

local function conduct_in_doubles(field, ratio)
  local s, diagonal = field.s, field.diagonal
  for c = 1, field.size do
    field.mobility[c], diagonal[c] = s[c] ^ 2 + (1 - s[c]) ^ 2 / ratio, field.well[c]
  end
  for _, face in ipairs(field.faces) do
    face[4] = face[3] * (field.mobility[face[1]] + field.mobility[face[2]]) / 2
    diagonal[face[1]], diagonal[face[2]] = diagonal[face[1]] + face[4], diagonal[face[2]] + face[4]
  end
end

local function multiply_in_doubles(field, to, from)
  for c = 1, field.size do to[c] = field.diagonal[c] * from[c] end
  for _, face in ipairs(field.faces) do
    to[face[1]] = to[face[1]] - face[4] * from[face[2]]
    to[face[2]] = to[face[2]] - face[4] * from[face[1]]
  end
end

local function dot(a, b)
  local sum = 0
  for c = 1, #a do sum = sum + a[c] * b[c] end
  return sum
end

-- The pressure from the one before; returns the number of iterations.
local function solve_in_doubles(field, limit, most)
  local r, d, q, z, pressure = field.r, field.d, field.q, field.z, field.pressure
  multiply_in_doubles(field, q, pressure)
  for c = 1, field.size do
    r[c] = field.source[c] - q[c]
    z[c] = r[c] / field.diagonal[c]
    d[c] = z[c]
  end
  local rz, turns = dot(r, z), 0
  while dot(r, r) > limit and turns < most do
    multiply_in_doubles(field, q, d)
    local alpha = rz / dot(d, q)
    for c = 1, field.size do
      pressure[c], r[c] = pressure[c] + alpha * d[c], r[c] - alpha * q[c]
      z[c] = r[c] / field.diagonal[c]
    end
    local new = dot(r, z)
    for c = 1, field.size do d[c] = z[c] + new / rz * d[c] end
    rz, turns = new, turns + 1
  end
  return turns
end

-- Moves the water; returns what the wells give off per time.
local function transport_in_doubles(field, dt)
  local share, change, produced = field.z, {}, 0
  for c = 1, field.size do
    share[c] = field.s[c] ^ 2 / field.mobility[c]
    local out = field.well[c] * field.pressure[c] * share[c]
    change[c], produced = field.source[c] - out, produced + out
  end
  for _, face in ipairs(field.faces) do
    local here, there = face[1], face[2]
    local flow = face[4] * (field.pressure[here] - field.pressure[there])
    flow = flow * (flow > 0 and share[here] or share[there])
    change[here], change[there] = change[here] - flow, change[there] + flow
  end
  for c = 1, field.size do field.s[c] = field.s[c] + change[c] * dt end
  return produced
end

-- Saturations, what is produced per length of a step, and iterations of all steps.
local function in_doubles(options, dt, limit)
  local field, produced, count = field_in_doubles(options), 0, 0
  for _ = 1, options.steps do
    conduct_in_doubles(field, options.ratio)
    count = count + solve_in_doubles(field, limit, options.most)
    produced = produced + transport_in_doubles(field, dt)
  end
  return field.s, produced, count
end

local function injected(options)
  return (options.wells == "line" and options.height or 1) * options.nz
end

-- The length of a step; refused where the front would cross more than a cell in it.
local function step_length(options)
  local dt = options.volumes * options.width * options.height * options.nz / (injected(options) * options.steps)
  local least = math.ceil(dt * options.steps * steepest(options.ratio))
  if options.steps < least then
    host.raise(format("steps = %d: with volumes = %.14g and ratio = %.14g the front crosses more than a cell in a step; "
                      .. "steps = %d fits", options.steps, options.volumes, options.ratio, least))
  end
  return dt
end

-- The mean distance of the saturations from Buckley and Leverett's; nil where theirs is not the solution.
local function front_error(options, s)
  if options.wells ~= "line" or options.contrast ~= 1 then return nil end
  local sum = 0
  for x = 0, options.width - 1 do
    local wanted = two_phase.front((x + 0.5) / options.width, options.volumes, options.ratio)
    sum = sum + math.abs(s:at(x, 0, 0) - wanted)
  end
  return sum / options.width
end

function two_phase.run(given)
  local options = command.options(two_phase, given)
  checks.one_of("wells", options.wells, {"corner", "line"})
  local dt = step_length(options)
  local limit = options.tolerance ^ 2 * injected(options)
  local p = command.program(options)
  build(p, options, dt, limit)
  local result = command.run(p, options)
  local exact, produced, count = in_doubles(options, dt, limit)
  local worst, water, s = 0, 0, result:array("s")
  for c = 1, #exact do worst, water = max(worst, math.abs(s[c] - exact[c])), water + s[c] end
  local given_water = injected(options) * options.steps * dt
  local kept = given_water - result:value("produced") * dt
  return command.figures(result, {
    front_error = front_error(options, s), iterations = result:value("count"), iterations_in_doubles = count,
    max_abs_error = derived.finite(worst, "the saturation is not finite"), water = water,
    produced = result:value("produced") * dt, produced_in_doubles = produced * dt,
    balance = given_water > 0 and math.abs(water - kept) / given_water or 0})
end

function two_phase.lines(figures)
  local front = figures.front_error and format("; %.3f from the front of Buckley and Leverett", figures.front_error) or ""
  return format("  %.6g of water kept, %.6g produced, out of balance by %.2g; %d iterations, %d in double precision; "
                .. "saturation off by at most %s%s", figures.water, figures.produced, figures.balance, figures.iterations,
                figures.iterations_in_doubles, derived.text("%.2g", figures.max_abs_error), front)
end

return two_phase
