-- Names that a layout gives: each once, with the user's line.
local check = require "wse.layout.check"
local host = require "wse.host"
local format = string.format

local names = {}

-- Refuses a name that is no name, or that is taken.
function names.check_free(self, call, what, name)
  check.name(call, what, name)
  if self.names[name] then
    host.raise(format("%s: there is a '%s' already, from %s", call, name, self.names[name]))
  end
end

function names.take(self, call, what, name)
  names.check_free(self, call, what, name)
  self.names[name] = check.line()
end

return names
