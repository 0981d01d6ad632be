-- Spans: cells of a column as ranges {first, last} of z, both ends included, in order and apart. A region with spans holds their
-- cells one after the other.
local spans = {}

-- Returns the ranges of a list in order, those that overlap or touch as one.
function spans.merged(list)
  local sorted, result = table.move(list, 1, #list, 1, {}), {}
  table.sort(sorted, function(a, b) return a[1] < b[1] end)
  for _, range in ipairs(sorted) do
    local last = result[#result]
    if last and range[1] <= last[2] + 1 then
      last[2] = math.max(last[2], range[2])
    else
      result[#result + 1] = {range[1], range[2]}
    end
  end
  return result
end

-- Returns the spans of boxes in a column of so many cells; nil if these are all cells.
function spans.of_boxes(boxes, cells)
  local list = {}
  for k, box in ipairs(boxes) do list[k] = box.z end
  list = spans.merged(list)
  if #list == 1 and list[1][1] == 0 and list[1][2] == cells - 1 then return nil end
  return list
end

-- Returns the number of cells.
function spans.count(list)
  local count = 0
  for _, range in ipairs(list) do count = count + range[2] - range[1] + 1 end
  return count
end

-- Returns how many cells lie before the one at height z; nil if that is in no span.
function spans.place(list, z)
  local before = 0
  for _, range in ipairs(list) do
    if z >= range[1] and z <= range[2] then return before + z - range[1] end
    before = before + range[2] - range[1] + 1
  end
end

-- Returns the height of the cell that has so many before it; -1 if there is none.
function spans.cell(list, place)
  for _, range in ipairs(list) do
    local count = range[2] - range[1] + 1
    if place < count then return range[1] + place end
    place = place - count
  end
  return -1
end

-- Returns the pieces {first =, count =} of at most `block` cells.
function spans.pieces(list, block)
  local pieces = {}
  for _, range in ipairs(list) do
    for first = range[1], range[2], block do
      pieces[#pieces + 1] = {first = first, count = math.min(block, range[2] - first + 1)}
    end
  end
  return pieces
end

return spans
