-- A strict little reader of the SVG that the library writes: well-formed, numbers everywhere, every
-- coordinate within the picture. Raises an error where that does not hold.
local check = {}

local function attributes_of(text, element)
  local found = {}
  local rest = text:gsub('%s+([%w:-]+)="([^"<]*)"', function(name, value)
    assert(found[name] == nil, "twice " .. name .. " in " .. element)
    assert(not value:gsub("&%a+;", ""):find("&"), "a bare & in " .. value)
    found[name] = value
    return ""
  end)
  assert(rest:find("^%s*/?$"), "not understood: " .. rest .. " in " .. element)
  return found
end

local entities = {["&amp;"] = true, ["&lt;"] = true, ["&gt;"] = true, ["&quot;"] = true}

local function check_text(text)
  for entity in text:gmatch("&[^;]*;?") do assert(entities[entity], "bad entity " .. entity) end
  assert(not text:find("[%z\1-\8\11\12\14-\31]"), "a control character")
  assert(not text:find(">", 1, true), "a bare > in " .. text)
end

-- How far an element is moved by itself and what is around it.
local function moved(outer, attributes)
  local x, y = (attributes.transform or ""):match("^translate%(([%d.]+) ([%d.]+)%)$")
  return (outer and outer.x or 0) + (x or 0), (outer and outer.y or 0) + (y or 0)
end

-- Elements in the order they open: {name, attributes, text, x, y = how far they are moved}.
function check.elements(svg)
  assert(utf8.len(svg), "not UTF-8")
  local body = svg:match("^<%?xml version=\"1.0\" encoding=\"UTF%-8\"%?>\n(.*)$")
  assert(body, "no XML declaration")
  local elements, open, at = {}, {}, 1
  while true do
    local first, last, slash, name, rest = body:find("<(/?)(%a+)([^<>]*)>", at)
    if not first then break end
    local text = body:sub(at, first - 1)
    check_text(text)
    if #open > 0 then open[#open].text = open[#open].text .. text end
    if slash == "/" then
      assert(#open > 0 and open[#open].name == name, "</" .. name .. "> closes nothing")
      open[#open] = nil
    else
      local element = {name = name, attributes = attributes_of(rest, name), text = ""}
      element.x, element.y = moved(open[#open], element.attributes)
      elements[#elements + 1] = element
      if not rest:find("/$") then open[#open + 1] = element end
    end
    at = last + 1
  end
  assert(#open == 0, "not closed")
  assert(body:sub(at):find("^%s*$") and not body:sub(at):find("<"), "text behind the end")
  return elements
end

local numeric = {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height",
                 "font-size", "stroke-width"}

local function within(value, limit, what)
  local number = tonumber(value)
  assert(number and value:find("^%-?%d+%.?%d*$"), "no number: " .. value)
  assert(number >= 0 and number <= limit, what .. " outside: " .. value)
end

local function check_element(element, width, height)
  local a = element.attributes
  width, height = width - element.x, height - element.y  -- what is left of the picture there
  for _, name in ipairs(numeric) do
    if a[name] then
      local across = name:find("x") or name == "width"
      within(a[name], across and width or height, element.name .. " " .. name)
    end
  end
  for x, y in (a.points or ""):gmatch("([^ ,]+),([^ ,]+)") do
    within(x, width, "point")
    within(y, height, "point")
  end
  assert(not (a.width and a.x) or a.x + a.width <= width + 0.02, "right side outside")
  assert(not (a.height and a.y) or a.y + a.height <= height + 0.02, "lower side outside")
end

-- The elements of a picture whose size is fine.
function check.picture(svg)
  local elements = check.elements(svg)
  local a = elements[1].attributes
  assert(elements[1].name == "svg" and a.xmlns == "http://www.w3.org/2000/svg")
  assert(a.viewBox == "0 0 " .. a.width .. " " .. a.height)
  for k = 2, #elements do check_element(elements[k], a.width + 0, a.height + 0) end
  return elements
end

function check.count(elements, name)
  local count = 0
  for _, element in ipairs(elements) do
    if element.name == name then count = count + 1 end
  end
  return count
end

-- All texts of the picture, without what is raised.
function check.texts(elements)
  local found = {}
  for _, element in ipairs(elements) do
    if element.name == "text" then found[element.text] = (found[element.text] or 0) + 1 end
  end
  return found
end

-- In units of the size; narrow letters are those of most fonts.
local function width_of(text)
  local narrow = select(2, text:gsub("[ .,:;'|!ijl]", ""))
  return 0.36 * narrow + 0.62 * (utf8.len(text) - narrow)
end

-- Boxes {left, top, right, bottom, text} of the texts, turned ones too, by an estimate of their letters.
local function boxes_of(elements)
  local boxes = {}
  for _, element in ipairs(elements) do
    if element.name == "text" then
      local a = element.attributes
      local size, x, y = tonumber(a["font-size"]), a.x + element.x, a.y + element.y
      local wide = size * width_of(element.text)
      local back = a["text-anchor"] == "middle" and wide / 2 or a["text-anchor"] == "end" and wide or 0
      local box = {x - back, y - 0.75 * size, x - back + wide, y + 0.2 * size, element.text}
      if (a.transform or ""):find("^rotate") then box = {x - 0.75 * size, y + back - wide, x + 0.2 * size, y + back, element.text} end
      boxes[#boxes + 1] = box
    end
  end
  return boxes
end

-- No text is on another one.
function check.apart(elements)
  local boxes = boxes_of(elements)
  for k, one in ipairs(boxes) do
    for j = k + 1, #boxes do
      local other = boxes[j]
      if one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4] then
        error(("'%s' is on '%s'"):format(one[5], other[5]), 2)
      end
    end
  end
  return #boxes
end

return check
