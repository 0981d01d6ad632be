-- Arrays of cells in random programs of mach; `self` is the maker of a program, which draws the numbers.
local mach = require "mach"

local cells = {}

-- Two arrays of cells with blocks of one shape.
function cells.objects(self)
  self.cell_block = self:one_of{{2, 1}, {1, 3}, {2, 2}, {3, 1}}
  for k = 1, 2 do
    local given = self:chance(60) and function(X, Y) return (X * 3 + Y * k) % 7 - 2 end or nil
    self.cells[k] = self.p:CA("cells" .. k, self.cell_block, 1, given)
  end
end

-- A slice of w x v of X x Y cells, anywhere.
local function cells_text(self, w, v, X, Y)
  local x, y = self:draw(X - w + 1), self:draw(Y - v + 1)
  return ("%d:%d, %d:%d"):format(x, x + w, y, y + v)
end

-- A statement on arrays of cells, whose operands lie anywhere.
function cells.statement(self)
  local X, Y = self.width * self.cell_block[1], self.height * self.cell_block[2]
  local w, v = 1 + self:draw(X), 1 + self:draw(Y)
  local function leaf()
    return self:one_of(self.cells)[cells_text(self, w, v, X, Y)]
  end
  local to, value = self:one_of(self.cells), leaf()
  for _ = 1, self:draw(3) do
    local op = self:draw(4)
    value = op == 0 and value + leaf() or op == 1 and value * 0.5 or op == 2 and mach.max(value, leaf())
            or value - self.uniforms[1].object
  end
  to[cells_text(self, w, v, X, Y)] = value
end

-- Sets a GS to a sum, minimum or maximum of a slice of cells.
function cells.sum(self)
  local X, Y = self.width * self.cell_block[1], self.height * self.cell_block[2]
  local slice = self.cells[1][cells_text(self, 1 + self:draw(X), 1 + self:draw(Y), X, Y)]
  local op = self:one_of{"sum", "min", "max"}
  self.globals[1].object:set(self.p[op](self.p, slice))
end

return cells
