-- The module `wse`: what a script gets from require "wse".
-- It adds to the host's functions only what is easier said in Lua. Must never depend on what a
-- script may change: the functions of the standard library are taken when it is loaded.
local host = require "wse.host"
local arguments = require "wse.arguments"
local record = require "wse.record"

return {
  argument = arguments.argument,
  arguments = host.arguments,
  run = record.run,
  user = host.user,
  read_text = host.read_text,
  write_text = host.write_text,
  log = host.log,
  isa = host.isa,
  machine = host.machine,
}
