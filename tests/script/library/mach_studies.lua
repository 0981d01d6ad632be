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

-- Those of the language: small points, and what a step needs does not depend on elements where none compute.
local language = require "mach.study.language"
local function rows_of(name, points)
  local rows = {}
  for k, point in ipairs(points) do
    rows[k] = language[name].run(point)
    for field, value in pairs(point) do rows[k][field] = value end
  end
  assert(wse.plot(language[name].picture(rows)):find("<svg", 1, true), name)
  return rows
end
local rows = rows_of("setup", {{program = "heat", nz = 10, fuse = false}, {program = "heat", nz = 50, fuse = false},
                               {program = "heat", nz = 50, fuse = true}})
assert(math.abs(rows[1].setup_cycles - rows[2].setup_cycles) < 0.5 and rows[3].setup_cycles < rows[2].setup_cycles)
assert(rows[2].setup_share > 0.47 and rows[2].setup_share < 0.5 and rows[3].setup_share < 0.38)
rows = rows_of("elements", {{program = "heat", nz = 8, fuse = true}, {program = "slices", nz = 8, fuse = false}})
assert(rows[1].cycles_per_element > 10 and rows[2].cycles_per_element > 10)
rows = rows_of("memory", {{program = "flow", fuse = false}, {program = "cg plain", fuse = false}})
assert(rows[1].of_all < 0.6 and rows[2].of_all < 0.6)
rows = rows_of("scaling", {{program = "heat", width = 8}, {program = "heat", width = 16}})
assert(math.abs(rows[2].cycles_per_step / rows[1].cycles_per_step - 1) < 0.02)
rows = rows_of("pipelined", {{program = "cg plain", width = 8, height = 8},
                             {program = "cg pipelined", width = 8, height = 8}})
assert(rows[1].cycles_per_step < rows[2].cycles_per_step)
