-- An argument that the script has not asked for, found before anything runs.
local wse = require "wse"
wse.argument("sizes", "small")
wse.no_more_arguments()
error("it ran")
--- expect
--- unused_argument.lua: unknown argument 'size'; did you mean 'sizes'? The script takes sizes
