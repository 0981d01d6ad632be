-- code=best is never slower than code=paper: all patterns, on rows and grids, on all machines, and drawn sizes.
local never_slower = require "support.never_slower"

print(never_slower.fixed(1) + never_slower.drawn(100, 300) .. " pairs")
