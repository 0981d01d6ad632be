-- Gather, scatter and all-gather: blocks of any lengths move as they are, between an array of the PE, {data}
-- or {into}, and the array of all. On a line the array of all has the order of places, on a rectangle it
-- goes row by row. Must never know names of a program.
--
-- Trains (lanes.lua) bring blocks to a root: what comes from one side comes nearest PE first. PEs below the receiver
-- send their elements backwards, so that all of that side are one run, from its last element to its first.
local host = require "wse.host"
local lanes = require "collectives.calls.lanes"
local lengths = require "collectives.calls.lengths"
local lines = require "collectives.calls.line"
local reduce = require "collectives.calls.reduce"
local roles = require "collectives.calls.roles"
local format, ipairs, max, min = string.format, ipairs, math.max, math.min

local blocks = {}

-- Elements first .. first + count - 1 of an operand, slots of the role; backwards with `stride` -1.
local function run(request, role, operand, slot, first, count, stride)
  role.numbers[slot .. "at"] = stride == -1 and lengths.last(first, count) or first
  role.numbers[slot .. "count"] = count
  return request:memory(operand, "{" .. slot .. "at}", "{" .. slot .. "count}", stride)
end

-- The PE's own block goes to its place in the array of all, where `own` is not part of that.
local function keep(request, role, own, list, place, base)
  if own.operand == "into" then return end
  local from = run(request, role, own.operand, own.slot .. "keep", own.first(place), list[place])
  local to = run(request, role, "into", own.slot .. "kept", base + list.first[place], list[place])
  role:main(request:copy(to, from))
end

-- Returns the strand that sends the block of a place on a train.
local function send(request, role, slot, channel, own, list, place, direction, is_first, is_alone)
  local data = run(request, role, own.operand, slot, own.first(place), list[place], -direction)
  role.colours[slot] = channel
  if not is_first then return {request:copy(request:to(slot, "advance"), data)} end
  local strand = {request:copy(request:to(slot), data)}
  if not is_alone then
    strand[2] = format("mov32 fabout({%s}, control), control(31, ignore(adv))", slot)
  end
  return strand
end

-- Returns the strand that takes the blocks of all places on one side of a place, `below` it or above, in the order
-- of elements or, with `stride` -1, backwards.
local function take(request, role, slot, channel, list, place, below, base, stride)
  local first = below and 0 or place + 1
  local count = below and list.first[place] or list.total - list.first[place + 1]
  role.colours[slot] = channel
  local to = run(request, role, "into", slot, base + list.first[first], count, stride)
  return {request:copy(to, request:from(slot))}
end

-- Roles of a line whose places send their blocks to `root`, which puts them into {into} from element
-- `base` on. own = {operand =, first(place) = its first element there, slot = prefix of slots}.
local function gather_line(request, line, root, list, own, base)
  local made, strands = {}, {}
  for place = 0, line.size - 1 do made[place] = roles.make() end
  keep(request, made[root], own, list, root, base)
  local name = "to" .. root .. (list.has_empty and "_" .. list.name or "")
  local function sends(place) return list[place] > 0 end
  for _, from in ipairs{0, line.size - 1} do
    local direction = from < root and 1 or -1
    while from ~= root and not sends(from) do from = from + direction end
    if from ~= root then
      local channel = lanes.train(request, line, from, root, name, nil, sends)
      for place = from, root - direction, direction do
        if sends(place) then
          made[place]:beside{send(request, made[place], own.slot .. "tx", channel, own, list, place, direction,
                                  place == from, from + direction == root)}
        end
      end
      local slot = own.slot .. (direction > 0 and "below" or "above")
      strands[#strands + 1] = take(request, made[root], slot, channel, list, root, direction > 0, base, -direction)
    end
  end
  if #strands > 0 then made[root]:beside(strands) end
  return made
end

-- A lane in one direction that all PEs behind get, too: make is lanes.train or lanes.convoy. A PE hears itself, in a
-- train first and in a convoy last: a filter drops that. Returns the channel, if anybody sends, how many wavelets
-- come before those of a place, and the place where the lane begins.
local function hear(request, line, list, direction, make)
  local from, to = direction > 0 and 0 or line.size - 1, direction > 0 and line.size - 1 or 0
  local function before(place) -- wavelets of the PEs before it
    if direction > 0 then return lengths.words(request, list, 0, place) end
    return lengths.words(request, list, place + 1, line.size)
  end
  local function sends(place) return list[place] > 0 end
  while make == lanes.train and from ~= to and not sends(from) do from = from + direction end
  if from == to then return nil, before, from end
  local channel, fresh = make(request, line, from, to, "all_" .. list.name,
                              function(place) return before(place) > 0 end, sends)
  for place = from + direction, to - direction, direction do
    local own = request:words(list[place])
    if fresh and before(place) > 0 and own > 0 then
      local piece, first = line:piece(place, place), make == lanes.train and own or 0
      lanes.filter(request, request.layout:rect(piece[1], piece[2]), channel, first, before(place),
                   own + before(place))
    end
  end
  return channel, before, from
end

-- Returns the strand that sends the block of a place in a convoy down.
local function join_convoy(request, role, slot, channel, own, list, place)
  role.colours[slot] = channel
  local data = run(request, role, own.operand, slot, own.first(place), list[place], -1)
  return {request:copy(request:to(slot), data),
          format("mov32 fabout({%s}, control), %s", slot, lanes.next_of_convoy)}
end

-- Roles of a line whose places all get all blocks, up in a train and down in a convoy. Place p of P hears the convoy
-- in the time of the first P - 1 - p blocks and then the train, so that it takes a word in each cycle.
local function allgather_line(request, line, list, own, base)
  local made, last = {}, line.size - 1
  for place = 0, last do
    made[place] = roles.make()
    keep(request, made[place], own, list, place, base)
  end
  if last == 0 then return made end
  local down, before_down = hear(request, line, list, -1, lanes.convoy)
  local up, before_up, begins = hear(request, line, list, 1, lanes.train)
  for place = 0, last do
    local role, strands = made[place], {}
    if before_down(place) > 0 then
      strands[1] = take(request, role, own.slot .. "above", down, list, place, false, base, -1)
    end
    if before_up(place) > 0 then
      strands[#strands + 1] = take(request, role, own.slot .. "below", up, list, place, true, base, -1)
    end
    if place < last and list[place] > 0 then
      strands[#strands + 1] = send(request, role, own.slot .. "up", up, own, list, place, 1, place == begins,
                                   begins + 1 == last)
    end
    if place > 0 then strands[#strands + 1] = join_convoy(request, role, own.slot .. "down", down, own, list, place) end
    if #strands > 0 then role:beside(strands) end
  end
  return made
end

local function sizes(rect) return rect[1][2] - rect[1][1] + 1, rect[2][2] - rect[2][1] + 1 end

local function from_data(slot) return {operand = "data", slot = slot, first = function() return 0 end} end

-- The cells of a request: on lines make_line(line, root, lengths, own, base) alone; of a rectangle the
-- rows, then columns, whose PEs have what their row brought them: at(y) is where that begins.
local function cells_of(request, rect, make_line, root_x, root_y, at)
  local width, height = sizes(rect)
  local w = request.layout
  if request.along then
    local line = lines.make(w, rect, request.along == "rows" and "x" or "y")
    local made = make_line(line, request.along == "rows" and root_x or root_y,
                           lengths.make(request, line.size), from_data(""), 0)
    return lines.cells(line, function(place) return made[place] end)
  end
  local list = lengths.make(request, width * height)
  local rows = lengths.rows(list, width, height)
  local in_row, cells = {}, {}
  for y = 0, height - 1 do
    local line = lines.make(w, rect, "x", rect[2][1] + y)
    in_row[y] = make_line(line, root_x, lengths.row(list, width, y), from_data("x"), at(rows, y))
  end
  for x = 0, width - 1 do
    local column
    if height > 1 and (root_x == nil or x == root_x) then
      local line = lines.make(w, rect, "y", rect[1][1] + x)
      column = make_line(line, root_y, rows, {operand = "into", slot = "y", first = function(y)
        return at(rows, y)
      end}, 0)
    end
    for y = 0, height - 1 do
      if column then in_row[y][x]:append(column[y]) end
      local column_x, row_y = rect[1][1] + x, rect[2][1] + y
      cells[#cells + 1] = {pieces = {{{column_x, column_x, 1}, {row_y, row_y, 1}}}, role = in_row[y][x]}
    end
  end
  return cells
end

-- The root gets all blocks. The other PEs of its column hold those of their row, at the beginning of {into}.
function blocks.gather(request, rect)
  local width, height = reduce.size_of_group(request, rect)
  local x, y = request:root_of(width, height)
  local function make_line(line, root, list, own, base)
    return gather_line(request, line, root, list, own, base)
  end
  local function at(rows, row) return row == y and rows.first[row] or 0 end
  return cells_of(request, rect, make_line, x, y, at), {"train"}
end

function blocks.allgather(request, rect)
  local function make_line(line, _, list, own, base)
    return allgather_line(request, line, list, own, base)
  end
  return cells_of(request, rect, make_line, nil, nil, function(rows, row) return rows.first[row] end), {"train"}
end

-- ---- scatter: the root floods all blocks but its own, and filters take out what a PE gets ----

local function send_all(request, role, list, root)
  local before, after = list.first[root], list.total - list.first[root + 1]
  if before > 0 then role:add(request:copy(request:to("tx"), run(request, role, "data", "before", 0, before))) end
  if after > 0 then
    role:add(request:copy(request:to("tx"), run(request, role, "data", "behind", list.first[root + 1], after)))
  end
  local kept = run(request, role, "into", "kept", 0, list[root])
  role:main(request:copy(kept, run(request, role, "data", "keep", list.first[root], list[root])))
end

local function get_block(request, role, list, root, place, region, channel, fresh)
  local first = list.first[place] - (place > root and list[root] or 0)
  role.colours.rx = channel
  role:add(request:copy(run(request, role, "into", "kept", 0, list[place]), request:from("rx")))
  if fresh then
    lanes.filter(request, region, channel, request:words(first), request:words(list[place]),
           request:words(list.total - list[root]))
  end
end

local function scatter_line(request, rect, root)
  local line = lines.make(request.layout, rect, request.along == "rows" and "x" or "y")
  local list, made = lengths.make(request, line.size), {}
  for place = 0, line.size - 1 do made[place] = roles.make() end
  local first, last = root, root
  for place = 0, line.size - 1 do
    if list[place] > 0 then first, last = min(first, place), max(last, place) end
  end
  send_all(request, made[root], list, root)
  local function role_at(place) return made[place] end
  if first == last then return lines.cells(line, role_at) end
  local name = format("%d_%s", root, list.name)
  local fresh = request:is_fresh(format("%s_flood_%s", line.axis, name))
  local channel = lanes.flood_line(request, line, root, first, last, name, function(place) return list[place] > 0 end)
  made[root].colours.tx = channel
  for place = first, last do
    if place ~= root and list[place] > 0 then
      local piece = line:piece(place, place)
      get_block(request, made[place], list, root, place, request.layout:rect(piece[1], piece[2]), channel, fresh)
    end
  end
  return lines.cells(line, role_at)
end

local function scatter_grid(request, rect, x, y)
  local width, height = sizes(rect)
  local list, root, cells, w = lengths.make(request, width * height), y * width + x, {}, request.layout
  for place = 0, list.count - 1 do
    if list[place] == 0 then
      host.raise(format("%s: place %d has no elements; on a rectangle each PE has some", request.call, place))
    end
  end
  local name = "_" .. list.name
  local fresh = request:is_fresh(format("flood_%d_%d%s", x, y, name))
  local channel = list.count > 1 and lanes.flood(request, rect, x, y, name)
  for place = 0, list.count - 1 do
    local role = roles.make()
    local region = w:pe(rect[1][1] + place % width, rect[2][1] + place // width)
    cells[#cells + 1] = {pieces = region.pieces, role = role}
    if place == root then
      send_all(request, role, list, root)
      role.colours.tx = channel or nil
    else
      get_block(request, role, list, root, place, region, channel, fresh)
    end
  end
  return cells
end

function blocks.scatter(request, rect)
  local width, height = reduce.size_of_group(request, rect)
  local x, y = request:root_of(width, height)
  if request.along then return scatter_line(request, rect, request.along == "rows" and x or y), {"flood"} end
  return scatter_grid(request, rect, x, y), {"flood"}
end

return blocks
