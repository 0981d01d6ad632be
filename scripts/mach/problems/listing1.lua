-- A sum over the elements of an array of the controller, which a break ends, beside an addition of
-- tensors; then the total of all elements.
local command = require "mach.problems.command"
local format = string.format

local listing1 = {name = "listing1", arguments = {g = 7}, ranges = {g = {-1000000, 1000000}}}

function listing1.run(given)
  local options = command.options(listing1, given)
  local p = command.program(options)
  local multiples = {}
  for k = 1, 10 do multiples[k] = options.g * k end
  local elements = p:GA("elements", multiples)
  local sum = p:GS("sum", 0)
  local summed, additions = p:GS("summed", 0, "i32"), p:GS("additions", 0, "i32")
  local a = p:LA("a", options.nz, function(_, _, i) return i end)
  local b = p:LA("b", options.nz, 1)
  local total = p:ULS("total")
  p:output(sum, summed, additions, total)
  p:for_each(elements, function(element)
    sum:set(sum + element)
    summed:set(summed + 1)
    p:break_if(sum, ">", 100)
    a[":, :, :"] = a + b
    additions:set(additions + 1)
  end)
  total:set(p:sum(a))
  local result = command.run(p, options)
  return command.figures(result, {sum = result:value("sum"), iterations = result:value("summed"),
                                  additions = result:value("additions"),
                                  total = result:value("total")})
end

function listing1.lines(figures)
  return format("  %d elements make %g, %d additions, total %.9g", figures.iterations, figures.sum,
                figures.additions, figures.total)
end

return listing1
