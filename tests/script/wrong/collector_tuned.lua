-- Numbers of the collector, which could make it run at every allocation.
collectgarbage("incremental", 100, 1000, 63)
