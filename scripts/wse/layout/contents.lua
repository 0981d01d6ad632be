-- The contents of PEs of one kind, placements or filters of a colour: a plane of ids, each a content (a
-- text) and the user's line. A PE has one; a second is an error with both lines.
local host = require "wse.host"
local plane = require "wse.layout.plane"
local setmetatable, ipairs, format = setmetatable, ipairs, string.format

local Contents = {__metatable = false}
Contents.__index = Contents

local contents = {}

-- what: "program" or "filter of 'red'", for messages.
function contents.make(what, net)
  return setmetatable({what = what, list = {}, ids = {}, plane = plane.make(net.width, net.height)},
                      Contents)
end

-- The id of the content; make() brings the fields of a new one, `text` and `line` are added.
function Contents:intern(text, line, make)
  local key = line .. " " .. text
  local id = self.ids[key]
  if not id then
    local item = make and make() or {}
    item.text, item.line = text, line
    id = #self.list + 1
    self.list[id], self.ids[key] = item, id
  end
  return id
end

-- Checks that no PE of the region has one.
function Contents:check_free(call, pieces)
  self.plane:check(pieces, function(old, x, y)
    host.raise(format("%s: PE (%d, %d) has a %s already, from %s", call, x, y, self.what,
                      self.list[old].line))
  end)
end

function Contents:fill(pieces, id)
  self.plane:fill(pieces, id)
end

-- content_of[id] for the plane's cover, and text and line of each content.
function Contents:contents()
  local content_of, texts, lines, numbers = {}, {}, {}, {}
  for id, item in ipairs(self.list) do
    if not numbers[item.text] then
      numbers[item.text] = #texts + 1
      texts[#texts + 1], lines[#lines + 1] = item.text, item.line
    end
    content_of[id] = numbers[item.text]
  end
  return content_of, texts, lines
end

return contents
