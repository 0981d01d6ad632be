-- Every row of the instruction table can be written by the builder, and the assembler takes it.
local wse = require "wse"

-- Operands by the letters of the table; data have the type that the row works on.
local kinds = {any32 = "i32", i32 = "i32", u32 = "u32", f32 = "f32", i16 = "i16", u16 = "u16",
               f16 = "f16", any16 = "i16"}

local function operand_of(o, row, letter, nth)
  local source = kinds[row.sources[nth] or row.type] or "i32"
  local own = kinds[row.type] or "i32"
  local by_letter = {
    d = o.k, a = o.k, b = o.j, S = o.j, D = o.array[own], A = o.array[source], B = o.array[source],
    E = o.walk, F = o.other, X = o.array.i32[{0, 4}], C = "red", R = o.turned, W = o.first,
    L = "there", T = "other", U = o.sending, M = "here", P = "k = {k}", ["?"] = "==",
    ["@"] = o.element[row.mnemonic:find("16") and "i16" or "i32"],
  }
  if row.mnemonic:find("d$") and #row.mnemonic == 3 then by_letter["@"] = o.saved end
  if row.mnemonic:find("x$") then
    by_letter["@"] = o.indexed[row.mnemonic:find("16") and 16 or 32]
  end
  return assert(by_letter[letter], "no operand for " .. letter)
end

local written = 0

local function write_all(b)
  local o = {array = {}, element = {}}
  for _, data_type in ipairs{"i32", "u32", "f32", "i16", "u16", "f16"} do
    o.array[data_type] = b[data_type](b, "v_" .. data_type, {8})
  end
  o.element = {i16 = b:i16("half"), i32 = b:i32("whole")}
  o.saved = b:i32("saved", {14})[0]
  o.k, o.j = b:reg("k", "j")
  o.indexed = {[16] = o.array.i16[o.k], [32] = o.array.i32[o.k]}
  o.walk, o.other = b:dsr("walk", "another")
  o.sending = b:microthread("sending")
  o.turned = b:routing("turned", "[ramp -> ramp]")
  o.first = b:filtering("first", "range 0..9")
  b:task("main")
  b.halt()
  b:task("other")
  b:label("there")
  for _, row in ipairs(wse.isa().instructions) do
    local given, source = {}, 0
    for letter in row.operands:gmatch(".") do
      if letter:find("[aAbBS]") then source = source + 1 end
      given[#given + 1] = operand_of(o, row, letter, math.max(source, 1))
    end
    b[row.mnemonic](table.unpack(given))
    written = written + 1
    if row.vector then
      given[1] = b.fabout("red", {length = 8})
      given[#given + 1] = b.async(o.sending, {activate = "other"})
      b[row.mnemonic](table.unpack(given))
    end
  end
end

local text = wse.program("all", {}, write_all)
assert(written == #wse.isa().instructions and written > 150)
local record = wse.run{text = ".grid 1, 1\n.colour red\n.route red at (0, 0): ramp -> ramp\n" ..
                              text .. ".place all at (0, 0)\n"}
assert(record.ok)
