-- code=best is never slower than code=paper: all patterns, on rows and grids, on all machines.
print(require "support.never_slower"(1) .. " pairs")
