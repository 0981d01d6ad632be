-- A program on the machine of mach.vm: its texts, its run, and what differs from the interpreter.
-- Workers keep all their data in one array of words, `heap`, where the memory manager has put them.
local calls = require "mach.lower.calls"
local code_size = require "mach.lower.code_size"
local endless = require "mach.lang.endless"
local entries = require "mach.vm.entries"
local executive = require "mach.lower.executive"
local geometry = require "mach.vm.geometry"
local host = require "wse.host"
local lanes = require "mach.message.lanes"
local layout = require "mach.vm.layout"
local lines = require "mach.lower.lines"
local merge = require "mach.vm.merge"
local origin = require "mach.vm.origin"
local outputs = require "mach.lower.outputs"
local paint = require "mach.paint.init"
local random = require "mach.lang.random"
local response = require "mach.vm.response"
local sections = require "mach.lower.sections"
local strip = require "mach.vm.strip"
local types = require "mach.lang.types"
local vm = require "mach.vm"
local vm_sections = require "mach.vm.sections"
local worker = require "mach.vm.worker"
local wse = require "wse"
local format, match, ipairs, pairs = string.format, string.match, ipairs, pairs

local wafer = {}

-- Notes what workers need to pass on the messages of a kernel.
local function note_messages(machine, kernel, node)
  if not kernel.messages then return end
  local features = machine.features
  machine.message_node = machine.message_node or node
  features.messages = features.messages or {}
  for _, way in ipairs(kernel.messages) do features.messages[way] = true end
  features.messages[kernel.half and "half" or "word"] = true
end

-- The kernel of that name, which the program then has; the nodes whose calls use it.
local function use_kernel(machine, kernel, ...)
  local found = machine.used[kernel.name]
  if found then
    lines.add(found, ...)
    return found
  end
  lines.add(kernel, ...)
  machine.used[kernel.name] = kernel
  machine.used[#machine.used + 1] = kernel
  local features = machine.features
  features.neighbours = features.neighbours or kernel.neighbours
  features.reduction = features.reduction or kernel.reduction ~= nil or kernel.receives
  note_messages(machine, kernel, ...)
  return kernel
end

-- The place of these words of messages on each worker, formulas, among those of the program.
local function moves_place(machine, words)
  local key = table.concat(words, ", ")
  if not machine.move_places[key] then
    machine.move_places[key] = #machine.moves
    table.move(words, 1, #words, #machine.moves + 1, machine.moves)
  end
  return machine.move_places[key]
end

-- Returns where the list of these places begins among those of the program, each of which it has once.
local function place_list(machine, offsets)
  local key, list = table.concat(offsets, ","), machine.place_list
  if not machine.place_lists[key] then
    machine.place_lists[key] = #list
    table.move(offsets, 1, #offsets, #list + 1, list)
  end
  return machine.place_lists[key]
end

local kFewest = 2           -- response PEs
local kResponseCode = 2048  -- bytes of a response PE that hold no words of sections, at most

-- As few response PEs as hold the words, unless the user says how many.
local function choose_response(program, machine, cut)
  local words = 0
  for _, section in ipairs(cut.list) do words = words + #section.control + #section.arguments + 6 end
  local room = wse.machine(program.machine).memory_bytes - kResponseCode - 24 * #cut.list
  local count = machine.response
  if not program.response then
    while count < program.width - 2 and words * 4 > count * room do count = count + 2 end
  end
  if words * 4 > count * room then
    host.raise(format("the calls of this program take %d bytes, but %d R-PEs hold %d: a wider program "
                      .. "or loops of the program instead of Lua's fit", words * 4, count,
                      math.max(0, count * room)))
  end
  machine.response = count
  machine.geometry = geometry.of(program.width, program.height, count, program.reduction)
  origin.set(machine, program.origin)
end

-- A short name for a fused kernel, the same for the same steps.
local function fused_name(machine, description)
  local names = machine.fused_names
  if not names[description] then
    names[#names + 1] = description
    names[description] = "fused_" .. #names
  end
  return names[description]
end

local function new_machine(program)
  local machine = vm.program{width = program.width, height = program.height,
                             response = program.response or kFewest, scalars = 1,
                             reduction = program.reduction}
  machine:array("heap", "i32", math.max(1, program.plan.workers.bytes // 4))
  machine.arrays[1].type = {name = "u32", bytes = 4}
  machine.random_address = program.plan.state and program.plan.state.address
  machine.kernel, machine.fused_name, machine.fused_names = use_kernel, fused_name, {}
  machine.places, machine.place_list, machine.place_lists = place_list, {}, {}
  local profile = wse.machine(program.machine)
  machine.buffered_words = profile.up_ramp_depth + profile.router_depth + profile.down_ramp_depth
  machine.colours = profile.colours
  machine.moves_place, machine.moves, machine.move_places = moves_place, {}, {}
  return machine
end

-- Words of sections, in the form that the response PEs cut.
local function words_of(machine, cut)
  machine.entries = entries.assign(machine.used)
  machine.reductions, machine.most_arguments = {}, 1
  for _, kernel in ipairs(machine.entries.direct) do
    if kernel.reduction then table.insert(machine.reductions, kernel) end
  end
  local immediates = 0
  for _, section in ipairs(cut.list) do
    section.control, section.arguments, section.immediates = {}, {}, {}
    for _, call in ipairs(section.calls) do
      machine.most_arguments = math.max(machine.most_arguments, #call.words)
      table.insert(section.control, machine.entries.word[call.kernel.name])
      for _, immediate in ipairs(call.immediates) do
        table.insert(section.immediates, #section.arguments + immediate.place)
      end
      for _, word in ipairs(call.words) do table.insert(section.arguments, word & 0xffffffff) end
    end
    immediates = immediates + #section.immediates
  end
  machine.with_values = immediates > 0
end

-- ---- first values

local function put_element(words, address, number, type_name)
  local bits, at = calls.bits(number, type_name), address // 4 + 1
  if type_name ~= "f16" then
    words[at] = bits
  elseif address % 4 == 0 then
    words[at] = (words[at] or 0) & 0xffff0000 | bits
  else
    words[at] = (words[at] or 0) & 0xffff | bits << 16
  end
end

-- The words of one PE: values that live from the start; w counts workers from 0.
local function image(program, map, lists, w)
  local words = {}
  for k = 1, map.bytes // 4 do words[k] = 0 end
  for _, one in ipairs(map.items) do
    local value = one.value
    local list = value and one.first == 0 and lists[value]
    if list then
      local shared = value.class ~= "LA" and value.class ~= "LS"
      local bytes, from = types[value.type].bytes, shared and 0 or w * value.size
      for k = 1, value.size do
        put_element(words, one.address + (k - 1) * bytes, list[from + k], value.type)
      end
    end
  end
  if w and program.plan.state then
    words[program.plan.state.address // 4 + 1] = random.first_state(program.seed, w % program.width,
                                                                    w // program.width)
  end
  return words
end

-- ---- texts

-- Returns the texts of all roles. Roles of a machine that does not begin at the wafer's corner, or is not alone,
-- have names of their own and count x and y from the machine's corner (vm/origin.lua).
local function texts_of(lowered)
  local machine, cut, list = lowered.machine, lowered.cut, {}
  local function add(text) list[#list + 1] = origin.text(machine, text) end
  add(merge)
  add(lowered.executive)
  for k, part in ipairs(vm_sections.cut(cut.list, machine.response)) do
    add(response.text("response_" .. k, machine.geometry.response[k], part,
                      machine.with_values, machine.timed and k == 1))
  end
  add(lowered.worker)
  for _, role in ipairs(strip.roles) do
    if role.name ~= "strip" or machine.geometry.merge > 1 then add(strip.text(role, machine)) end
  end
  return list
end

-- Bytes of a worker beside its heap: code, and tables of masks, arguments, places, far kernels.
local function worker_overhead(machine, text)
  return code_size.of(text) + 4 * (machine.scalars + machine.most_arguments + #machine.entries.far + #machine.moves)
         + 2 * (#machine.masks + #machine.place_list) + 4
end

-- A program whose plan is made, as texts of its roles; `lists` are first values by value. A program
-- that a worker or the E-PE cannot hold is refused. Options: idle = {words heard}: all masks are 0, so calls are set
-- up but no element of the workers moves or computes, and the E-PE decides as those words say; timed:
-- PEs mark what begins and ends, which takes no time.
function wafer.lower(program, lists, options)
  local idle, timed = options and options.idle, options and options.timed
  local machine = new_machine(program)
  local cut = sections.cut(machine, program.graph)
  machine.timed, cut.timed = timed, timed
  words_of(machine, cut)
  choose_response(program, machine, cut)
  local text, words = executive.text(cut, image(program, program.plan.executive, lists),
                                     machine.features.reduction, idle and #idle > 0 and idle or nil)
  if idle then
    for _, list in ipairs{machine.masks, machine.moves} do
      for k in ipairs(list) do list[k] = "0" end
    end
  end
  for _, kernel in ipairs(machine.used) do lines.mark(kernel) end
  local worker_text = worker.text(machine)
  program.plan:check{workers = worker_overhead(machine, worker_text),
                     executive = code_size.of(text) + 4 * words - program.plan.executive.bytes}
  return {machine = machine, cut = cut, executive = text, worker = worker_text}
end

-- Refuses messages for which no colours are left.
local function check_colours(machine, count, own)
  local node = machine.message_node
  if not node or count <= machine.colours then return end
  error(format("%s:%d: messages take %d colours, the rest of the program %d, but the machine has %d; "
               .. "route = \"exchange\" takes two", node.file, node.line, own, count - own, machine.colours), 0)
end

-- The names of all colours in their order, those of messages last.
local function colours_of(machine, area)
  local names = lanes.colours(machine.features.messages or {})
  local known, own = {}, #names
  for _, name in ipairs(names) do known[name] = true end
  for _, mark in ipairs(area.marks) do
    if mark.kind == "route" and not known[mark.key] then
      known[mark.key] = true
      table.insert(names, #names - own + 1, mark.key)
    end
  end
  check_colours(machine, #names, own)
  return names
end

-- The layout of one or several lowered programs; they may not overlap.
function wafer.lay_out(list)
  local width, height, areas = 0, 0, {}
  for k, lowered in ipairs(list) do
    local g = lowered.machine.geometry
    width, height = math.max(width, g.left + g.width), math.max(height, g.top + g.grid_height)
    areas[k] = layout.area(g, lowered.machine.features)
  end
  local w = wse.layout(width, height)
  for k, lowered in ipairs(list) do
    for _, name in ipairs(colours_of(lowered.machine, areas[k])) do
      if not w.colour_of[name] then w:colour(name) end
    end
    for _, text in ipairs(texts_of(lowered)) do w:program(text) end
    areas[k] = origin.area(lowered.machine, areas[k])
  end
  paint.onto(w, paint.union(table.unpack(areas)))
  return w
end

local function lay_out(lowered) return wafer.lay_out{lowered} end

-- The words of a worker's heap at the beginning, as an input: a function of the PE and the place.
function wafer.heap_input(program, lists, machine)
  local g, images = machine.geometry, {}
  return function(x, y, i)
    local row = geometry.worker_row(g, y - g.top)
    if not row then return 0 end
    local at = row * program.width + x - g.left
    images[at] = images[at] or image(program, program.plan.workers, lists, at)
    return images[at][i + 1] or 0
  end
end

local function run_layout(program, lists, w, machine, max_cycles, mark_times)
  local fine, record = pcall(w.run, w, {machine = program.machine, max_cycles = max_cycles, mark_times = mark_times,
                                        allow_failure = max_cycles ~= nil,
                                        inputs = {["array_heap" .. machine.suffix] = wafer.heap_input(program, lists, machine)}})
  if fine then return record end
  local stopped, places = match(record, "wse%.run: stopped at the limit of [^\n]*"),
                          endless.places(program.graph)
  if not stopped or not places then error(record, 0) end
  host.raise_bad_end(format("%s; the loops of the program are at %s", stopped, places))
end

-- The cycles of the same calls in the same order without elements. heard: what the E-PE hears from the
-- workers in a run, {value, type} each; nil where half of its memory does not hold that.
function wafer.idle_cycles(program, lists, heard)
  if 8 * #heard > wse.machine(program.machine).memory_bytes then return nil end
  local words = {}
  for k, one in ipairs(heard) do words[k] = calls.bits(one[1], one[2]) end
  local lowered = wafer.lower(program, lists, {idle = words})
  return run_layout(program, lists, lay_out(lowered), lowered.machine).cycles
end

-- Returns when things happen between two cycles, by the names of marks: sorted lists of cycles, of the last PE
-- where many mark the same. Passes of a mark that are less than `gap` cycles apart are one event.
function wafer.events(program, lists, from, to, gap)
  local lowered = wafer.lower(program, lists, {timed = true})
  local record, events = run_layout(program, lists, lay_out(lowered), lowered.machine, to, true), {}
  for name, mark in pairs(record.marks) do
    local list = {}
    for k, cycle in ipairs(mark.times) do
      local next_cycle = mark.times[k + 1]
      if cycle >= from and not (next_cycle and next_cycle - cycle < gap) then list[#list + 1] = cycle end
    end
    events[name] = list
  end
  return events
end

-- Runs a program, lowered with the same first values. Returns the figures of the run, what differs from
-- `cells`, the interpreter's elements; without those it gives the elements of the outputs instead.
function wafer.run(program, lowered, lists, cells)
  local w, machine, cut = lay_out(lowered), lowered.machine, lowered.cut
  local record = run_layout(program, lists, w, machine)
  local figures = cells and outputs.compare(program, machine, record, cells) or {}
  figures.colours = 0
  for _ in pairs(w.colour_of) do figures.colours = figures.colours + 1 end
  figures.cycles, figures.response, figures.kernels = record.cycles, machine.response, #machine.used
  figures.sections, figures.section_breaks = #cut.list, cut.breaks
  return figures, not cells and outputs.of(program, machine, record) or nil
end

-- Runs several prepared programs (mach/program.lua) on one wafer; adds to the figures of each what differs from
-- its interpreter. Returns the record of the run.
function wafer.run_together(prepared, machine_name)
  local list, inputs = {}, {}
  for k, one in ipairs(prepared) do
    local machine = one.lowered.machine
    list[k] = one.lowered
    inputs["array_heap" .. machine.suffix] = wafer.heap_input(one.program, one.lists, machine)
  end
  local record = wafer.lay_out(list):run{machine = machine_name, inputs = inputs}
  for _, one in ipairs(prepared) do
    local figures = outputs.compare(one.program, one.lowered.machine, record, one.cells)
    for name, figure in pairs(figures) do one.user[name] = figure end
    one.user.sections, one.user.response = #one.lowered.cut.list, one.lowered.machine.response
  end
  return record
end

-- The text of the whole, as a layout.
function wafer.layout(program, lists) return lay_out(wafer.lower(program, lists)) end

return wafer
