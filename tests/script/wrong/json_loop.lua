local wse = require "wse"
local node = {}
node.next = node
print(wse.json(node))
