-- Methods for a system A v = b with a diagonal of 1, as equations of a step. Each returns the field of the solution, the number that is
-- the square of the residual's norm, and the field of the residual; all begin with v = 0, where the residual is b. None computes b - A v
-- anew: each takes from the residual what its step adds to v. So vectors that are rounded, and travel, become as small as the
-- residual, and only v, which nothing depends on, is f32 in all grids. own: of system.lua.
local methods = {}

local kNothing = 1e-25  -- beside the square of a norm

-- Conjugate gradients (Hestenes and Stiefel 1952): two all-reduces in a step. The fourth result is the field of the direction, which
-- begins with own.direction, the residual if that is nil.
function methods.cg(own)
  local g = own.grid
  local v = g:field("v", {type = "f32"})
  local r, p, q = g:field("r", {initial = own.b}), g:field("p", {initial = own.direction or own.b}), g:field("q")
  local rr = g:number("rr", own.norm2)
  g:update{q, p - own.around(p)}
  local alpha = rr / g:total{"pq", p * q.next}
  g:update{v, v + alpha * p}
  g:update{r, r + -alpha * q.next}
  local next_rr = g:total{"next_rr", r.next * r.next}
  g:update{p, r.next + next_rr / rr * p}
  g:set{rr, next_rr}
  return v, next_rr, r, p
end

-- BiCGStab (van der Vorst 1992): three all-reduces in a step, two of them of two totals.
function methods.bicgstab(own)
  local g = own.grid
  local v, first = g:field("v", {type = "f32"}), g:parameter("first", own.b)
  local r, p = g:field("r", {initial = own.b}), g:field("p", {initial = own.b})
  local q, t = g:field("q"), g:field("t")
  local rho = g:number("rho", own.norm2)
  g:update{q, p - own.around(p)}
  local alpha = rho / g:total{"fq", first * q.next}
  g:update{r, r + -alpha * q.next}  -- s of the published method, until it becomes the next residual
  g:update{t, r.next - own.around(r.next)}
  local ts, tt = g:total{"ts", t.next * r.next}, g:total{"tt", t.next * t.next}
  local omega = ts / (tt + kNothing * own.norm2)  -- s is 0 where the first half of a step has found the solution
  g:update{v, v + alpha * p + omega * r.next}
  g:update{r, r.next + -omega * t.next}
  local next_rho, rr = g:total{"next_rho", first * r.next}, g:total{"rr", r.next * r.next}
  local beta = next_rho / rho * (alpha / omega)
  g:update{p, r.next + beta * p + -(beta * omega) * q.next}
  g:set{rho, next_rho}
  return v, rr, r
end

-- Returns v + a field. In a grid of f16 v is f32, to which numbers of the step times fields are added.
local function moved(own, v, field)
  return v + (own.is_half and own.grid:number("unit", 1.0) * field or field)
end

-- Jacobi: v moves by the residual r, which becomes r - A r. A v of f32 in a grid of f16 wants an r that is set later.
function methods.jacobi(own)
  local g = own.grid
  local v, r = g:field("v", {type = "f32"}), g:field("r", {initial = own.b})
  local left = own.is_half and g:field("left") or r
  local rr = g:total{"rr", r * r}
  g:update{left, own.around(r)}
  g:update{v, moved(own, v, r)}
  if own.is_half then g:update{r, left.next} end
  return v, rr, r
end

-- Gauss-Seidel in two colours: v moves by the residual r of the cells whose coordinates have an even sum, and then by what that of the others
-- has become. After a step the residual of the others is 0.
methods["gauss-seidel"] = function(own)
  local g = own.grid
  local v, r, change = g:field("v", {type = "f32"}), g:field("r", {initial = own.b}), g:field("change")
  local is_even = g:parameter("is_even", function(x, y, z) return (x + y + z) % 2 == 0 and 1.0 or 0.0 end)
  local is_odd = g:parameter("is_odd", function(x, y, z) return (x + y + z) % 2 == 1 and 1.0 or 0.0 end)
  local rr = g:total{"rr", r * r}
  g:update{change, r + is_odd * own.around(r)}
  g:update{v, moved(own, v, change.next)}
  g:update{r, is_even * own.around(change.next)}
  return v, rr, r
end

return methods
