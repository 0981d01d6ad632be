// The shared library's own file, since a target must have one: its code is the room's.
