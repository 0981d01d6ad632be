-- What is asked for and cannot be is refused before anything runs, with what would fit.
local mach = require "support.mach"
local vm = require "mach.vm"
local refused = mach.refused

refused("width = 5: an even number is wanted", vm.program, {width = 5, height = 4, response = 2})
refused("height = 3: an even number is wanted", vm.program, {width = 6, height = 3, response = 2})
refused("response = 3: an even number is wanted", vm.program, {width = 6, height = 4, response = 3})
refused("response = 6: an integer of 2 to 4 is wanted", vm.program,
        {width = 6, height = 4, response = 6})
refused("reduction = ring: drain, chain or tree is wanted", vm.program,
        {width = 6, height = 4, reduction = "ring"})
refused("a program has no option 'hight'", vm.program, {width = 6, hight = 4})

local p = vm.program{width = 6, height = 4, response = 2}
p:array("a", "f32", 8)
p:array("k", "i32", 8)
local function section(call) return function() return p:section{call} end end

refused("there is an array 'a' already", p.array, p, "a", "f32", 8)
refused("type = f64: f32, f16 or i32 is wanted", p.array, p, "z", "f64", 8)
refused("unknown kernel 'ad_f32'; did you mean 'add_f32'?", section{"ad_f32"})
refused("add_f32: b is missing", section{"add_f32", d = "a", a = "a", length = 8})
refused("add_f32: b: unknown array 'b'", section{"add_f32", d = "a", a = "a", b = "b", length = 8})
refused("add_f32: b: the array 'k' is i32, not f32",
        section{"add_f32", d = "a", a = "a", b = "k", length = 8})
refused("add_f32: b: elements 1 to 8 of 'a', which has 8",
        section{"add_f32", d = "a", a = "a", b = {"a", 1}, length = 8})
refused("add_f32 takes d, a, b, length, mask, not 'c'",
        section{"add_f32", d = "a", a = "a", b = "a", c = "a", length = 8})
refused("the slice '1-2' is not of the kind 'first:end:step'",
        section{"copy_f32", d = "a", a = "a", length = 8, x = "1-2"})
refused("the slice '::0' has step 0", section{"copy_f32", d = "a", a = "a", length = 8, y = "::0"})
refused("there is no section 3; there are 0", p.run, p, {{"section", 3}})
local fill = p:section{{"fill_f32", d = "a", value = vm.immediate, length = 8}}
refused("section 1 wants 1 values of the executive, 0 are given", p.run, p, {{"section", fill}})
p:section{{"receive", scalar = 1}}
refused("no reduction of this program goes to the workers", p.run, p, {{"section", 2}})

for _, wrong in ipairs{
  {"control", {nz = 0}, "nz = 0: an integer of 1 to 3000 is wanted"},
  {"control", {response = 16}, "response = 16: an integer of 2 to 14 is wanted"},
  {"control", {width = 7}, "width = 7: an even number is wanted"},
  {"reduction", {op = "mean"}, "op = mean: sum, min or max is wanted"},
  {"reduction", {to = "host"}, "to = host: workers or controller is wanted"},
  {"reduction", {pattern = "star"}, "pattern = star: drain, chain or tree is wanted"},
  {"exchange", {height = 5}, "height = 5: an even number is wanted"},
  {"indirect", {kernel = "sort"}, "gather, scatter, gather-add or gather-mul-send is wanted"},
  {"indirect", {n = 0}, "n = 0: an integer of 1 to 2048 is wanted"},
  {"message", {pattern = "ring"}, "random, permutation, transpose or all-to-one is wanted"},
  {"message", {length = 32}, "length = 32: an integer of 0 to 31 is wanted"},
  {"message", {width = 1, height = 1}, "width * height = 1: an integer of 2 to 1048576 is wanted"},
} do
  local room = require("mach." .. wrong[1])
  local options = {}
  for _, argument in ipairs(room.arguments) do options[argument[1]] = argument[2] end
  for name, value in pairs(wrong[2]) do options[name] = value end
  refused(wrong[3], room.run, options)
end

local network = require "mach.message.network"
refused("goes to itself", network.run, {width = 2, height = 1, messages = {
  {from = {0, 0}, to = {0, 0}, words = {1}}}})
refused("which is not on the grid", network.run, {width = 2, height = 1, messages = {
  {from = {0, 0}, to = {2, 0}, words = {1}}}})
