-- The grid of a problem: its axes, fields, parameters and the statements of a step. A statement that does
-- not fit is refused at the user's line. Must compute nothing.
--
-- All updates of a step read f (the values before the step), f.before (a step earlier) and f.next (what
-- earlier updates of the same step have set); each sets f.next on its cells. Other cells keep f. Cells
-- beyond the grid are 0; parameters continue with their nearest value. At the low end of a mirrored axis both
-- continue as in a mirror through the first cells: f(-i) = f(i). A field with a surface continues as its image beyond z = 0.
local check = require "wse.layout.check"
local expression = require "stencil.lang.expression"
local host = require "wse.host"
local numbers = require "stencil.lang.numbers"
local regions = require "stencil.lang.regions"
local values = require "stencil.lang.values"
local format, tostring, getmetatable = string.format, tostring, getmetatable

local grid = {}

local kAxes = {"x", "y", "z"}
local kGrid = {nx = true, ny = true, nz = true, dx = true, dy = true, dz = true, dt = true, tile = true, mirror = true, type = true}
local kMostSide = 65535
local kMostCells = 1 << 24  -- of a column: what one descriptor can have

local methods = {}
local Grid = {__metatable = "stencil grid"}

local checked = {}  -- the methods, each with a look at what it is called on

function Grid.__index(_, name)
  local method = methods[name]
  if method and not checked[name] then
    checked[name] = function(self, ...)
      if getmetatable(self) ~= Grid.__metatable then
        host.raise(format("%s: a colon is wanted, as in g:%s", name, name))
      end
      return method(self, ...)
    end
  end
  if method then return checked[name] end
  host.raise(format("a grid has no '%s'%s", tostring(name),
                    check.instead(tostring(name), check.sorted_keys(methods))))
end

function Grid.__newindex(_, name)
  host.raise(format("a grid has no '%s' to set; stencil.grid{...} has its sizes", tostring(name)))
end

local function check_names(call, options, known)
  check.table(call, "the options", options)
  for _, name in ipairs(check.sorted_keys(options)) do
    if not known[name] then
      host.raise(format("%s has no option '%s'%s", call, name, check.instead(name, check.sorted_keys(known))))
    end
  end
end
grid.check_names = check_names

local function positive(call, what, value)
  if type(value) ~= "number" or not (value > 0 and value < math.huge) then
    check.wanted(call, what, "a number above 0", value)
  end
  return value
end

-- The cells of a PE along x and y in a plane; nil in space, where a PE has a column.
local function tile_of(call, options)
  if options.nz then
    if options.tile then host.raise(call .. ": tile is for grids without nz; in space a PE has a column") end
    return nil
  end
  local tile = options.tile or {1, 1}
  if type(tile) == "number" then tile = {tile, tile} end
  check.table(call, "tile", tile)
  if #tile > 2 then host.raise(format("%s: tile has %d numbers; cells along x and y are wanted", call, #tile)) end
  for k = 1, 2 do check.integer(call, format("tile[%d]", k), tile[k], 1, 4096) end
  return {tile[1], tile[2]}
end

-- Returns {x = true, ...}: the axes with a mirror, named by letters, "xz".
local function mirror_of(call, options)
  local axes, mirrored = options.mirror or "", {}
  if type(axes) ~= "string" or not axes:find("^x?y?z?$") then
    check.wanted(call, "mirror", "axes in their order, as in 'x' or 'xyz',", axes)
  end
  if axes ~= "" and not options.nz then host.raise(call .. ": mirror is for grids with nz") end
  for letter in axes:gmatch(".") do mirrored[letter] = true end
  return mirrored
end

-- Returns the type of the values of a grid, "f32" or "f16".
local function type_of(call, options)
  local type_name = options.type or "f32"
  if type_name ~= "f32" and type_name ~= "f16" then check.wanted(call, "type", "'f32' or 'f16'", type_name) end
  if type_name == "f16" and not options.nz then host.raise(call .. ": type = f16 is for grids with nz") end
  if type_name == "f16" and options.mirror and options.mirror ~= "" then
    host.raise(call .. ": mirror is for grids of f32")
  end
  return type_name
end

-- stencil.grid{nx =, ny =, nz =, dx =, dy =, dz =, dt =, tile =, mirror =, type =}: a plane without nz. Spacings are 1 if
-- they are not given; with dt the equations are checked to be stable. mirror: axes, "x" to "xyz", beyond whose low
-- end all is as in a mirror. type: "f32" or "f16", of fields and parameters; numbers of a step are f32.
function grid.make(options)
  local call = "stencil.grid"
  check_names(call, options, kGrid)
  local made = {sizes = {}, spacing = {}, fields = {}, parameters = {}, updates = {}, injections = {},
                recordings = {}, numbers = {}, totals = {}, sets = {}, names = {}, dims = options.nz and 3 or 2, line = check.line()}
  for k, axis in ipairs(kAxes) do
    local size = options["n" .. axis]
    if size or k < 3 then
      made.sizes[k] = check.integer(call, "n" .. axis, size, 1, k < 3 and kMostSide * 64 or kMostCells)
    end
    made.spacing[k] = positive(call, "d" .. axis, options["d" .. axis] or 1.0)
  end
  made.axes = made.dims == 3 and "x, y, z" or "x, y"
  made.tile, made.mirror, made.type = tile_of(call, options), mirror_of(call, options), type_of(call, options)
  for k = 1, 2 do
    local pes = (made.sizes[k] - 1) // (made.tile and made.tile[k] or 1) + 1
    if pes > kMostSide then
      host.raise(format("%s: n%s = %d wants %d PEs along %s; there are at most %d", call, kAxes[k], made.sizes[k], pes,
                        kAxes[k], kMostSide))
    end
  end
  if options.dt then
    made.dt = expression.make{kind = "number", value = positive(call, "dt", options.dt), name = "dt",
                              fixed = true}
  end
  return setmetatable(made, Grid)
end

-- Returns nx, ny, nz; nz is 1 in a plane.
function methods.extents(self) return self.sizes[1], self.sizes[2], self.sizes[3] or 1 end

function methods.take_name(self, call, name)
  check.name(call, "the name", name)
  if self.names[name] then host.raise(format("%s: the name '%s' is taken", call, name)) end
  self.names[name] = true
end

local kField = {initial = true, before = true, at = true, surface = true, type = true}
local kSigns = {odd = -1, even = 1}

-- Returns 1 or -1 for a field that continues beyond z = 0 as its image, with that sign; nil for one that is 0 there.
local function image_of(self, call, surface)
  if surface == nil then return nil end
  if not kSigns[surface] then check.wanted(call, "surface", "'odd' or 'even'", surface) end
  if self.dims == 2 then host.raise(call .. ": surface is for grids with nz") end
  if self.mirror.z then host.raise(call .. ": surface: the grid has a mirror along z") end
  if self.type == "f16" then host.raise(call .. ": surface is for grids of f32") end
  return kSigns[surface]
end

-- g:field("p", {initial =, before =, at = "x", surface = "odd"}): values that a step changes; 0 at first. at: the axes on
-- which its values lie half a cell further on. surface: beyond z = 0 the field continues as its image, f(-z) = f(z) if it is
-- even, -f(z) if it is odd. type: "f32" in a grid of f16, for what adds up multiples of other fields and is read by nothing else.
function methods.field(self, name, options)
  local call = "field"
  options = options or {}
  check_names(call, options, kField)
  local at = options.at or ""
  if type(at) ~= "string" or not at:find("^x?y?z?$") or at:find("z") and self.dims == 2 then
    check.wanted(call, "at", "axes of the grid, as in 'x' or 'xy'", at)
  end
  for letter in at:gmatch(".") do
    if self.mirror[letter] then
      host.raise(format("%s: at = %s: values on halves of cells have no mirror through the first cells, as the grid has "
                        .. "along %s", call, at, letter))
    end
  end
  self:take_name(call, name)
  local own_type = options.type or self.type
  if own_type ~= self.type and own_type ~= "f32" then check.wanted(call, "type", "'f32', or that of the grid,", own_type) end
  local field = {name = name, position = at, line = check.line(), image = image_of(self, call, options.surface), type = own_type}
  local before = options.before or options.initial or 0.0
  field.initial, field.initial_number = values.of(call, "initial", options.initial or 0.0, self)
  field.initial_before, field.before_number = values.of(call, "before", before, self)
  self.fields[#self.fields + 1] = field
  return expression.make{kind = "access", field = field, level = "now", offset = {0, 0, 0}, grid = self,
                         position = at, fixed = false}
end

-- g:parameter("v", value, {along = "xy"}): what no step changes: a number, a list for each z, a function of the cell,
-- or a file of shape (ny, nx, nz). along: the axes along which it changes, all of them if that is not said.
function methods.parameter(self, name, value, options)
  local call = "parameter"
  self:take_name(call, name)
  local along = "xyz"
  if options ~= nil then
    check_names(call, options, {along = true})
    along = options.along or along
    if type(along) ~= "string" or not along:find("^x?y?z?$") then
      check.wanted(call, "along", "axes in their order, as in '' or 'xz',", along)
    end
  end
  local parameter = {name = name, line = check.line(), along = along}
  parameter.value, parameter.number = values.of(call, "the value", value, self)
  self.parameters[#self.parameters + 1] = parameter
  if parameter.number then
    return expression.make{kind = "number", value = parameter.number, name = name, fixed = true}
  end
  return expression.make{kind = "parameter", parameter = parameter, offset = {0, 0, 0}, grid = self,
                         fixed = true}
end

for _, name in ipairs{"box", "inner", "layers", "surface"} do methods[name] = regions[name] end
for name, method in pairs(numbers.methods) do methods[name] = method end

-- ---- statements

-- Returns the field of an expression that is one as it stands, without offset and level.
local function field_of(call, what, self, node)
  local fine = expression.is(node) and node.kind == "access" and node.level == "now"
               and node.offset[1] == 0 and node.offset[2] == 0 and node.offset[3] == 0
  if not fine then check.wanted(call, what, "a field", expression.is(node) and expression.short(node) or node) end
  if node.grid ~= self then host.raise(format("%s: %s belongs to another grid", call, node.field.name)) end
  return node.field
end

local function check_reach(call, self, node)
  local reach = expression.reach(self)
  for k, distance in ipairs(node.offset) do
    if node.kind == "access" and math.abs(distance) > reach then
      host.raise(format("%s: %s is %d cells away along %s; at most %d are read", call,
                        expression.short(node), math.abs(distance), kAxes[k], reach))
    end
  end
end

-- Refuses the next of a field that no update has set before.
function methods.check_next(self, call, node)
  if node.kind ~= "access" or node.level ~= "next" then return end
  for _, update in ipairs(self.updates) do
    if update.field == node.field then return end
  end
  host.raise(format("%s: %s.next is read before an update sets it", call, node.field.name))
end

-- Whether an equation reads the next of the field that it sets, and so continues what earlier updates have set. Errors: it reads
-- that of neighbours, some of which this update has set again by then.
local function continues(call, update)
  local found = false
  expression.each_leaf(update.equation, function(node)
    if node.kind ~= "access" or node.level ~= "next" or node.field ~= update.field then return end
    found = true
    for _, distance in ipairs(node.offset) do
      if distance ~= 0 then
        host.raise(format("%s: %s is read by an update of %s, which sets it again; %s.next, without neighbours, is wanted", call,
                          expression.short(node), update.field.name, update.field.name))
      end
    end
  end)
  return found
end

local function check_disjoint(call, self, update)
  if update.continues then return end
  for _, other in ipairs(self.updates) do
    if other.field == update.field then
      for _, a in ipairs(other.boxes) do
        for _, b in ipairs(update.boxes) do
          local both = regions.shared(a, b)
          if both then
            host.raise(format("%s: two updates of %s share the cells %s (the other one: %s)", call,
                              update.field.name, regions.box_text(both, self.dims), other.line))
          end
        end
      end
    end
  end
end

local kUpdate = {[1] = true, [2] = true, where = true}

-- g:update{p, equation, where = region}: sets p.next on these cells, on all without a region. An equation that reads p.next
-- changes what earlier updates of the step have set.
function methods.update(self, options)
  local call = "update"
  if expression.is(options) then host.raise("update: braces are wanted, as in g:update{p, equation}") end
  check.table(call, "the statement", options)
  for name in pairs(options) do
    if not kUpdate[name] then
      host.raise(format("%s has no option '%s'%s", call, tostring(name), check.instead(tostring(name), {"where"})))
    end
  end
  local field = field_of(call, "what is set", self, options[1])
  local equation = expression.of(call, "the equation", options[2])
  if equation.grid and equation.grid ~= self then host.raise(call .. ": the equation belongs to another grid") end
  if equation.position and equation.position ~= field.position then
    expression.refuse_positions(call, field.name, field.position, "its equation", equation.position)
  end
  local region = options.where
  if region ~= nil and (not regions.is(region) or region.grid ~= self) then
    check.wanted(call, "where", "a region of this grid, as in g:box{x = {0, 1}},", region)
  end
  local update = {field = field, equation = equation, line = check.line(),
                  boxes = region and region.boxes or {regions.whole(self)}}
  expression.each_leaf(equation, function(node)
    check_reach(call, self, node)
    self:check_next(call, node)
  end)
  update.continues = continues(call, update)
  check_disjoint(call, self, update)
  self.updates[#self.updates + 1] = update
end

local function cell_of(call, self, at)
  check.table(call, "at", at)
  if #at ~= self.dims then host.raise(format("%s: at has %d numbers; a cell %s is wanted", call, #at, self.axes)) end
  local cell = {0, 0, 0}
  for k = 1, self.dims do
    cell[k] = check.integer(call, "at, along " .. kAxes[k], at[k], 0, self.sizes[k] - 1)
  end
  return cell
end

-- Sources and receivers have values of f32.
local function refuse_half(call, self)
  if self.type == "f16" then host.raise(call .. ": it is for grids of f32") end
end

-- g:inject{p, at = {x, y, z}, values = function(step) or a list}: adds to p.next at the end of a step.
function methods.inject(self, options)
  local call = "inject"
  refuse_half(call, self)
  check_names(call, options, {["1"] = true, at = true, values = true})
  local field = field_of(call, "what is added to", self, options[1])
  self.injections[#self.injections + 1] = {
    field = field, cell = cell_of(call, self, options.at), value = values.of_steps(call, options.values),
    line = check.line()}
end

-- g:record{p, at = {x, y, z}, name =}: keeps p.next of that cell at the end of each step.
function methods.record(self, options)
  local call = "record"
  refuse_half(call, self)
  check_names(call, options, {["1"] = true, at = true, name = true})
  local field = field_of(call, "what is recorded", self, options[1])
  self:take_name(call, options.name)
  self.recordings[#self.recordings + 1] = {field = field, cell = cell_of(call, self, options.at),
                                           name = options.name, line = check.line()}
end

-- Returns the statements of a step as lines of text.
function methods.text(self)
  local lines = {}
  local function add_totals(count)
    for _, total in ipairs(self.totals) do
      if total.updates_before == count then lines[#lines + 1] = format("%s = total(%s)", total.name, tostring(total.equation)) end
    end
  end
  for number, update in ipairs(self.updates) do
    add_totals(number - 1)
    local where = ""
    for k, box in ipairs(update.boxes) do
      where = where .. (k > 1 and " and " or " where ") .. regions.box_text(box, self.dims)
    end
    if regions.is_whole(self, update.boxes) then where = "" end
    lines[#lines + 1] = format("%s.next = %s%s", update.field.name, tostring(update.equation), where)
  end
  add_totals(#self.updates)
  for _, set in ipairs(self.sets) do lines[#lines + 1] = format("%s = %s", set.number.name, tostring(set.equation)) end
  if rawget(self, "stopping") then
    lines[#lines + 1] = format("stop if %s <= %.9g", tostring(self.stopping.equation), self.stopping.below)
  end
  for _, injection in ipairs(self.injections) do
    lines[#lines + 1] = format("%s.next[%s] += values(step)", injection.field.name,
                               table.concat(injection.cell, ", ", 1, self.dims))
  end
  for _, recording in ipairs(self.recordings) do
    lines[#lines + 1] = format("%s[step] = %s.next[%s]", recording.name, recording.field.name,
                               table.concat(recording.cell, ", ", 1, self.dims))
  end
  return table.concat(lines, "\n")
end

grid.methods = methods
return grid
