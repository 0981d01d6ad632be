-- A worker: its arrays, called array_NAME, and one control task for each kernel that the program calls. Descriptors are
-- loaded once; kernels change bases and lengths.
local Code = require "support.code"
local called = require "mach.message.called"
local column = require "mach.vm.column"
local entries = require "mach.vm.entries"
local values = require "mach.vm.values"

local worker = {}

local kAnyLength = 24576  -- of descriptors that another operand gives the length
local kArguments = 8  -- of a call, unless the program says more

local function neighbours(code)
  code:op("setd neighbour_in, fabin(rx)")
  code:op("setd neighbour_out, fabout(tx)")
  code:op("setd turn_out, fabout(tx, control, length=1)")
  code:op("setd turn_own, fabout(rx, control, length=1)")
end

local function reduction(code, g)
  code:op("setd total_in, fabin(red_broadcast, length=1)")
  column.prepare(code, g)
end

-- Indexed descriptors claim their array, so they are made on the longest one.
local function loop(code, arrays)
  local longest = arrays[1]
  for _, array in ipairs(arrays) do
    if array.count * array.type.bytes > longest.count * longest.type.bytes then longest = array end
  end
  code:op("setd loop_out, fabout(loop)")
  code:op("setd gathered, array_%s[fabin(loop)]", longest.name)
  code:op("setd scattered, array_%s[fabin(loop)]", longest.name)
end

local kDescriptors = {neighbours = "neighbour_in, neighbour_out, turn_out, turn_own",
                      reduction = "total_in",
                      loop = "loop_out, gathered, scattered"}

local function declarations(code, program)
  for _, array in ipairs(program.arrays) do
    code:line(".%s array_%s[%d] exported address=%d%s", array.type.name, array.name, array.count,
              array.address, array.formula and " = " .. array.formula or "")
  end
  code:line(".u32 scalars[%d] exported", program.scalars)
  code:line("%s", values.data("u16", "masks", program.masks))
  if #(program.place_list or {}) > 0 then code:line("%s", values.data("u16", "places", program.place_list)) end
  code:line(".u32 argument[%d]", program.most_arguments or kArguments)
  if #program.entries.far > 0 then code:line(".u32 far_address[%d]", #program.entries.far) end
  code:line(".dsr in, argument_walk, to, first, second, sized")
  for _, feature in ipairs{"neighbours", "reduction", "loop"} do
    if program.features[feature] then code:line(".dsr %s", kDescriptors[feature]) end
  end
  if program.features.reduction then code:line(".dsr %s", column.descriptors(program.geometry)) end
  code:line(".microthread sending, feeding")
  if program.features.messages then
    code:line("%s", values.data("u32", "moves", program.moves))
    called.declarations(code, program.features.messages)
  end
  code:line(".passive")
end

-- The addresses of virtual kernels: a call in front of each leaves it in r8.
local function far_table(code, far)
  for k, kernel in ipairs(far) do
    code:op("call r9, find_%s", kernel.name)
    code:op("mov32 far_address[%d], r8", k - 1)
  end
end

-- In front of a kernel: which line of its user it comes from, if that is known, and for whom it is.
local function origin(code, kernel)
  if kernel.mark then code:head("%s", kernel.mark) end
  if kernel.note then code:line("; %s", kernel.note) end
end

local function far_kernels(code, far)
  if #far == 0 then return end
  code:line("task far control %d (r1):", entries.kFar)
  code:op("mov32 r1, far_address[r1]")
  code:op("ret r1")
  for _, kernel in ipairs(far) do
    origin(code, kernel)
    code:line("find_%s:", kernel.name)
    code:op("call r8, found")
    kernel.text(code)
    code:op("end")
  end
  code:head(".line 0")
  code:line("found:")
  code:op("ret r9")
end

-- The parameters that a program with these features takes.
local function header(features, g)
  local list = {}
  if features.neighbours then
    list = {"rx: colour", "tx: colour", "no_east: i32", "no_west: i32", "no_north: i32",
            "no_south: i32"}
  end
  if features.reduction then
    for _, parameter in ipairs(column.parameters(g)) do list[#list + 1] = parameter end
  end
  table.move(called.parameters(features.messages or {}), 1, 8, #list + 1, list)
  return ".program worker" .. (#list > 0 and "(" .. table.concat(list, ", ") .. ")" or "")
end

function worker.text(program)
  local code = Code.new()
  code.send_word = column.sender(program.geometry)
  code:head("%s", header(program.features, program.geometry))
  declarations(code, program)
  code:line("task main:")
  code:op("setd in, fabin(args)")
  code:op("setd argument_walk, argument[0:%d]", program.most_arguments or kArguments)
  code:op("setd to, mem(0, length=%d)", kAnyLength)
  code:op("setd first, mem(0, length=1)")
  code:op("setd second, mem(0, length=%d)", kAnyLength)
  code:op("setd sized, mem(0, length=1)")
  if program.features.neighbours then neighbours(code) end
  if program.features.reduction then reduction(code, program.geometry) end
  if program.features.loop then loop(code, program.arrays) end
  far_table(code, program.entries.far)
  if program.features.messages then called.main(code, program.features.messages) end
  code:op("unblock ctrl")
  for k, kernel in ipairs(program.entries.direct) do
    origin(code, kernel)
    code:line("task %s control %d:", kernel.name, entries.kFirst + k - 1)
    if program.timed then code:op("mark begins_%s", kernel.name) end
    kernel.text(code)
    if program.timed then code:op("mark ends_%s", kernel.name) end
  end
  code:head(".line 0")
  far_kernels(code, program.entries.far)
  if program.features.messages then called.tasks(code, program.features.messages) end
  return code:text()
end

return worker
