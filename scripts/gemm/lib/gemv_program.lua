-- The program of a PE of y = x W: its part of the product, an all-reduce along its column of PEs.
--
-- One mapped instruction adds, for each of the Mt elements of x, row m of W times x[m] to y. Then the
-- roles of the PE in the K-tree, level by level: a word that comes is added and sent on at once.
-- Last, y floods the column from the root. Every instruction is synchronous.
local Code = require "support.code"
local clocks = require "gemm.lib.clocks"
local held = require "gemm.lib.held"

local gemv_program = {}

-- Descriptors: `all` is the vector that is reduced, `sum` the one that products are added to; each
-- parameter, a colour, has one of its own, named as it with a d_ in front.
local function declare(code, request, header, roles)
  local element = request.element
  code:line(".%s x[%d] exported", element.input_name, request.Mt)
  code:line(".%s w[%d] exported", element.input_name, request.Mt * request.Nt)
  if request.widened then code:line(".%s part[%d]", element.input_name, request.Nt) end
  code:line(".%s y[%d] exported", request.reduced_name, request.Nt)
  clocks.declare(code)
  code:line(".reg m, factor")
  code:line(".dsr row, sum, all, factors")
  held.declare(code, request, {"row", "sum"})
  for _, name in ipairs(header) do code:line(".dsr d_%s", name) end
  if not roles[#roles].to then
    for number = 1, request.floods do code:line(".dsr d_flood%d", number) end
  end
end

local function load(code, request, header, roles)
  local packed = request.reduced_name == "f16" and ", packed" or ""
  local row, sum = ("save(w[0:%d])"):format(request.Nt), request.widened and "part" or "y"
  held.store(code, request, "row", "row", row)
  code:op("setd row, %s", row)
  held.store(code, request, "sum", "sum", sum)
  code:op("setd sum, %s", sum)
  code:op("setd all, y")
  code:op("setd factors, x")
  for _, name in ipairs(header) do
    code:op("setd d_%s, %s(%s%s)", name, name:match("^to") and "fabout" or "fabin", name, packed)
  end
  if not roles[#roles].to then
    for number = 1, request.floods do
      code:op("setd d_flood%d, fabout(%s%s)", number, request.flood_names[number], packed)
    end
  end
end

-- code=measured: three descriptors are loaded for a product.
local function product(code, request)
  local element = request.element
  code:op("%s sum, 0.0", element.input.move)
  if request.code == "measured" then
    held.fetch(code, "row", "row")
    for _ = 1, 2 do held.fetch(code, "sum", "sum") end
  else
    code:op("setdpos row, 0")
  end
  code:op("map sum, %s, sum, row, factors", element.multiply_add)
end

-- chain: what is reduced are f32, made by a scalar loop with code=measured.
local function widen(code, request)
  if not request.widened then return end
  if request.code == "best" then
    code:op("fh2s all, sum")
    return
  end
  code:op("mov32 m, 0")
  code:line("next_wide:")
  code:op("fmovh factor, part[m]")
  code:op("fh2s factor, factor")
  code:op("fmovs y[m], factor")
  code:op("add32 m, m, 1")
  code:op("blt m, %d, next_wide", request.Nt)
end

-- Writes the acts of a PE on each level.
local function reduce(code, request, roles)
  local sum = request.reduced
  for level, role in ipairs(roles) do
    if role.to and role.from then
      code:op("%s d_to%d, all, d_from%d", sum.add, level, level)
    elseif role.to then
      code:op("%s d_to%d, all", sum.move, level)
    end
    for _, side in ipairs{"before", "behind"} do
      if role[side] then code:op("%s all, all, d_%s%d", sum.add, side, level) end
    end
  end
end

local function flood(code, request, roles)
  local move = request.reduced.move
  if roles[#roles].to then
    code:op("%s all, d_flood_rx", move)
    return
  end
  for number = 1, request.floods do code:op("%s d_flood%d, all", move, number) end
end

-- The names of the parameters of a PE: colours of its roles.
function gemv_program.header(roles)
  local names = {}
  for level, role in ipairs(roles) do
    for _, way in ipairs{"from", "to", "before", "behind"} do
      if role[way] then names[#names + 1] = way .. level end
    end
  end
  if roles[#roles].to then names[#names + 1] = "flood_rx" end
  return names
end

-- A name for what a PE does: PEs with one name share a program.
function gemv_program.name(roles)
  local text = {}
  for _, role in ipairs(roles) do
    text[#text + 1] = role.to and (role.from and "passes" or "sends")
                      or "root" .. (role.before and "_before" or "") .. (role.behind and "_behind" or "")
  end
  return table.concat(text, "_")
end

function gemv_program.text(request, roles)
  local code, header = Code.new(), gemv_program.header(roles)
  local parameters = ""
  if #header > 0 then parameters = "(" .. table.concat(header, ": colour, ") .. ": colour)" end
  code:head(".program %s%s", gemv_program.name(roles), parameters)
  declare(code, request, header, roles)
  code:line("task main:")
  load(code, request, header, roles)
  clocks.begin(code, request)
  product(code, request)
  code:op("mark multiplied")
  widen(code, request)
  reduce(code, request, roles)
  flood(code, request, roles)
  clocks.finish(code, request)
  return code:text()
end

return gemv_program
