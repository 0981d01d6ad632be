-- The regions that a layout begins with: methods of a layout.
local check = require "wse.layout.check"
local plane = require "wse.layout.plane"
local progression = require "wse.layout.progression"
local region = require "wse.layout.region"
local type, min, ipairs = type, math.min, ipairs

local regions = {}

local function rectangle(self, xs, ys)
  return region.make(self, xs and ys and {{xs, ys}} or {})
end

local function whole(count) return {0, count - 1, 1} end

function regions.all(self)
  return rectangle(self, whole(self.width), whole(self.height))
end

function regions.none(self) return region.make(self, {}) end

function regions.pe(self, x, y)
  x = check.integer("w:pe", "x", x, 0, self.width - 1)
  y = check.integer("w:pe", "y", y == nil and self.height == 1 and 0 or y, 0, self.height - 1)
  return rectangle(self, {x, x, 1}, {y, y, 1})
end

function regions.rect(self, xs, ys)
  return rectangle(self, progression.given("w:rect", "x", xs, self.width),
                   progression.given("w:rect", "y", ys, self.height))
end

function regions.row(self, y)
  return rectangle(self, whole(self.width), progression.given("w:row", "y", y, self.height))
end

function regions.column(self, x)
  return rectangle(self, progression.given("w:column", "x", x, self.width), whole(self.height))
end

function regions.border(self)
  local inside = rectangle(self, progression.make(1, self.width - 2, 1),
                           progression.make(1, self.height - 2, 1))
  return self:all() - inside
end

-- The PEs with (x + y) % 2 == k.
function regions.checkerboard(self, k)
  k = check.integer("w:checkerboard", "the parity", k, 0, 1)
  local pieces = {}
  for y = 0, min(1, self.height - 1) do
    local xs = progression.make((k + y) % 2, self.width - 1, 2)
    if xs then pieces[#pieces + 1] = {xs, progression.make(y, self.height - 1, 2)} end
  end
  return region.make(self, pieces)
end

-- The PEs for which f(x, y) is true.
function regions.where(self, f)
  if type(f) ~= "function" then
    check.wanted("w:where", "the condition", "a function of (x, y)", f)
  end
  local marks = plane.make(self.width, self.height)
  for y = 0, self.height - 1 do
    local row
    for x = 0, self.width - 1 do
      if f(x, y) then
        row = row or marks:row(y)
        row[x + 1] = 1
      end
    end
  end
  local pieces = {}
  for k, item in ipairs(marks:cover{1}) do pieces[k] = item[2] end
  return region.make(self, pieces)
end

return regions
