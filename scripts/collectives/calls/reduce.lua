-- Reduce, broadcast, all-reduce and barrier: who sends what to whom, on lines and on rectangles, as cells
-- {pieces =, role =} of a rectangle (code.lua). Must never know names of a program.
local choose = require "collectives.calls.choose"
local lanes = require "collectives.calls.lanes"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local snakes = require "collectives.calls.snake"
local format, ipairs = string.format, ipairs

local reduce = {}

-- The part of a PE in a tree: {takes = {{slot, channel}, ...} in order, tx = slot, sends = channel or nothing for the root}.
local function node(prefix, takes, sends)
  local of = {takes = {}, tx = prefix .. "tx", sends = sends}
  for k, channel in ipairs(takes) do of.takes[k] = {prefix .. "rx" .. k, channel} end
  return of
end

-- Adds to a role the part of its PE in a tree. It takes the last message in one instruction with the send.
local function add_node(request, role, of)
  if of.sends then role.colours[of.tx] = of.sends end
  for k, take in ipairs(of.takes) do
    local slot, channel = take[1], take[2]
    role.colours[slot] = channel
    local last = of.sends and k == #of.takes
    role:add(request:combine(last and request:to(of.tx) or "{data}", "{data}", request:from(slot)))
  end
  if of.sends and #of.takes == 0 then role:add(request:copy(request:to(of.tx), "{data}")) end
end

local function tree(request, line, root, prefix, name)
  local plan = choose.plan(request, name, line.size, root, line.axis)
  local channels, list = lanes.messages(request, line, plan), {}
  for place = 0, line.size - 1 do
    local takes = {}
    for k, from in ipairs(plan.takes[place]) do takes[k] = channels[from] end
    list[place] = node(prefix, takes, channels[place])
  end
  return list
end

-- The role of a PE that does what `first` says and then, if it is given, `second`: nodes of trees or roles. Two nodes
-- are one of a tree of the rectangle.
local function role_of(request, first, second)
  local role = roles.make()
  if second and first.takes and second.takes then
    second = {takes = table.move(second.takes, 1, #second.takes, #first.takes + 1, {table.unpack(first.takes)}),
              tx = second.tx, sends = second.sends}
    first = nil
  end
  for _, of in ipairs{first or false, second or false} do
    if of and of.takes then add_node(request, role, of) elseif of then role:append(of) end
  end
  return role
end

-- Returns the roles of a star: all PEs send straight to the root, which takes those of a side as one message.
local function star(request, line, root, prefix)
  local list = {}
  for place = 0, line.size - 1 do list[place] = roles.make() end
  for _, from in ipairs{0, line.size - 1} do
    local direction = from < root and 1 or -1
    if from ~= root then
      local channel = lanes.train(request, line, from, root, "to" .. root)
      local tx, rx = prefix .. "tx", prefix .. (from == 0 and "rx1" or "rx2")
      for place = from, root - direction, direction do
        reduce.send_train(request, list[place], tx, channel, "{data}", place == from,
                          place == from and from + direction == root)
      end
      local count = prefix .. (from == 0 and "count1" or "count2")
      list[root].colours[rx], list[root].numbers[count] = channel, root > from and root - from or from - root
      local all = format("mem(address({data}), length=[{%s}, %d], stride=[0, 1])", count, request.length)
      list[root]:add(request:combine(all, all, request:from(rx)))
    end
  end
  return list
end

-- Adds to a role its part of a train (lanes.lua): it sends `data`; the first PE ends the train, which
-- needs no end if it has no other PE.
function reduce.send_train(request, role, slot, channel, data, is_first, is_alone)
  role.colours[slot] = channel
  if not is_first then return role:add(request:copy(request:to(slot, "advance"), data)) end
  role:add(request:copy(request:to(slot), data))
  if not is_alone then
    role:add(format("mov32 fabout({%s}, control), control(31, ignore(adv))", slot))
  end
end

-- Returns the parts of the places of a line in a reduce to `root` by a pattern: nodes of a tree, or roles.
local function reduce_line(request, line, root, prefix, name)
  if line.size == 1 then return {[0] = node(prefix, {})} end
  return name == "star" and star(request, line, root, prefix) or tree(request, line, root, prefix, name)
end

-- The cells of a rectangle whose PEs reduce to (x, y) of it along a snake, and the name of the pattern, if that is what
-- the request takes.
local function snake_cells(request, rect, x, y)
  local width, height = lines.sizes(rect)
  if request.along or width == 1 or height == 1 then return nil end
  local line, root = snakes.make(request.layout, rect, x, y)
  local name = choose.snake(request, width, height, root, x, y)
  if not name then return nil end
  local made, cells = tree(choose.on_snake(request), line, root, "x", name), {}
  for place = 0, line.size - 1 do
    local at_x, at_y = line:pe(place)
    cells[place + 1] = {pieces = {line:piece(place)}, role = role_of(request, made[place]), x = at_x, y = at_y}
  end
  return cells, {name}
end

-- The cells of lines alone, in a reduce to a place.
local function cells_of_lines(request, rect, x, y)
  local cells, axis = {}, request.along == "rows" and "x" or "y"
  local line = lines.make(request.layout, rect, axis)
  local root = axis == "x" and x or y
  local name = choose.pattern(request, line.size, root)
  local made = reduce_line(request, line, root, axis, name)
  for place = 0, line.size - 1 do
    cells[#cells + 1] = {pieces = {line:piece(place, place)}, role = role_of(request, made[place]), [axis] = place}
  end
  return cells, {name}
end

-- The cells of a rectangle in a reduce to (x, y) of it, or of all its lines to a place. On a rectangle that takes no
-- snake rows go first, then the column of their roots.
local function reduce_cells(request, rect, x, y)
  if request.along then return cells_of_lines(request, rect, x, y) end
  local cells, names = snake_cells(request, rect, x, y)
  if cells then return cells, names end
  cells, names = {}, {}
  local width, height = lines.sizes(rect)
  local line, down = lines.make(request.layout, rect, "x"), lines.make(request.layout, rect, "y", rect[1][1] + x)
  names[1], names[2] = choose.rows(request, width, height, x, y)
  local row, column = reduce_line(request, line, x, "x", names[1]), reduce_line(request, down, y, "y", names[2])
  for place = 0, height - 1 do
    cells[#cells + 1] = {pieces = {down:piece(place, place)}, role = role_of(request, row[x], column[place]), x = x, y = place}
  end
  for place = 0, width - 1 do
    if place ~= x then
      cells[#cells + 1] = {pieces = {line:piece(place, place)}, role = role_of(request, row[place]), x = place}
    end
  end
  if height == 1 then names[2] = nil end
  if width == 1 then names = {names[2]} end
  return cells, names
end

local function copy_of(role)
  local own = roles.make()
  own:append(role)
  return own
end

local function add_flood(request, role, channel, sends)
  role.colours.flood = channel
  if sends then role:add(request:copy(request:to("flood"), "{data}"))
  else role:add(request:copy("{data}", request:from("flood"))) end
end

-- Adds a flood from the root of each group to the cells.
local function flood(request, rect, x, y, cells)
  local width, height = rect[1][2] - rect[1][1] + 1, rect[2][2] - rect[2][1] + 1
  local channel
  if request.along then
    local axis = request.along == "rows" and "x" or "y"
    local line, root = lines.make(request.layout, rect, axis), axis == "x" and x or y
    if line.size == 1 then return end
    channel = lanes.flood_line(request, line, root, 0, line.size - 1, "" .. root, function() return true end)
  else
    if width * height == 1 then return end
    channel = lanes.flood(request, rect, x, y)
  end
  for _, cell in ipairs(cells) do
    cell.role = copy_of(cell.role)
    add_flood(request, cell.role, channel, cell.is_root)
  end
end

-- Marks the cell of the root.
local function mark_root(request, cells, x, y)
  for _, cell in ipairs(cells) do
    cell.is_root = (request.along == "columns" or cell.x == x) and (request.along == "rows" or cell.y == y)
  end
end

-- The width and height of a group: of a rectangle, or of one of its lines.
function reduce.size_of_group(request, rect)
  local width, height = rect[1][2] - rect[1][1] + 1, rect[2][2] - rect[2][1] + 1
  return request.along == "columns" and 1 or width, request.along == "rows" and 1 or height
end

-- Cells of PEs that do nothing so far: the root's and the others'.
local function empty_cells(request, rect, x, y)
  local w = request.layout
  local all = w:rect({rect[1][1], rect[1][2]}, {rect[2][1], rect[2][2]})
  local xs = request.along == "columns" and rect[1] or {rect[1][1] + x, rect[1][1] + x}
  local ys = request.along == "rows" and rect[2] or {rect[2][1] + y, rect[2][1] + y}
  local root = w:rect({xs[1], xs[2]}, {ys[1], ys[2]})
  return {{pieces = root.pieces, role = roles.make(), is_root = true},
          {pieces = (all - root).pieces, role = roles.make()}}
end

-- The root of a group: the one that is asked for, or with root = "best" the one of the fewest cycles.
local function root_of(request, width, height, has_reduce, has_flood)
  if request.root ~= "best" then return request:root_of(width, height) end
  local function best(size) return has_reduce and choose.root(request, size, has_flood) or size // 2 end
  if has_reduce and choose.snake_is_best(request, width, height, best(width), best(height)) then return 0, 0 end
  return best(width), best(height)
end

-- A function of a request and a rectangle that returns its cells and the names of the patterns.
local function collective(has_reduce, has_flood)
  return function(request, rect)
    local width, height = reduce.size_of_group(request, rect)
    local x, y = root_of(request, width, height, has_reduce, has_flood)
    local cells, names
    if has_reduce then
      cells, names = reduce_cells(request, rect, x, y)
      mark_root(request, cells, x, y)
    else
      cells, names = empty_cells(request, rect, x, y), {"flood"}
    end
    if has_flood then flood(request, rect, x, y, cells) end
    return cells, names, {x, y}
  end
end

reduce.reduce = collective(true, false)
reduce.allreduce = collective(true, true)
reduce.broadcast = collective(false, true)

return reduce
