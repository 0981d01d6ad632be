local wse = require "wse"
print(wse.json({sizes = {1, 2, math.huge}}))
--- expect
--- json_infinite.lua:2: wse.json: value.sizes[3]: JSON has no inf
