-- The loops of the interpreter over elements: text made once for each operation, type and kind of
-- operands, compiled once, and used by all nodes alike. One element takes no call and no table.
--
-- Operands are "c" (elements one after the other), "l" (at listed places), "s" (one on each worker)
-- or "u" (one for all, given to each run). A run gives the worker that divided by 0, or nothing.
local types = require "mach.lang.types"
local concat, format, load, sqrt = table.concat, string.format, load, math.sqrt

local kernels = {}

-- Rounds r to the type; see types.lua.
local kRound = [[local m = r * scale
      local q = (r - m) + m
      if q >= least and q <= most or q <= -least and q >= -most then r = q else r = slow(r) end]]
local kWrap = "r = ((r + 0x80000000) & 0xffffffff) - 0x80000000"

local kFloat = {
  copy = "local r = a1", neg = "local r = -a1", abs = "local r = abs(a1)",
  add = "local r = a1 + a2\n      " .. kRound,
  sub = "local r = a1 - a2\n      " .. kRound,
  mul = "local r = a1 * a2\n      " .. kRound,
  div = "local r = a1 / a2\n      " .. kRound,
  sqrt = "local r = sqrt(a1)\n      " .. kRound,
  min = [[local r
      if a1 < a2 then r = a1 elseif a2 < a1 then r = a2
      elseif a1 == a2 then if a1 == 0 and 1 / a1 < 0 then r = a1 else r = a2 end
      elseif a1 ~= a1 then if a2 ~= a2 then r = nan else r = a2 end else r = a1 end]],
  max = [[local r
      if a1 > a2 then r = a1 elseif a2 > a1 then r = a2
      elseif a1 == a2 then if a1 == 0 and 1 / a1 < 0 then r = a2 else r = a1 end
      elseif a1 ~= a1 then if a2 ~= a2 then r = nan else r = a2 end else r = a1 end]],
}

local kInteger = {
  copy = "local r = a1", neg = "local r = -a1\n      " .. kWrap,
  abs = "local r = a1 < 0 and -a1 or a1\n      " .. kWrap,
  add = "local r = a1 + a2\n      " .. kWrap,
  sub = "local r = a1 - a2\n      " .. kWrap,
  mul = "local r = a1 * a2\n      " .. kWrap,
  div = [[if a2 == 0 then return w end
      local r = a1 // a2
      if r < 0 and r * a2 ~= a1 then r = r + 1 end
      ]] .. kWrap,
  min = "local r = a1 < a2 and a1 or a2", max = "local r = a1 > a2 and a1 or a2",
}

local function body_of(node)
  if node.op == "where" then
    return format("local r\n      if a1 %s a2 then r = a3 else r = a4 end", node.comparison)
  end
  if node.op == "convert" then return "local r = convert(a1)" end
  return (types[node.type].float and kFloat or kInteger)[node.op]
end

-- The text for a body, the kinds of the operands and of the destination ("c" or "l").
local function text_of(body, operands, dest, lengths)
  local lines = {"local t, k = ...",
                 "local scale, least, most, slow, sqrt, abs, nan, convert = t.scale, t.least, "
                 .. "t.most, t.slow, t.sqrt, t.abs, t.nan, k.convert",
                 "local workers, count, count_of = k.workers, k.count, k.count_of",
                 "local d_cells, d_size, d_first, d_places = k.d.cells, k.d.size, k.d.first, k.d.places"}
  local given, each, element = {}, {}, {}
  for j, kind in ipairs(operands) do
    if kind == "u" then
      given[#given + 1] = format("a%d", j)
    else
      lines[#lines + 1] = format("local cells%d, size%d, first%d, places%d = k[%d].cells, k[%d].size, "
                                 .. "k[%d].first, k[%d].places", j, j, j, j, j, j, j, j)
      each[#each + 1] = format("    local p%d = w * size%d + first%d", j, j, j)
      if kind == "s" then
        each[#each + 1] = format("    local a%d = cells%d[p%d + 1]", j, j, j)
      else
        element[#element + 1] = format("      local a%d = cells%d[p%d + %s]", j, j, j,
                                       kind == "c" and "i" or format("places%d[i]", j))
      end
    end
  end
  local parts = {concat(lines, "\n"), format("return function(%s)", concat(given, ", ")),
                 "  for at = 1, #workers do", "    local w = workers[at]",
                 "    local d = w * d_size + d_first", concat(each, "\n"),
                 lengths and "    for i = 1, count_of(w) do" or "    for i = 1, count do",
                 concat(element, "\n"), "      " .. body,
                 dest == "c" and "      d_cells[d + i] = r" or "      d_cells[d + d_places[i]] = r",
                 "    end", "  end", "end"}
  return concat(parts, "\n")
end

local compiled = {}
local constants = {}
for _, name in ipairs{"f32", "f16", "i32"} do
  local kind = types[name]
  constants[name] = {scale = kind.scale, least = kind.least, most = kind.most, slow = kind.slow,
                     sqrt = sqrt, abs = math.abs, nan = types.nan}
end

-- One call for a kernel and the operands that it is given.
local function with_given(run, getters)
  local first, second, third, fourth = getters[1], getters[2], getters[3], getters[4]
  if not first then return run end
  if not second then return function() return run(first()) end end
  if not third then return function() return run(first(), second()) end end
  if not fourth then return function() return run(first(), second(), third()) end end
  return function() return run(first(), second(), third(), fourth()) end
end

-- The function that runs an elementwise node. `layout` has d and the operands 1, 2, ..., each
-- {kind, cells, size, first, places, get}, and workers, count, count_of.
function kernels.elementwise(node, layout)
  local operands, getters = {}, {}
  for j = 1, #node.sources do
    operands[j] = layout[j].kind
    getters[#getters + 1] = layout[j].get
  end
  local text = text_of(body_of(node), operands, layout.d.kind, layout.count_of ~= nil)
  local make = compiled[text]
  if not make then
    make = assert(load(text, "=(wse.mach.kernel " .. node.op .. ")"))
    compiled[text] = make
  end
  if node.op == "convert" then
    local from, to = node.type, node.target
    layout.convert = function(x) return types.converted(x, from, to) end
  end
  return with_given(make(constants[node.type], layout), getters)
end

return kernels
