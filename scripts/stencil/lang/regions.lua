-- Regions: cells of a grid as disjoint boxes {x = {first, last}, y =, z =}, both ends included.
local check = require "wse.layout.check"
local host = require "wse.host"
local format = string.format

local regions = {}

local kAxes = {"x", "y", "z"}
local Region = {__metatable = "stencil region"}

local function make(grid, boxes) return setmetatable({grid = grid, boxes = boxes}, Region) end

local function is_empty(box)
  return box.x[1] > box.x[2] or box.y[1] > box.y[2] or box.z[1] > box.z[2]
end

local function copy_of(box)
  return {x = {box.x[1], box.x[2]}, y = {box.y[1], box.y[2]}, z = {box.z[1], box.z[2]}}
end

-- Returns what two boxes share; nil if that is nothing.
function regions.shared(a, b)
  local box = {}
  for _, axis in ipairs(kAxes) do
    box[axis] = {math.max(a[axis][1], b[axis][1]), math.min(a[axis][2], b[axis][2])}
  end
  return not is_empty(box) and box or nil
end

-- Returns the parts of box `a` that are not in `b`, as disjoint boxes.
local function minus(a, b)
  local inside = regions.shared(a, b)
  if not inside then return {a} end
  local parts, rest = {}, copy_of(a)
  for _, axis in ipairs(kAxes) do
    local low, high = copy_of(rest), copy_of(rest)
    low[axis][2], high[axis][1] = inside[axis][1] - 1, inside[axis][2] + 1
    for _, part in ipairs{low, high} do
      if not is_empty(part) then parts[#parts + 1] = part end
    end
    rest[axis] = inside[axis]
  end
  return parts
end

-- Returns the boxes without those of another list.
function regions.without(boxes, others)
  for _, other in ipairs(others) do
    local left = {}
    for _, box in ipairs(boxes) do
      for _, part in ipairs(minus(box, other)) do left[#left + 1] = part end
    end
    boxes = left
  end
  return boxes
end

-- Returns the box of all cells.
function regions.whole(grid)
  local nx, ny, nz = grid:extents()
  return {x = {0, nx - 1}, y = {0, ny - 1}, z = {0, nz - 1}}
end

function regions.is_whole(grid, boxes) return #regions.without({regions.whole(grid)}, boxes) == 0 end

-- Returns the text of a box of a grid with that many axes.
function regions.box_text(box, dims)
  local list = {}
  for k = 1, dims do list[k] = format("%s %d..%d", kAxes[k], box[kAxes[k]][1], box[kAxes[k]][2]) end
  return table.concat(list, ", ")
end

-- g:box{x = {2, 5}, z = {0, 0}}: axes that are not given are whole.
function regions.box(grid, ranges)
  check.table("box", "the ranges", ranges)
  local box = regions.whole(grid)
  for _, name in ipairs(check.sorted_keys(ranges)) do
    if not box[name] or not grid.sizes[({x = 1, y = 2, z = 3})[name]] then
      host.raise(format("box: the grid has no axis %s; it has %s", name, grid.axes))
    end
    local range = ranges[name]
    if type(range) ~= "table" or #range ~= 2 then check.wanted("box", name, "{first, last}", range) end
    local last = box[name][2]
    check.integer("box", name .. "[1]", range[1], 0, last)
    box[name] = {range[1], check.integer("box", name .. "[2]", range[2], range[1], last)}
  end
  return make(grid, {box})
end

-- Reads the width of layers: a number for all sides, or {x = {low, high}, y =, z =}.
local function inner_box(call, grid, width)
  local box = regions.whole(grid)
  for k, axis in ipairs(kAxes) do
    local size = grid.sizes[k]
    if size then
      local sides = width
      if type(width) == "table" then sides = width[axis] or 0 end
      if type(sides) ~= "table" then sides = {sides, sides} end
      for end_ = 1, 2 do check.integer(call, "the width along " .. axis, sides[end_], 0, size) end
      box[axis] = {sides[1], size - 1 - sides[2]}
    end
  end
  return box
end

-- g:inner(width): all but the layers of that width. Errors: nothing is left.
function regions.inner(grid, width)
  local box = inner_box("inner", grid, width)
  if is_empty(box) then host.raise("inner: layers of that width leave no cell") end
  return make(grid, {box})
end

-- g:layers(width): the cells nearer to the border than that.
function regions.layers(grid, width)
  local box = inner_box("layers", grid, width)
  local boxes = is_empty(box) and {regions.whole(grid)} or regions.without({regions.whole(grid)}, {box})
  if #boxes == 0 then host.raise("layers: layers of width 0 have no cell") end
  return make(grid, boxes)
end

-- g:surface("z", "low"): the outermost cells of a side.
function regions.surface(grid, axis, side)
  local box = regions.whole(grid)
  if not box[axis] or not grid.sizes[({x = 1, y = 2, z = 3})[axis]] then
    check.wanted("surface", "the axis", "one of " .. grid.axes, axis)
  end
  if side ~= "low" and side ~= "high" then check.wanted("surface", "the side", "'low' or 'high'", side) end
  local at = side == "low" and box[axis][1] or box[axis][2]
  box[axis] = {at, at}
  return make(grid, {box})
end

function regions.is(value) return getmetatable(value) == Region.__metatable end

return regions
