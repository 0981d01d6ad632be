-- The module `wse`: what a script gets from require "wse".
-- It adds to the host's functions only what is easier said in Lua. Must never depend on what a
-- script may change: the functions of the standard library are taken when it is loaded.
local host = require "wse.host"
local arguments = require "wse.arguments"
local builder = require "wse.builder"
local check = require "wse.layout.check"
local csv = require "wse.csv"
local heat_map = require "wse.heat_map"
local json = require "wse.json"
local layout = require "wse.layout"
local plot = require "wse.plot"
local record = require "wse.record"
local report = require "wse.report"
local session = require "wse.session"
local sweep = require "wse.sweep"
local text_table = require "wse.text_table"
local setmetatable, pairs, tostring = setmetatable, pairs, tostring
local sort = table.sort

local wse = {
  argument = arguments.argument,
  arguments = host.arguments,
  no_more_arguments = host.no_more_arguments,
  run = record.run,
  start = session.start,
  user = host.user,
  read_text = host.read_text,
  write_text = host.write_text,
  log = host.log,
  sweep = sweep,
  table = text_table,
  csv = csv.csv,
  write_csv = csv.write_csv,
  read_csv = csv.read_csv,
  json = json.json,
  write_json = json.write_json,
  isa = host.isa,
  machine = host.machine,
  layout = layout.make,
  program = builder.program,
  plot = plot,
  heat_map = heat_map,
  report = report,
}

local names = {}
for name in pairs(wse) do names[#names + 1] = name end
sort(names)

-- A name that is not there is a mistake of the user.
local function unknown(_, name)
  host.raise("wse has no '" .. tostring(name) .. "'" .. check.instead(tostring(name), names))
end

return setmetatable(wse, {__index = unknown, __metatable = false})
