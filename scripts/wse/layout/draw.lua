-- Pictures in text: where programs lie, how a colour runs, how many channels meet.
local ipairs, format, concat, rep = ipairs, string.format, table.concat, string.rep
local min, max = math.min, math.max
local gsub, sub = string.gsub, string.sub

local draw = {}

local kColumns, kRows = 76, 24 -- of characters; of PEs

-- "prefix a, b, c" in lines of some 95 columns that end with commas.
function draw.folded(prefix, items, indent)
  local lines, line = {}, prefix
  for k, item in ipairs(items) do
    local text = " " .. item .. (k < #items and "," or "")
    if #line + #text > 95 then
      lines[#lines + 1] = line
      line = indent .. sub(text, 2)
    else
      line = line .. text
    end
  end
  lines[#lines + 1] = line
  return concat(lines, "\n")
end

-- A picture of the part of the grid from (x0, y0) on; cell(x, y) is a text of `wide` columns.
local function picture(net, x0, y0, wide, cell, columns, rows)
  local last_x = min(net.width, x0 + max(1, columns // wide)) - 1
  local last_y = min(net.height, y0 + rows) - 1
  local lines, header = {}, {}
  for x = x0, last_x do
    local label = (wide > 3 or x % 5 == 0) and x .. "" or ""
    header[#header + 1] = label
    header[#header + 1] = rep(" ", wide * (x - x0 + 1) - #concat(header))
  end
  lines[1] = rep(" ", 6) .. concat(header)
  for y = y0, last_y do
    local cells = {}
    for x = x0, last_x do cells[#cells + 1] = cell(x, y) end
    lines[#lines + 1] = format("%5d ", y) .. concat(cells)
  end
  if last_x < net.width - 1 or last_y < net.height - 1 or x0 > 0 or y0 > 0 then
    lines[#lines + 1] = format("      (%d..%d, %d..%d) of %s", x0, last_x, y0, last_y, net.size)
  end
  for k, text in ipairs(lines) do lines[k] = gsub(text, "%s+$", "") end
  return concat(lines, "\n")
end

-- The number of channels that each PE knows, around (x, y).
function draw.counts(known, net, x, y)
  local function cell(at_x, at_y)
    return format("%-4d", #known.sets[known.rows[at_y][at_x + 1]])
  end
  return picture(net, max(0, min(x - 5, net.width - 11)), max(0, min(y - 3, net.height - 7)), 4,
                 cell, 44, 7)
end

local kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

-- Programs as letters, with their names below.
function draw.placements(layout, x0, y0)
  local letters, legend = {}, {}
  local function cell(x, y)
    local id = layout.placements.plane:get(x, y)
    if id == 0 then return ". " end
    local name = layout.placements.list[id].program
    if not letters[name] then
      local k = min(#legend + 1, #kLetters)
      letters[name] = sub(kLetters, k, k)
      legend[#legend + 1] = letters[name] .. " " .. name
    end
    return letters[name] .. " "
  end
  local text = picture(layout.net, x0, y0, 2, cell, kColumns, kRows)
  return text .. (#legend > 0 and "\n" .. concat(legend, ", ") or "") .. "\n"
end

local kArrows = {[1] = "<", [2] = ">", [4] = "^", [8] = "v", [3] = "-", [12] = "|"}

-- "o>" the PE sends to the east, ">" passes on, ">*" passes on and gets it, "*" gets it, "+"
-- several sides.
local function arrow(net, at)
  local sides = at.tx & ~(1 << net.ramp)
  local text = at.rx == net.ramp and "o" or " "
  if net.is_hypercube then
    text = text .. (sides ~= 0 and format("%03x", sides) or "   ")
  elseif sides ~= 0 then
    text = text .. (kArrows[sides] or "+")
  end
  return text .. (at.tx >> net.ramp & 1 == 1 and "*" or "")
end

function draw.routes(layout, colour, x0, y0, position)
  local net, routes = layout.net, colour.routes
  local wide = net.is_hypercube and 6 or 4
  local function cell(x, y)
    local id = routes.plane:get(x, y)
    local at = id ~= 0 and routes.list[id][position]
    return format("%-" .. wide .. "s", at and arrow(net, at) or " .")
  end
  return picture(net, x0, y0, wide, cell, kColumns, kRows)
         .. "\n" .. colour.name .. ": o sends, * gets, arrows: the way on\n"
end

return draw
