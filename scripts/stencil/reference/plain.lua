-- The plain evaluation: the same equations, cell by cell, in double or with every operation rounded to
-- float. It reads the trees as the user wrote them and shares nothing with the compiler.
local expression = require "stencil.lang.expression"
local format, concat = string.format, table.concat

local plain = {}

local function rounded(value) return (string.unpack("<f", string.pack("<f", value))) end
plain.as_float = rounded

-- Cells of a margin around the grid, which are 0; then index = cell * stride.
local function geometry_of(grid)
  local sizes, margin = {grid:extents()}, 2 * expression.reach(grid)
  local strides, count = {}, 1
  for k = 1, 3 do
    strides[k] = count
    count = count * (sizes[k] + (grid.sizes[k] and 2 * margin or 0))
  end
  local origin = 1
  for k = 1, 3 do
    if grid.sizes[k] then origin = origin + margin * strides[k] end
  end
  return {sizes = sizes, strides = strides, count = count, origin = origin}
end

local function index(g, x, y, z) return g.origin + x * g.strides[1] + y * g.strides[2] + z * g.strides[3] end

-- ---- the text of an equation, as Lua: each operation is rounded by r(), which is nothing in double

local Writer = {}
Writer.__index = Writer

function Writer:slot(key, value)
  if not self.slots[key] then
    self.count = self.count + 1
    self.slots[key] = self.count
    self.values[self.count] = value
  end
  return self.slots[key]
end

function Writer:round(text) return self.float and "r(" .. text .. ")" or "(" .. text .. ")" end

local kSigns = {add = "+", sub = "-", mul = "*", div = "/", pow = "^"}

function Writer:access(node)
  local slot = self:slot(node.field.name .. "." .. node.level, {field = node.field, level = node.level})
  local offset, delta = node.offset, 0
  for k = 1, 3 do delta = delta + offset[k] * self.geometry.strides[k] end
  return format("A[%d][i + %d]", slot, delta)
end

function Writer:parameter(node)
  local slot = self:slot("parameter " .. node.parameter.name, {parameter = node.parameter})
  local offset = node.offset
  return format("P(A[%d], x + %d, y + %d, z + %d)", slot, offset[1], offset[2], offset[3])
end

function Writer:text(node)
  if node.kind == "number" then return format("%.17g", self.float and rounded(node.value) or node.value) end
  if node.kind == "access" then return self:access(node) end
  if node.kind == "number_of_step" then return format("N[%q]", node.name) end
  if node.kind == "parameter" then return self:parameter(node) end
  if node.kind == "neg" then return "(-" .. self:text(node.a) .. ")" end
  if node.kind == "sum_of" then
    local sum = "0.0"
    for _, term in ipairs(node.terms) do
      local weight = self.float and rounded(term.weight) or term.weight
      local moved = self:text(expression.moved(node.of, term.offset))
      sum = self:round(format("%s + %s", sum, self:round(format("%.17g * %s", weight, moved))))
    end
    return sum
  end
  return self:round(format("%s %s %s", self:text(node.a), kSigns[node.kind], self:text(node.b)))
end

-- Returns the value of a parameter at a cell, that of the nearest one beyond the grid, or of its image in a mirror.
local function clamped_reader(grid, sizes)
  local mirror = grid.mirror
  local function clamp(value, size, is_mirrored)
    if value < 0 then value = is_mirrored and -value or 0 end
    return value >= size and size - 1 or value
  end
  return function(value, x, y, z)
    return value(clamp(x, sizes[1], mirror.x), clamp(y, sizes[2], mirror.y), clamp(z, sizes[3], mirror.z))
  end
end

-- Returns a function of (x, y, z) that evaluates what has no field in it, in double.
function plain.fixed(grid, node)
  local writer = setmetatable({slots = {}, values = {}, count = 0, float = false,
                               geometry = geometry_of(grid)}, Writer)
  local text = "local A, P = ...; return function(x, y, z) return " .. writer:text(node) .. " end"
  local sources = {}
  for slot, value in ipairs(writer.values) do sources[slot] = value.parameter.value end
  return assert(load(text))(sources, clamped_reader(grid, writer.geometry.sizes))
end

-- ---- a run

-- Returns a function of (A, P, r, origin, sx, sy, sz, N) that adds up a total over all cells; or, of an equation of numbers, computes it.
local function compiled_number(equation, geometry, float, sizes)
  local writer = setmetatable({slots = {}, values = {}, count = 0, float = float, geometry = geometry}, Writer)
  local text = writer:text(equation)
  local lines = {"local A, P, r, origin, sx, sy, sz, N = ...", "return " .. text}
  if sizes then
    lines = {
      "local A, P, r, origin, sx, sy, sz, N = ...", "local sum = 0.0",
      format("for z = 0, %d do for y = 0, %d do for x = 0, %d do", sizes[3] - 1, sizes[2] - 1, sizes[1] - 1),
      "local i = origin + x * sx + y * sy + z * sz", "sum = r(sum + " .. text .. ")", "end end end", "return sum",
    }
  end
  return assert(load(concat(lines, "\n"))), writer.values
end

local function compiled(grid, update, geometry, float)
  local writer = setmetatable({slots = {}, values = {}, count = 0, float = float, geometry = geometry}, Writer)
  local lines = {
    "local A, P, r, box, origin, sx, sy, sz, target, N = ...",
    "for z = box.z[1], box.z[2] do for y = box.y[1], box.y[2] do for x = box.x[1], box.x[2] do",
    "local i = origin + x * sx + y * sy + z * sz",
    "target[i] = " .. writer:text(update.equation),
    "end end end",
  }
  return assert(load(concat(lines, "\n"))), writer.values
end

local function filled(g, value, float)
  local list = {}
  for k = 1, g.count do list[k] = 0.0 end
  for z = 0, g.sizes[3] - 1 do
    for y = 0, g.sizes[2] - 1 do
      for x = 0, g.sizes[1] - 1 do
        local v = value(x, y, z)
        list[index(g, x, y, z)] = float and rounded(v) or v + 0.0
      end
    end
  end
  return list
end

-- Sets the cells beyond z = 0 of a field to its image there.
local function reflect_in_surface(g, field, list, margin)
  local first = field.position:find("z", 1, true) and 0 or 1  -- the cell whose image is the nearest one
  for y = 0, g.sizes[2] - 1 do
    for x = 0, g.sizes[1] - 1 do
      local at = index(g, x, y, 0)
      for m = 0, margin - 1 do
        local height = first + m
        list[at - (m + 1) * g.strides[3]] = height < g.sizes[3] and field.image * list[at + height * g.strides[3]] or 0.0
      end
    end
  end
end

-- Sets the cells before the first ones of mirrored axes to their images.
local function reflect(grid, g, field, list)
  local margin = 2 * expression.reach(grid)
  if field.image then reflect_in_surface(g, field, list, margin) end
  for k, axis in ipairs{"x", "y", "z"} do
    local one, other = k % 3 + 1, (k + 1) % 3 + 1
    if grid.mirror[axis] then
      for a = -margin, g.sizes[one] + margin - 1 do
        for b = -margin, g.sizes[other] + margin - 1 do
          local at = g.origin + a * g.strides[one] + b * g.strides[other]
          for m = 1, margin do
            list[at - m * g.strides[k]] = m < g.sizes[k] and list[at + m * g.strides[k]] or 0.0
          end
        end
      end
    end
  end
end

local function rounded_parameter(parameter)
  return function(x, y, z) return rounded(parameter.value(x, y, z)) end
end

-- Returns the arrays that an update reads, from the levels of the fields.
local function sources_of(slots, levels, float)
  local arrays = {}
  for slot, value in ipairs(slots) do
    if value.parameter then
      arrays[slot] = float and rounded_parameter(value.parameter) or value.parameter.value
    else
      arrays[slot] = levels[value.level][value.field]
    end
  end
  return arrays
end

local function copied(list) return table.move(list, 1, #list, 1, {}) end

-- Returns what a run knows of the numbers of a step: {values by name, add_totals(updates over, levels), next_step() -> whether it stops}.
local function numbers_of(grid, g, float, read, r)
  local values, totals, sets = {}, {}, {}
  for _, number in ipairs(grid.numbers) do values[number.name] = r(number.initial) end
  for k, total in ipairs(grid.totals) do totals[k] = {compiled_number(total.equation, g, float, g.sizes)} end
  for k, set in ipairs(grid.sets) do sets[k] = compiled_number(set.equation, g, float) end
  local stopping = rawget(grid, "stopping")
  local watched = stopping and compiled_number(stopping.equation, g, float)
  local function add_totals(updates_over, levels)
    for k, total in ipairs(grid.totals) do
      if total.updates_before == updates_over then
        values[total.name] = totals[k][1](sources_of(totals[k][2], levels, float), read, r, g.origin, g.strides[1], g.strides[2],
                                          g.strides[3], values)
      end
    end
  end
  local function next_step()
    local is_over, changed = watched and watched(nil, read, r, 0, 0, 0, 0, values) <= stopping.below, {}
    for k, set in ipairs(grid.sets) do changed[set.number.name] = sets[k](nil, read, r, 0, 0, 0, 0, values) end
    for name, value in pairs(changed) do values[name] = value end
    return is_over
  end
  return {values = values, add_totals = add_totals, next_step = next_step}
end

-- Runs so many steps, or fewer if `may_stop` and the grid says when. Returns {value = function(field, x, y, z), traces = {name = list},
-- numbers by name, steps = those that it took}. float: every operation is rounded to float.
function plain.run(grid, steps, float, may_stop)
  local g = geometry_of(grid)
  local levels = {now = {}, before = {}, next = {}}
  for _, field in ipairs(grid.fields) do
    levels.now[field] = filled(g, field.initial, float)
    levels.before[field] = filled(g, field.initial_before, float)
    reflect(grid, g, field, levels.now[field])
    reflect(grid, g, field, levels.before[field])
  end
  local codes, traces = {}, {}
  for k, update in ipairs(grid.updates) do codes[k] = {compiled(grid, update, g, float)} end
  for _, recording in ipairs(grid.recordings) do traces[recording.name] = {} end
  local read, r = clamped_reader(grid, g.sizes), float and rounded or function(v) return v end
  local numbers, taken = numbers_of(grid, g, float, read, r), steps
  for step = 0, steps - 1 do
    levels.next = {}
    numbers.add_totals(0, levels)
    for k, update in ipairs(grid.updates) do
      local target = levels.next[update.field] or copied(levels.now[update.field])
      levels.next[update.field] = target
      for _, box in ipairs(update.boxes) do
        codes[k][1](sources_of(codes[k][2], levels, float), read, r, box, g.origin, g.strides[1],
                    g.strides[2], g.strides[3], target, numbers.values)
      end
      reflect(grid, g, update.field, target)
      numbers.add_totals(k, levels)
    end
    for field, now in pairs(levels.now) do
      local target = levels.next[field] or copied(now)
      levels.before[field], levels.next[field] = now, target
    end
    for _, injection in ipairs(grid.injections) do
      local at = index(g, injection.cell[1], injection.cell[2], injection.cell[3])
      local list = levels.next[injection.field]
      list[at] = r(list[at] + r(injection.value(step)))
      reflect(grid, g, injection.field, list)
    end
    for _, recording in ipairs(grid.recordings) do
      local at = index(g, recording.cell[1], recording.cell[2], recording.cell[3])
      traces[recording.name][step + 1] = levels.next[recording.field][at]
    end
    levels.now = levels.next
    if numbers.next_step() and may_stop then
      taken = step + 1
      break
    end
  end
  return {traces = traces, numbers = numbers.values, steps = taken,
          value = function(field, x, y, z) return levels.now[field][index(g, x, y, z)] end}
end

return plain
