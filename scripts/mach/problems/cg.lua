-- Conjugate gradients for the 7-point Laplacian, values beyond the borders 0, a random right side.
-- method=pipelined begins its two sums together and multiplies by the matrix while they are on
-- their way; it has three more vectors to update. method=preconditioned applies a polynomial of the
-- matrix first, which takes no sum: z = (1 + J + ... + J^degree) r / 6 with J = 1 - A / 6.
local checks = require "support.checks"
local command = require "mach.problems.command"
local derived = require "support.figures"
local format, sqrt = string.format, math.sqrt
local random = require "mach.lang.random"

local cg = {name = "cg", arguments = {method = "plain", tolerance = 1e-4, most = 500, degree = 2},
            ranges = {most = {0}, tolerance = {0.0, 1.0}, degree = {0, 64}}}

-- to = A from, of `nz` layers: neighbours beyond the array are 0.
local function multiply(to, from, nz)
  to[":, :, :"] = 6 * from
  to["1:, :, :"] = to["1:, :, :"] - from[":-1, :, :"]
  to[":-1, :, :"] = to[":-1, :, :"] - from["1:, :, :"]
  to[":, 1:, :"] = to[":, 1:, :"] - from[":, :-1, :"]
  to[":, :-1, :"] = to[":, :-1, :"] - from[":, 1:, :"]
  if nz == 1 then return end
  to[":, :, 1:"] = to[":, :, 1:"] - from[":, :, :-1"]
  to[":, :, :-1"] = to[":, :, :-1"] - from[":, :, 1:"]
end

-- The right side, in [-1, 1).
local function right_side(options)
  return function(x, y, i)
    return (random.first_state(options.seed * 4099 + i, x, y) >> 8) * 2.0 ^ -23 - 1
  end
end

local function plain(p, options, b, limit)
  local x, r, d, q = p:LA("x", options.nz), p:LA("r", options.nz, b), p:LA("d", options.nz),
                     p:LA("q", options.nz)
  local rr, count = p:GS("rr"), p:GS("count", 0, "i32")
  local old, new, alpha, beta = p:ULS("old"), p:ULS("new"), p:ULS("alpha"), p:ULS("beta")
  p:output(x, count)
  d:set(r)
  rr:set(p:dot(r, r))
  new:set(rr)
  p:loop(options.most, function()
    p:break_if(rr, "<=", limit)
    multiply(q, d, options.nz)
    alpha:set(new / p:dot(d, q))
    x:set(x + alpha * d)
    r:set(r - alpha * q)
    rr:set(p:dot(r, r))
    old:set(new)
    new:set(rr)
    beta:set(new / old)
    d:set(r + beta * d)
    count:set(count + 1)
  end)
end

local function pipelined(p, options, b, limit)
  local function vector(name) return p:LA(name, options.nz) end
  local x, r, w, q = vector "x", p:LA("r", options.nz, b), vector "w", vector "q"
  local z, s, d = p:LA("z", options.nz, 0), p:LA("s", options.nz, 0), p:LA("d", options.nz, 0)
  local rr, count = p:GS("rr"), p:GS("count", 0, "i32")
  local gamma, delta, old = p:ULS("gamma"), p:ULS("delta"), p:ULS("old", math.huge)
  local alpha, beta = p:ULS("alpha", 1), p:ULS("beta")
  p:output(x, count)
  multiply(w, r, options.nz)
  p:loop(options.most, function()
    local sum_rr, sum_wr = p:dot(r, r), p:dot(w, r)
    multiply(q, w, options.nz)
    rr:set(sum_rr)
    delta:set(sum_wr)
    p:break_if(rr, "<=", limit)
    gamma:set(rr)
    beta:set(gamma / old)
    alpha:set(gamma / (delta - beta * gamma / alpha))
    old:set(gamma)
    z:set(q + beta * z)
    s:set(w + beta * s)
    d:set(r + beta * d)
    x:set(x + alpha * d)
    r:set(r - alpha * s)
    w:set(w - alpha * z)
    count:set(count + 1)
  end)
end

-- z = M^-1 r; every eigenvalue of J lies between -1 and 1, so M is positive for all degrees.
local function precondition(z, r, q, options)
  z:set(r * (1 / 6))
  for _ = 1, options.degree do  -- unrolled
    multiply(q, z, options.nz)
    z:set(z + (r - q) * (1 / 6))
  end
end

local function preconditioned(p, options, b, limit)
  local function vector(name) return p:LA(name, options.nz) end
  local x, r, d = vector "x", p:LA("r", options.nz, b), vector "d"
  local z, q = vector "z", vector "q"
  local rr, count = p:GS("rr"), p:GS("count", 0, "i32")
  local old, new, alpha, beta = p:ULS("old"), p:ULS("new"), p:ULS("alpha"), p:ULS("beta")
  p:output(x, count)
  precondition(z, r, q, options)
  d:set(z)
  rr:set(p:dot(r, r))
  new:set(p:dot(r, z))
  p:loop(options.most, function()
    p:break_if(rr, "<=", limit)
    multiply(q, d, options.nz)
    alpha:set(new / p:dot(d, q))
    x:set(x + alpha * d)
    r:set(r - alpha * q)
    local sum_rr = p:dot(r, r)
    precondition(z, r, q, options)  -- hides the way of the sum
    rr:set(sum_rr)
    old:set(new)
    new:set(p:dot(r, z))
    beta:set(new / old)
    d:set(z + beta * d)
    count:set(count + 1)
  end)
end

local kBuilders = {plain = plain, pipelined = pipelined, preconditioned = preconditioned}

-- ---- the same in double precision

local function neighbours(to, from, options)
  local w, h, n = options.width, options.height, options.nz
  local at = 0
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      for i = 0, n - 1 do
        at = at + 1
        local sum = 6 * from[at]
        if x > 0 then sum = sum - from[at - n] end
        if x < w - 1 then sum = sum - from[at + n] end
        if y > 0 then sum = sum - from[at - n * w] end
        if y < h - 1 then sum = sum - from[at + n * w] end
        if i > 0 then sum = sum - from[at - 1] end
        if i < n - 1 then sum = sum - from[at + 1] end
        to[at] = sum
      end
    end
  end
end

local function dot(a, b)
  local sum = 0
  for k = 1, #a do sum = sum + a[k] * b[k] end
  return sum
end

-- z = M^-1 r; of the methods without M a copy.
local function precondition_doubles(z, r, q, options)
  local is_whole = options.method ~= "preconditioned"
  for k = 1, #r do z[k] = is_whole and r[k] or r[k] / 6 end
  for _ = 1, is_whole and 0 or options.degree do
    neighbours(q, z, options)
    for k = 1, #r do z[k] = z[k] + (r[k] - q[k]) / 6 end
  end
end

-- The solution and the number of iterations.
local function in_doubles(options, b, limit)
  local x, r, d, q, z = {}, {}, {}, {}, {}
  for k = 1, #b do x[k], r[k] = 0.0, b[k] end
  precondition_doubles(z, r, q, options)
  table.move(z, 1, #z, 1, d)
  local rz, count = dot(r, z), 0
  while dot(r, r) > limit and count < options.most do
    neighbours(q, d, options)
    local alpha = rz / dot(d, q)
    for k = 1, #b do x[k], r[k] = x[k] + alpha * d[k], r[k] - alpha * q[k] end
    precondition_doubles(z, r, q, options)
    local new = dot(r, z)
    local beta = new / rz
    rz = new
    for k = 1, #b do d[k] = z[k] + beta * d[k] end
    count = count + 1
  end
  return x, count
end

local function list_of(options, b)
  local list = {}
  for y = 0, options.height - 1 do
    for x = 0, options.width - 1 do
      for i = 0, options.nz - 1 do list[#list + 1] = b(x, y, i) end
    end
  end
  return list
end

-- The program of all options; it ends where the square of the residual is at most the limit.
function cg.program(options, limit)
  local p = command.program(options)
  kBuilders[options.method](p, options, right_side(options), limit)
  return p
end

function cg.run(given)
  local options = command.options(cg, given)
  checks.one_of("method", options.method, {"plain", "pipelined", "preconditioned"})
  local list = list_of(options, right_side(options))
  local limit = options.tolerance ^ 2 * dot(list, list)
  local p = cg.program(options, limit)
  local result = command.run(p, options)
  local exact, count = in_doubles(options, list, limit)
  local worst, x = 0, result:array("x")
  for k = 1, #exact do worst = math.max(worst, math.abs(x[k] - exact[k])) end
  local residual, product = 0, {}
  neighbours(product, x, options)
  for k = 1, #list do residual = residual + (list[k] - product[k]) ^ 2 end
  return command.figures(result, {
    method = options.method, iterations = result:value("count"), iterations_in_doubles = count,
    max_abs_error = derived.finite(worst, "the solution is not finite"), residual = derived.finite(sqrt(residual / dot(list, list)), "no right side"), total = dot(x, list)})
end

function cg.lines(figures)
  return format("  %s: %d iterations, %d in double precision; residual %s, off by at most %s",
                figures.method, figures.iterations, figures.iterations_in_doubles,
                derived.text("%.3g", figures.residual), derived.text("%.2g", figures.max_abs_error))
end

return cg
