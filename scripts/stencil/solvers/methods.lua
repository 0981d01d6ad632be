-- Methods for a system A v = b with a diagonal of 1, as equations of a step. Each returns the field of the solution and the number that is
-- the square of the residual's norm; all begin with v = 0, where the residual is b. own: of system.lua.
local methods = {}

local kNothing = 1e-25  -- beside the square of a norm

-- Conjugate gradients (Hestenes and Stiefel 1952): two all-reduces in a step.
function methods.cg(own)
  local g = own.grid
  local v = g:field("v", {type = "f32"})
  local r, p, q = g:field("r", {initial = own.b}), g:field("p", {initial = own.b}), g:field("q")
  local rr = g:number("rr", own.norm2)
  g:update{q, p - own.around(p)}
  local alpha = rr / g:total{"pq", p * q.next}
  g:update{v, v + alpha * p}
  g:update{r, r + -alpha * q.next}
  local next_rr = g:total{"next_rr", r.next * r.next}
  g:update{p, r.next + next_rr / rr * p}
  g:set{rr, next_rr}
  return v, next_rr
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
  return v, rr
end

-- Jacobi: the residual of the step before is what the solution moves by.
function methods.jacobi(own)
  local g = own.grid
  local v, r, b = g:field("v"), g:field("r"), g:parameter("b", own.b)
  g:update{r, b - v + own.around(v)}
  g:update{v, v + r.next}
  return v, g:total{"rr", r.next * r.next}
end

-- Gauss-Seidel in two colours: first the cells whose coordinates have an even sum, then the others. After a step the residual of the
-- others is 0, so that of the first ones, as the next step finds it, is the whole.
methods["gauss-seidel"] = function(own)
  local g = own.grid
  local v, even, odd, b = g:field("v"), g:field("even"), g:field("odd"), g:parameter("b", own.b)
  local is_even = g:parameter("is_even", function(x, y, z) return (x + y + z) % 2 == 0 and 1.0 or 0.0 end)
  local is_odd = g:parameter("is_odd", function(x, y, z) return (x + y + z) % 2 == 1 and 1.0 or 0.0 end)
  g:update{even, is_even * (b - v + own.around(v))}
  g:update{v, v + even.next}
  g:update{odd, is_odd * (b - v.next + own.around(v.next))}
  g:update{v, v.next + odd.next}
  return v, g:total{"rr", even.next * even.next}
end

return methods
