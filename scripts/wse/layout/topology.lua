-- The ports of routers and where they lead: a mesh, or a hypercube as a row of 2^d PEs.
-- A set of ports is a mask; bit k is port k of `names`. The last port is the ramp.

local topology = {}

-- A mesh: west 0, east 1, north 2, south 3, ramp 4. (0, 0) is in the north-west.
function topology.mesh(width, height)
  local mesh = {names = {[0] = "west", "east", "north", "south", "ramp"}, ramp = 4}
  mesh.width, mesh.height = width, height
  mesh.opposite = {[0] = 1, 0, 3, 2}
  mesh.statement = ".grid " .. width .. ", " .. height
  mesh.size = width .. " x " .. height

  function mesh.neighbour(x, y, port)
    if port == 0 then return x - 1, y end
    if port == 1 then return x + 1, y end
    if port == 2 then return x, y - 1 end
    return x, y + 1
  end

  -- The ports from one PE to another: along x, then y; y first if `order` is "yx".
  function mesh.way(x0, y0, x1, y1, order)
    local ports = {}
    local function along_x()
      for _ = 1, x1 - x0 do ports[#ports + 1] = 1 end
      for _ = 1, x0 - x1 do ports[#ports + 1] = 0 end
    end
    if order ~= "yx" then along_x() end
    for _ = 1, y1 - y0 do ports[#ports + 1] = 3 end
    for _ = 1, y0 - y1 do ports[#ports + 1] = 2 end
    if order == "yx" then along_x() end
    return ports
  end

  return mesh
end

-- dim0 .. dim(d-1), ramp; dimK of PE x leads to x ~ (1 << K).
function topology.hypercube(dimensions)
  local cube = {names = {}, opposite = {}, ramp = dimensions}
  cube.width, cube.height = 1 << dimensions, 1
  for k = 0, dimensions - 1 do cube.names[k], cube.opposite[k] = "dim" .. k, k end
  cube.names[dimensions] = "ramp"
  cube.statement = ".hypercube " .. dimensions
  cube.size = cube.width .. " PEs of a hypercube"
  cube.is_hypercube = true

  function cube.neighbour(x, y, port) return x ~ (1 << port), y end

  -- From the lowest dimension in which they differ to the highest; downwards if "yx".
  function cube.way(x0, _, x1, _, order)
    local ports = {}
    for k = 0, dimensions - 1 do
      local port = order == "yx" and dimensions - 1 - k or k
      if (x0 ~ x1) >> port & 1 == 1 then ports[#ports + 1] = port end
    end
    return ports
  end

  return cube
end

-- The names of a set of ports, "east, ramp".
function topology.text(net, mask)
  local text = ""
  for port = 0, net.ramp do
    if mask >> port & 1 == 1 then
      text = text .. (text == "" and "" or ", ") .. net.names[port]
    end
  end
  return text
end

return topology
