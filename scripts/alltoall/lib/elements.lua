-- The types of elements: how many words one has, which instructions combine them, and how Lua makes
-- and reads them. Must never hold a cost or a size of a machine.
local combiners = require "collectives.lib.elements"
local host = require "wse.host"
local pack, unpack, format = string.pack, string.unpack, string.format

local elements = {}

local kSpan = 1 << 23  -- integers in [-kSpan, kSpan) are exact in every type

-- encode: the words of a number, as the data type of arrays holds them; decode: back, from a list
-- at k.
local types = {
  f32 = {words = 1, data = "f32", encode = function(v) return {v + 0.0} end,
         decode = function(list, k) return list[k] end},
  i32 = {words = 1, data = "i32", encode = function(v) return {v} end,
         decode = function(list, k) return list[k] end},
  ["f64-as-pairs"] = {
    words = 2, data = "i32", fraction = 1 / 4096,
    encode = function(v)
      local low, high = unpack("<i4i4", pack("<d", v))
      return {low, high}
    end,
    decode = function(list, k) return (unpack("<d", pack("<i4i4", list[k], list[k + 1]))) end},
}

-- As words of integers, for records that hold an index beside the value.
local function bits_of_f32(row)
  return {words = 1, data = "i32", encode = function(v)
    local word = unpack("<i4", pack("<f", v))
    return {word}
  end, decode = function(list, k) return (unpack("<f", pack("<i4", list[k]))) end,
  fraction = row.fraction}
end

-- The element type of that name; `indexed` elements carry one word more, their index.
function elements.of(name, indexed)
  local row = types[name]
  if not row then
    host.raise(format("type = %s: f32, i32 or f64-as-pairs is wanted", tostring(name)))
  end
  if indexed and name == "f32" then row = bits_of_f32(row) end
  local element = {name = name, words = row.words, data = row.data, encode = row.encode,
                   decode = row.decode, fraction = row.fraction or 0}
  element.moved_words = row.words + (indexed and 1 or 0)
  return element
end

-- The instruction that adds, or takes the larger or the smaller, of elements of one word.
function elements.combine(name, operation)
  if name ~= "f32" and name ~= "i32" then
    host.raise(format("type = %s: a reduction has f32 or i32; pairs of words cannot be added",
                      tostring(name)))
  end
  return combiners.of(name, operation).combine
end

-- Number `g` of a vector for a seed: all different up to 2^24, exact in every type.
function elements.number(element, seed, g)
  local whole = (g * 0x9E3779B1 + seed * 0x632BE5AB & 2 * kSpan - 1) - kSpan
  return whole + element.fraction * (g & 4095)
end

return elements
