-- Transversely isotropic media with a tilted axis: the stiffnesses of elastic waves, and what the free surface makes of them.
--
-- Along its axis n a medium has the velocities vp and vs; Thomsen (1986) says with epsilon, delta and gamma how it differs across it:
--     c33 = rho vp^2    c44 = rho vs^2    c11 = c33 (1 + 2 epsilon)    c66 = c44 (1 + 2 gamma)
--     c13 = sqrt(2 delta c33 (c33 - c44) + (c33 - c44)^2) - c44        c12 = c11 - 2 c66
-- n = (sin theta cos phi, sin theta sin phi, cos theta). In any frame, with T = e_kk, a = n e n and N = n n^T,
--     s = c12 T 1 + (c13 - c12) (a 1 + T N) + (c11 + c33 - 2 c13 - 4 c44) a N + 2 c66 e + 2 (c44 - c66) (N e + e N).
local format = string.format

local tilted = {}

tilted.stresses = {"sxx", "syy", "szz", "syz", "sxz", "sxy"}  -- in Voigt's order, with twice the shear strains
tilted.positions = {sxx = "", syy = "", szz = "", syz = "yz", sxz = "xz", sxy = "xy"}  -- on the Yee grid
tilted.acoustic_media = {"density", "epsilon", "delta", "theta", "phi"}
tilted.elastic_media = {"density", "shear", "epsilon", "delta", "gamma", "theta", "phi"}

local kPairs = {{1, 1}, {2, 2}, {3, 3}, {2, 3}, {1, 3}, {1, 2}}
local kNumbers = {sxx = 1, syy = 2, szz = 3, syz = 4, sxz = 5, sxy = 6}

-- Returns the axes of a stress by its name, and the name of a stress by its axes.
function tilted.axes_of(name) return table.unpack(kPairs[kNumbers[name]]) end

function tilted.stress(k, l)
  local low, high = math.min(k, l), math.max(k, l)
  return "s" .. ("xyz"):sub(low, low) .. ("xyz"):sub(high, high)
end

-- Returns the axis of a medium as a unit vector; theta and phi in degrees.
function tilted.axis(theta, phi)
  local t, p = math.rad(theta), math.rad(phi)
  return {math.sin(t) * math.cos(p), math.sin(t) * math.sin(p), math.cos(t)}
end

-- Returns c11, c13, c33, c44 and c66 in Pa; c13 is not a number where delta allows none.
function tilted.constants(density, vp, vs, epsilon, delta, gamma)
  local c33, c44 = density * vp ^ 2, density * vs ^ 2
  local gap = c33 - c44
  return c33 * (1 + 2 * epsilon), math.sqrt(2 * delta * c33 * gap + gap ^ 2) - c44, c33, c44, c44 * (1 + 2 * gamma)
end

-- Returns the stiffness between components i and j of Voigt's order of a medium with the axis n.
local function component(i, j, c11, c13, c33, c44, c66, n)
  local a, b = kPairs[i][1], kPairs[i][2]
  local c, d = kPairs[j][1], kPairs[j][2]
  local function is(k, l) return k == l and 1.0 or 0.0 end
  local c12 = c11 - 2 * c66
  return c12 * is(a, b) * is(c, d) + (c13 - c12) * (is(a, b) * n[c] * n[d] + n[a] * n[b] * is(c, d))
         + (c11 + c33 - 2 * c13 - 4 * c44) * n[a] * n[b] * n[c] * n[d]
         + c66 * (is(a, c) * is(b, d) + is(a, d) * is(b, c))
         + (c44 - c66) * (n[a] * n[c] * is(b, d) + n[a] * n[d] * is(b, c) + n[b] * n[c] * is(a, d) + n[b] * n[d] * is(a, c))
end

-- Returns the six rows of the stiffnesses.
function tilted.matrix(c11, c13, c33, c44, c66, n)
  local rows = {}
  for i = 1, 6 do
    rows[i] = {}
    for j = 1, 6 do rows[i][j] = component(i, j, c11, c13, c33, c44, c66, n) end
  end
  return rows
end

-- Returns the largest phase velocity of P in m/s: that of the Christoffel equation in a plane through the axis, at 61 angles.
function tilted.fastest(density, c11, c13, c33, c44)
  local most = 0.0
  for k = 0, 60 do
    local angle = math.pi / 2 * k / 60
    local s, c = math.sin(angle) ^ 2, math.cos(angle) ^ 2
    local one, other = c11 * s + c44 * c, c44 * s + c33 * c
    local root = math.sqrt((one - other) ^ 2 + 4 * (c13 + c44) ^ 2 * s * c)
    most = math.max(most, (one + other + root) / 2)
  end
  return math.sqrt(most / density)
end

-- ---- parameters of equations

-- Returns the parameter of that name, made once.
local function parameter(own, name, value, along)
  own.parameters = own.parameters or {}
  own.parameters[name] = own.parameters[name] or own.g:parameter(name, value, {along = along})
  return own.parameters[name]
end

-- Returns the parameter dt times the stiffness between components i and j, of the cells.
function tilted.stiffness(own, i, j)
  local low, high, dt, matrix = math.min(i, j), math.max(i, j), own.request.dt, own.medium.matrix
  return parameter(own, format("c%d%d", low, high), function(...) return dt * matrix(...)[low][high] end, own.medium.along)
end

-- Returns the inverse of three rows of three numbers.
local function inverse(m)
  local result, det = {{}, {}, {}}, 0.0
  for i = 1, 3 do
    for j = 1, 3 do
      local a, b, c, d = j % 3 + 1, (j + 1) % 3 + 1, i % 3 + 1, (i + 1) % 3 + 1
      result[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c]
    end
  end
  for k = 1, 3 do det = det + m[1][k] * result[k][1] end
  for i = 1, 3 do
    for j = 1, 3 do result[i][j] = result[i][j] / det end
  end
  return result
end

local kAcross = {3, 4, 5}  -- szz, syz, sxz

-- Returns the parameter with which a stress across the surface counts for one along it: that of C_along,across times the inverse of
-- C_across,across, at z = 0. only_normal: szz alone is 0 on the surface, the others do not lie on it.
function tilted.surface(own, name, other, only_normal)
  local row, column, matrix = kNumbers[name], kNumbers[other], own.medium.matrix
  return parameter(own, format("top_%s_%s", name, other), function(x, y)
    local c = matrix(x, y, 0)
    if only_normal then return c[row][3] / c[3][3] end
    local block, sum = {}, 0.0
    for i, a in ipairs(kAcross) do
      block[i] = {}
      for j, b in ipairs(kAcross) do block[i][j] = c[a][b] end
    end
    local inverted = inverse(block)
    for k, b in ipairs(kAcross) do sum = sum + c[row][b] * inverted[k][column - 2] end
    return sum
  end, own.medium.along == "" and "" or "xy")
end

-- Returns what a shot of a kind adds to velocities and stresses: {field = factor}.
function tilted.shot(request)
  if request.source == "pressure" then return {sxx = 1.0, syy = 1.0, szz = 1.0} end
  if request.source ~= "moment" then return {["v" .. request.source:sub(-1)] = 1.0} end
  local factors = {}
  for k, name in ipairs{"sxx", "syy", "szz", "sxy", "sxz", "syz"} do
    if request.moment[k] ~= 0 then factors[name] = request.moment[k] + 0.0 end
  end
  return factors
end

return tilted
