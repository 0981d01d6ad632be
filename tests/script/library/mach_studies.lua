-- Every study gives the numbers of its points, and its picture can be drawn.
local wse = require "wse"

local count = 0
for _, part in ipairs{"mach.study.control", "mach.study.data"} do
  for name, study in pairs(require(part)) do
    local rows = {}
    for k = 1, 2 do
      local point = {}
      for _, field in ipairs(study.order) do
        local values = study.over[field]
        point[field] = field == study.order[#study.order] and values[k] or values[1]
      end
      local row = study.run(point)
      for result, value in pairs(row) do
        assert(math.type(value) and value >= 0 and value < 1e6, name .. "." .. result)
      end
      for field, value in pairs(point) do row[field] = value end
      rows[k] = row
    end
    assert(wse.plot(study.picture(rows)):find("<svg", 1, true), name)
    count = count + 1
  end
end
assert(count == 7)
