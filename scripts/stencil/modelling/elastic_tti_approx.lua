-- The elastic wave equation of elastic_tti.lua on the Yee grid, which has normal stresses on the cells and shear stresses between four:
-- a quarter of the fields. Stresses and strains of different places, which a tilted axis couples, are means of four cells, of order
-- 2, while all derivatives are of order 8:
--     normal stress    C e, with shear strains as means
--     shear stress     the mean stiffness of four cells times its own strain, and the mean of q = C e of the others on the cells
-- Means of strains and of q are adjoint, and each stiffness of a shear strain is the mean of those that its means meet: energy stays
-- above 0, and what it is. In a medium whose axis is x, y or z there is nothing to take a mean of, and no approximation.
--
-- At a free surface, the plane z = 0, szz is 0. sxz and syz are odd about it, and so are their strains and q: they do not couple with
-- cells on the surface.
local staggered = require "stencil.modelling.staggered"
local stencil = require "stencil"
local tilted = require "stencil.modelling.tilted"

local kAxes = {"x", "y", "z"}
local kShears = {"syz", "sxz", "sxy"}

local elastic_tti_approx = {fields = {"vz", "vx", "vy", "sxx", "syy", "szz", "sxy", "sxz", "syz"}, media = tilted.elastic_media,
                            sources = {"pressure", "force_x", "force_y", "force_z", "moment"}}

-- Returns the strain or q of a shear stress: eyz and qyz of syz.
local function beside(name, letter) return letter .. name:sub(2) end

local function add_fields(own)
  local fields = {}
  local function add(name, position, surface) fields[name] = own:field(name, position, surface) end
  for _, axis in ipairs(kAxes) do add("v" .. axis, axis, "even") end
  for _, name in ipairs(tilted.stresses) do add(name, tilted.positions[name], name:find("z", 1, true) and "odd" or nil) end
  for _, name in ipairs(kShears) do
    local surface = name ~= "sxy" and "odd" or nil
    add(beside(name, "e"), tilted.positions[name], surface)
    add(beside(name, "q"), "", surface)
  end
  return fields
end

-- Returns the mean over four neighbours that lie half a cell away along two axes.
local function mean_of(node, axes) return stencil.mean(stencil.mean(node, axes:sub(1, 1)), axes:sub(2, 2)) end

local function advance_velocities(own, fields)
  for k, axis in ipairs(kAxes) do
    local sum, psi
    for l = 1, 3 do
      local name, slope = tilted.stress(k, l), nil
      slope, psi = own:slope(fields[name], name, l)
      sum = sum and sum + slope or slope
    end
    local terms = {{scale = own:buoyancy("buoyancy_" .. axis, own.medium.density, axis, own.request.dt), slope = sum, psi = psi}}
    own:advance(fields["v" .. axis], terms)
    own:damp(fields["v" .. axis], terms)
  end
end

-- Sets the shear strains of the step, and returns those on the cells: {slope, psi} of normal ones, means of the others.
local function strains(own, fields)
  local list = {}
  for k, axis in ipairs(kAxes) do
    local slope, psi = own:slope(fields["v" .. axis].next, "v" .. axis, k)
    list[k] = {slope = slope, psi = psi}
  end
  for k, name in ipairs(kShears) do
    local a, b = tilted.axes_of(name)
    local slope, psi = own:slope(fields["v" .. kAxes[a]].next, "v" .. kAxes[a], b)
    local strain = fields[beside(name, "e")]
    own.g:update{strain, slope + own:slope(fields["v" .. kAxes[b]].next, "v" .. kAxes[b], a)}
    own:damp(strain, {{scale = 1.0, psi = psi}})
    list[3 + k] = {slope = mean_of(strain.next, tilted.positions[name])}
  end
  return list
end

-- Returns the terms of row i of the stiffnesses but for strain `own_strain`.
local function terms_of(own, list, i, own_strain)
  local terms = {}
  for j, strain in ipairs(list) do
    if j ~= own_strain then
      terms[#terms + 1] = {scale = tilted.stiffness(own, i, j), slope = strain.slope, psi = strain.psi}
    end
  end
  return terms
end

-- Sets q of a shear stress, the increment of the step by the other strains on the cells.
local function set_q(own, fields, list, number)
  local q, terms = fields[beside(kShears[number - 3], "q")], terms_of(own, list, number, number)
  local sum
  for _, term in ipairs(terms) do sum = sum and sum + term.scale * term.slope or term.scale * term.slope end
  own.g:update{q, sum}
  own:damp(q, terms)
end

-- Changes the cells of the surface, after all stresses are set and before means of q are taken.
local function free(own, fields)
  local g, top = own.g, own.g:surface("z", "low")
  for _, name in ipairs{"sxx", "syy", "sxy"} do
    local field = fields[name == "sxy" and "qxy" or name]
    g:update{field, field.next - tilted.surface(own, name, "szz", true) * fields.szz.next, where = top}
  end
  for _, name in ipairs{"qyz", "qxz"} do g:update{fields[name], 0 * fields[name].next, where = top} end
end

-- Returns the grid of a request with its equations, and the fields by their names; state: what they begin with, or nil.
function elastic_tti_approx.grid(request, state)
  local own = staggered.new(request, state)
  local fields = add_fields(own)
  advance_velocities(own, fields)
  local list = strains(own, fields)
  for i = 1, 3 do
    local terms = terms_of(own, list, i)
    own:advance(fields[tilted.stresses[i]], terms)
    own:damp(fields[tilted.stresses[i]], terms)
  end
  for number = 4, 6 do set_q(own, fields, list, number) end
  if request.surface == "free" then free(own, fields) end
  for number = 4, 6 do
    local name = kShears[number - 3]
    local position = tilted.positions[name]
    local scale = own:stiffness("c_" .. position, function(...) return own.medium.matrix(...)[number][number] end, position,
                                request.dt)
    own.g:update{fields[name], fields[name] + scale * fields[beside(name, "e")].next
                               + mean_of(fields[beside(name, "q")].next, position)}
  end
  if request.surface == "free" then own.g:update{fields.szz, 0 * fields.szz.next, where = own.g:surface("z", "low")} end
  return own.g, own.fields
end

elastic_tti_approx.source = tilted.shot

return elastic_tti_approx
