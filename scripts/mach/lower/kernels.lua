-- Kernels of workers as the language calls them: all operands are byte addresses with strides, or
-- values that travel with the call. Operations of the machine are one vector instruction; division,
-- roots, where, random numbers, take and put are loops. Each is made once for a program, when a call
-- first wants it, so a program has the kernels alone that it uses.
--
-- Arguments: d, stride of d, then each operand (address and stride, or a value), length, mask and,
-- where each worker has its own length, the address of that. Strides come only with strided kernels.
local lines = require "mach.lower.lines"
local reduce = require "mach.kernels.reduce"
local shift = require "mach.kernels.shift"
local text = require "mach.kernels.text"
local vm_types = require "mach.kernels.types"
local concat, format, ipairs = table.concat, string.format, ipairs

local kernels = {}

local kVector = {
  f32 = {add = "fadds", sub = "fsubs", mul = "fmuls", min = "fmins", max = "fmaxs", neg = "fnegs",
         abs = "fabss", copy = "fmovs", i32 = "fs2xp32", f16 = "fs2h"},
  f16 = {add = "faddh", sub = "fsubh", mul = "fmulh", min = "fminh", max = "fmaxh", neg = "fnegh",
         abs = "fabsh", copy = "fmovh", f32 = "fh2s"},
  i32 = {add = "add32", sub = "sub32", mul = "mul32", min = "min32", max = "max32", neg = "neg32",
         abs = "abs32", copy = "mov32", f32 = "xp322fs"},
}
local kScalar = {f32 = {div = "fdivs", sqrt = "fsqrts"}, f16 = {div = "fdivh", sqrt = "fsqrth"},
                 i32 = {div = "divs32"}}
local kBranch = {
  f32 = {["<"] = "fblt", ["<="] = "fble", [">"] = "fbgt", [">="] = "fbge", ["=="] = "fbeq", ["~="] = "fbne"},
  f16 = {["<"] = "fbhlt", ["<="] = "fbhle", [">"] = "fbhgt", [">="] = "fbhge", ["=="] = "fbheq",
         ["~="] = "fbhne"},
  i32 = {["<"] = "blt", ["<="] = "ble", [">"] = "bgt", [">="] = "bge", ["=="] = "beq", ["~="] = "bne"},
}
kernels.branches, kernels.scalars, kernels.vectors = kBranch, kScalar, kVector
local kWords = {["<"] = "lt", ["<="] = "le", [">"] = "gt", [">="] = "ge", ["=="] = "eq", ["~="] = "ne"}

local function one_length(code, own, k)
  text.load(code, "r1", k)
  if own then
    text.load(code, "r2", k + 2)
    code:op("slr32 r2, r2, 2")
    code:op("mov32 r2, array_heap[r2]")
    code:op("min32 r1, r1, r2")
    code:op("max32 r1, r1, 0")
  end
  text.load(code, "r2", k + 1)
  code:op("mov16 r2, masks[r2]")
  code:op("mul32 r1, r1, r2")
end

-- Where the arguments are: {d =, operand k =, length =, count =}; strides lie after addresses.
local function places_of(kinds, strided, own)
  local at, places = 0, {}
  local function take(kind)
    local place = at
    at = at + ((kind == "n" or not strided) and 1 or 2)
    return place
  end
  places.d = take("v")
  for k, kind in ipairs(kinds) do places[k] = take(kind) end
  places.length = at
  places.count = at + (own and 3 or 2)
  return places
end

local function walk(code, descriptor, place, strided)
  text.base(code, descriptor, place)
  if not strided then return end
  text.load(code, "r1", place + 1)
  code:op("setdstride %s, r1", descriptor)
end

-- One vector instruction.
local function vector_text(instruction, kinds, strided, own)
  local places = places_of(kinds, strided, own)
  return function(code)
    text.take(code, places.count)
    local names, used, sources = {}, {}, {"first", "second"}
    for k, kind in ipairs(kinds) do
      names[k] = kind == "v" and table.remove(sources, 1) or "r" .. k + 2
      if kind == "v" then
        walk(code, names[k], places[k], strided)
        used[#used + 1] = names[k]
      else
        text.load(code, names[k], places[k])
      end
    end
    local dest = #used > 0 and "to" or "sized"
    walk(code, dest, places.d, strided)
    one_length(code, own, places.length)
    if #used == 0 then used[1] = "sized" end
    for _, name in ipairs(used) do code:op("setdlen %s, r1", name) end
    code:op("%s %s, %s", instruction, dest, concat(names, ", "))
    if not strided then return end
    if dest == "to" then used[#used + 1] = "to" end
    for _, name in ipairs(used) do code:op("setdstride %s, 1", name) end
  end
end

-- Whether an elementwise node is one vector instruction.
function kernels.instruction(node)
  return kVector[node.type][node.op == "convert" and node.target or node.op]
end

-- Several vector instructions of one length. steps: {instruction, dest, operands = {{kind, place}}};
-- places are those of the arguments, of which there are `count`; then length, mask and own length. A
-- descriptor is set only where its address changes.
function kernels.fused(name, steps, count, own)
  return {name = name, text = function(code)
    text.take(code, count + (own and 3 or 2))
    one_length(code, own, count)
    for _, descriptor in ipairs{"first", "second", "sized"} do code:op("setdlen %s, r1", descriptor) end
    local bases = {}
    local function base(descriptor, place)
      if bases[descriptor] ~= place then text.base(code, descriptor, place) end
      bases[descriptor] = place
    end
    for _, one in ipairs(steps) do
      local names, sources = {}, {"first", "second"}
      for k, operand in ipairs(one.operands) do
        names[k] = operand.kind == "v" and table.remove(sources, 1) or "r" .. k + 2
        if operand.kind == "v" then
          base(names[k], operand.place)
        else
          text.load(code, names[k], operand.place)
          if operand.kind == "s" then
            code:op("slr32 %s, %s, 2", names[k], names[k])
            code:op("mov32 %s, array_heap[%s]", names[k], names[k])
          end
        end
      end
      local dest = #sources < 2 and "to" or "sized"
      base(dest, one.dest)
      code:op("%s %s, %s", one.instruction, dest, concat(names, ", "))
    end
  end}
end

-- ---- loops over elements. r3 and r4 ... are the addresses of d and of the operands, r8 ... values.

local function load_element(code, register, pointer, bytes)
  if bytes == 2 then
    code:op("setdbase sized, %s", pointer)
    code:op("mov16 %s, sized", register)
  else
    code:op("slr32 r2, %s, 2", pointer)
    code:op("mov32 %s, array_heap[r2]", register)
  end
end

local function store_element(code, register, pointer, bytes)
  if bytes == 2 then
    code:op("setdbase sized, %s", pointer)
    code:op("mov16 sized, %s", register)
  else
    code:op("slr32 r2, %s, 2", pointer)
    code:op("mov32 array_heap[r2], %s", register)
  end
end

local function step(code, pointer, place, bytes)
  code:op("mov32 r2, argument[%d]", place + 1)
  code:op("mul32 r2, r2, %d", bytes)
  code:op("add32 %s, %s, r2", pointer, pointer)
end

-- body(code, values, name) leaves the result in r8. `bytes`: those of d, then of the operands.
local function loop_text(name, kinds, bytes, own, body)
  local places = places_of(kinds, true, own)
  return function(code)
    text.take(code, places.count)
    code:op("setdlen sized, 1")
    text.load(code, "r3", places.d)
    for k, kind in ipairs(kinds) do
      if kind == "v" then text.load(code, "r" .. k + 3, places[k]) end
    end
    one_length(code, own, places.length)
    code:op("ble   r1, 0, %s_done", name)
    code:line("%s_next:", name)
    for k, kind in ipairs(kinds) do
      if kind == "v" then
        load_element(code, "r" .. k + 7, "r" .. k + 3, bytes[k + 1])
        step(code, "r" .. k + 3, places[k], bytes[k + 1])
      else
        text.load(code, "r" .. k + 7, places[k])
      end
    end
    body(code, name)
    store_element(code, "r8", "r3", bytes[1])
    step(code, "r3", places.d, bytes[1])
    code:op("sub32 r1, r1, 1")
    code:op("bgt   r1, 0, %s_next", name)
    code:line("%s_done:", name)
  end
end

local function bytes_of(type_name) return vm_types[type_name].bytes end

local function loop_body(node)
  if node.op == "where" then
    return function(code, name)
      code:op("%s r8, r9, %s_yes", kBranch[node.type][node.comparison], name)
      code:op("mov32 r8, r11")
      code:op("jmp   %s_chosen", name)
      code:line("%s_yes:", name)
      code:op("mov32 r8, r10")
      code:line("%s_chosen:", name)
    end
  end
  if node.op == "convert" then  -- between i32 and f16, by way of f32
    return function(code)
      code:op("%s r8, r8", kVector[node.type].f32)
      code:op("%s r8, r8", kVector.f32[node.target])
    end
  end
  local unary = node.op == "sqrt"
  return function(code) code:op("%s r8, r8%s", kScalar[node.type][node.op], unary and "" or ", r9") end
end

local function suffix(kinds, strided, own)
  return concat(kinds) .. (strided and "_strided" or "") .. (own and "_own" or "")
end

-- The kernel of an elementwise node whose operands are of these kinds, "v" or "n".
function kernels.elementwise(node, kinds, strided, own)
  local convert = node.op == "convert"
  local instruction = kVector[node.type][convert and node.target or node.op]
  if instruction then
    local name = format("%s_%s_%s", convert and "to_" .. node.target or node.op, node.type,
                        suffix(kinds, strided, own))
    return {name = name, strided = strided, text = vector_text(instruction, kinds, strided, own)}
  end
  local name = format("%s_%s%s_%s", node.op, node.type,
                      node.op == "where" and "_" .. kWords[node.comparison] .. "_" .. node.dest.type
                      or convert and "_" .. node.target or "", suffix(kinds, false, own))
  if node.op == "div" and node.type == "i32" then name = name .. lines.suffix(node) end
  local chosen = bytes_of(node.dest.type)
  local own_type = bytes_of(node.type)
  local bytes = node.op == "where" and {chosen, own_type, own_type, chosen, chosen}
                or {chosen, own_type, own_type}
  return {name = name, strided = true, text = loop_text(name, kinds, bytes, own, loop_body(node))}
end

-- Random numbers; operands: low, span (values), the address of the state.
function kernels.random(node, own)
  local name = format("random_%s%s", node.type, own and "_own" or "")
  return {name = name, strided = true, text = loop_text(
    name, {"n", "n", "n"}, {4}, own, function(code)
      code:op("slr32 r10, r10, 2")
      code:op("mov32 r11, array_heap[r10]")
      for _, row in ipairs{{"sll32", 13}, {"slr32", 17}, {"sll32", 5}} do
        code:op("%s r2, r11, %d", row[1], row[2])
        code:op("xor32 r11, r11, r2")
      end
      code:op("mov32 array_heap[r10], r11")
      if node.type == "i32" then
        code:op("slr32 r11, r11, 1")
        code:op("rems32 r11, r11, r9")
        code:op("add32 r8, r8, r11")
      else
        code:op("slr32 r11, r11, 8")
        code:op("xp322fs r11, r11")
        code:op("fmuls r11, r11, 5.9604644775390625e-8")  -- 2^-24
        code:op("fmuls r11, r11, r9")
        code:op("fadds r8, r11, r8")
      end
    end)}
end

-- r9, the place of an index in bytes: times the stride, or in a list from that number on.
local function find_element(code, index, number, listed)
  if listed then
    code:op("add32 r9, %s, %s", index, number)
    code:op("mov16 r9, places[r9]")
  else
    code:op("mul32 r9, %s, %s", index, number)
  end
end

-- take: operands are the array (its address and stride, which stay) and the index. `listed`: in place of
-- the stride comes the number of a list of places.
function kernels.take(node, listed, own)
  local bytes, name = bytes_of(node.type), format("take_%s%s%s%s", node.type, listed and "_listed" or "",
                                                  own and "_own" or "", lines.suffix(node))
  return {name = name, strided = true, text = loop_text(
    name, {"n", "n", "v"}, {bytes, 4, 4, 4}, own, function(code)
      find_element(code, "r10", "r9", listed)
      code:op("add32 r9, r9, r8")
      load_element(code, "r8", "r9", bytes)
    end)}
end

-- put: d walks nowhere (its stride is 0); operands are the stride in bytes or a list, the index, the values.
function kernels.put(node, kind, listed, own)
  local bytes = bytes_of(node.type)
  local name = format("put_%s_%s%s%s%s", node.type, kind, listed and "_listed" or "", own and "_own" or "",
                      lines.suffix(node))
  local places = places_of({"n", "v", kind}, true, own)
  return {name = name, strided = true, text = loop_text(
    name, {"n", "v", kind}, {bytes, 4, 4, bytes}, own, function(code)
      text.load(code, "r3", places.d)
      find_element(code, "r9", "r8", listed)
      code:op("add32 r3, r3, r9")
      code:op("mov32 r8, r10")
    end)}
end

-- ---- words that travel

local kMoveArguments = 7

-- Moves words in one state: the arguments from `at` on are d, its stride, a, its stride, length, mask,
-- mask of the senders.
local function move(code, mov, at)
  walk(code, "to", at, true)
  walk(code, "first", at + 2, true)
  for _, row in ipairs{{"r4", at + 5}, {"r3", at + 6}} do
    text.load(code, "r1", at + 4)
    text.load(code, "r2", row[2])
    code:op("mov16 r2, masks[r2]")
    code:op("mul32 %s, r1, r2", row[1])
  end
  code:op("setdlen first, r3")
  code:op("setdlen neighbour_in, r4")
  code:op("%s neighbour_out, first async sending", mov)
  code:op("%s to, neighbour_in", mov)
  code:op("wait sending")
end

-- Moves words by one step in each of some states, which are in order: 1 to 4 receive from the right,
-- left, below, above.
function kernels.shift(type_name, states)
  local name = #states == 1 and "shift" or "exchange"
  for _, number in ipairs(states) do name = name .. "_" .. shift.states[number].name end
  name = name .. "_" .. type_name
  return {name = name, neighbours = true, strided = true, text = function(code)
    text.take(code, kMoveArguments * #states)
    local turned = 0
    for k, number in ipairs(states) do
      shift.turn(code, turned + 1, number - 1, name)
      move(code, kVector[type_name].copy, kMoveArguments * (k - 1))
      turned = number - 1
    end
    shift.turn(code, turned + 1, #shift.states, name)
    code:op("setdstride first, 1")
    code:op("setdstride to, 1")
  end}
end

local function accumulate(code, operation, type_name)
  code:op("setdlen first, r1")
  if type_name ~= "f16" then
    code:op("mov32 r6, %s", reduce.identity[type_name][operation])
    code:op("%s r6, r6, first", reduce.instruction(operation, type_name))
  elseif operation == "sum" then
    code:op("mov32 r6, 0.0")
    code:op("faddhs r6, first, r6")
  else
    code:op("mov16 r6, %s", operation == "min" and "0x7c00" or "0xfc00")
    code:op("f%sh r6, r6, first", operation)
    code:op("fh2s r6, r6")
  end
end

-- A reduction; arguments: a, its stride, length, mask, own length.
function kernels.reduce(operation, type_name, to, own)
  local name = format("%s_to_%s_%s%s", operation, to, type_name, own and "_own" or "")
  return {name = name, reduction = {operation = operation, type = type_name, to = to}, strided = true,
          text = function(code)
    text.take(code, own and 5 or 4)
    walk(code, "first", 0, true)
    one_length(code, own, 2)
    accumulate(code, operation, type_name)
    code:op("setdstride first, 1")
    code:send_word(name, reduce.instruction(operation, type_name))
  end}
end

-- The value of a reduction to the workers, to an address.
function kernels.receive()
  return {name = "receive", receives = true, text = function(code)
    text.take(code, 1)
    text.load(code, "r1", 0)
    code:op("slr32 r1, r1, 2")
    code:op("mov32 r2, total_in")
    code:op("mov32 array_heap[r1], r2")
  end}
end

return kernels
