-- Where the code of the machine comes from: marks with the user's lines, which a trap names. A kernel
-- that many lines call belongs to none; so those that can trap by what data hold, as an index or a
-- divisor, are made for each line anew, with the line in their names.
local text = require "wse.layout.text"
local concat, format, ipairs = table.concat, string.format, ipairs

local lines = {kNone = ".line 0"}

-- The statement that says so.
function lines.of(node)
  if node.line == 0 then return lines.kNone end
  return format(".line %d %s", node.line, text.quoted(node.file))
end

-- Returns the end of the name of a kernel for one line.
function lines.suffix(node)
  local stem = node.file:match("([^/]*)%.lua$") or node.file
  return format("_%s_%d", stem:gsub("[^%w_]", "_"), node.line)
end

-- Notes the nodes whose calls use a kernel.
function lines.add(kernel, ...)
  kernel.places = kernel.places or {}
  for _, node in ipairs{...} do
    local place = lines.of(node)
    if not kernel.places[place] then
      kernel.places[place] = true
      table.insert(kernel.places, {mark = place, text = format("%s:%d", node.file, node.line)})
    end
  end
end

-- Sets the mark that is in front of the kernel's code, and a note for who reads it.
function lines.mark(kernel)
  local places, texts = kernel.places, {}
  for k, place in ipairs(places) do texts[k] = place.text end
  kernel.mark = #places == 1 and places[1].mark or lines.kNone
  kernel.note = #places > 1 and "for " .. concat(texts, ", ") or nil
end

return lines
