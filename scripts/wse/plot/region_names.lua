-- Names of the regions of a heat map: each is in the region, where this is wide enough for it; one
-- that fits nowhere has a number there, and the name in a line below the map.
local svg = require "wse.plot.svg"
local ipairs, format, ceil, max, abs = ipairs, string.format, math.ceil, math.max, math.abs
local sort, concat, pairs, tostring = table.sort, table.concat, pairs, tostring

local kSize <const> = 12
local kInk <const> = "#000000"

local region_names = {}

-- Cells of each connected part: {name =, cells = {[k] = true}, count =}, in the order of their first cells.
local function parts_of(names, columns)
  local parts, part_of = {}, {}
  for first = 1, #names do
    if not part_of[first] then
      local part = {name = names[first], cells = {}, count = 0}
      local open = {first}
      part_of[first] = part
      parts[#parts + 1] = part
      while #open > 0 do
        local k = open[#open]
        open[#open] = nil
        part.cells[k], part.count = true, part.count + 1
        local column = (k - 1) % columns
        local near = {column > 0 and k - 1, column < columns - 1 and k + 1, k - columns, k + columns}
        for _, other in ipairs(near) do
          if other and names[other] == part.name and not part_of[other] then
            part_of[other] = part
            open[#open + 1] = other
          end
        end
      end
    end
  end
  return parts
end

-- The widest run of columns in which all of `high` rows from `row` on are in the part.
local function widest_run(part, columns, row, high)
  local best, first = nil, nil
  for column = 0, columns do
    local inside = column < columns
    for r = row, row + high - 1 do
      inside = inside and part.cells[r * columns + column + 1] == true
    end
    if inside and not first then first = column end
    if not inside and first then
      if not best or column - first > best.wide then best = {column = first, wide = column - first} end
      first = nil
    end
  end
  return best
end

-- The middle {x, y}, in cells, of the room that a text of that size has in the part; nothing if none.
local function room_for(part, grid, cell, wide)
  local high = max(1, ceil((kSize + 4) / cell))
  local middle, best = 0, nil
  for k in pairs(part.cells) do middle = middle + (k - 1) // grid.columns end
  middle = middle / part.count
  for row = 0, grid.rows - high do
    local run = widest_run(part, grid.columns, row, high)
    if run and run.wide * cell >= wide + 4 then
      local away = abs(row + (high - 1) / 2 - middle)
      local fit = run.wide - 2 * away
      if not best or fit > best.fit then
        best = {x = run.column + run.wide / 2, y = row + high / 2, fit = fit}
      end
    end
  end
  return best
end

-- Texts with their places, in cells, and the line below: {texts = {{x, y, text}}, key = text}.
function region_names.lay(names, grid, cell)
  local texts, largest, named = {}, {}, {}
  for _, part in ipairs(parts_of(names, grid.columns)) do
    local room = room_for(part, grid, cell, svg.text_width(part.name, kSize))
    if room then
      texts[#texts + 1] = {room.x, room.y, part.name}
      named[part.name] = true
    end
    if not largest[part.name] or part.count > largest[part.name].count then largest[part.name] = part end
  end
  local left = {}
  for name in pairs(largest) do
    if not named[name] then left[#left + 1] = name end
  end
  sort(left)
  local keys = {}
  for k, name in ipairs(left) do
    local room = room_for(largest[name], grid, cell, svg.text_width(tostring(k), kSize))
    if room then texts[#texts + 1] = {room.x, room.y, tostring(k)} end
    keys[k] = format("%s: %s", room and k or "too small for a name", name)
  end
  return {texts = texts, key = concat(keys, ", ")}
end

function region_names.draw(canvas, laid, left, top, cell)
  for _, text in ipairs(laid.texts) do
    canvas:text(left + text[1] * cell, top + text[2] * cell + 0.35 * kSize, text[3],
                {size = kSize, anchor = "middle", fill = kInk, halo = true})
  end
end

return region_names
