-- More words than a filter can count, in however many sections.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(64, 1):use(require "collectives.calls")
w:alltoall{name = "swap", length = 400, pattern = "train"}
--- expect
--- calls_train_words.lua:5: w:alltoall: pattern = train: a filter counts up to 65536 words of a section, of which there are at most 8; chain has no limit
