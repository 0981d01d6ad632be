local wse = require "wse"
local node = {}
node.next = node
print(wse.json(node))
--- expect
--- json_loop.lua:4: wse.json: tables are nested more than 64 deep, or one holds itself
