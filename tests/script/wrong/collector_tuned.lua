-- Numbers of the collector, which could make it run at every allocation.
collectgarbage("incremental", 100, 1000, 63)
--- expect
--- collector_tuned.lua:2: collectgarbage: its numbers cannot be set in a script; --unsafe lifts this
