-- Snapshots of a wavefield: a .npy file for each, and pictures of planes of it and of the model.
local output = require "stencil.modelling.output"
local wse = require "wse"
local format, abs = string.format, math.abs

local snapshots = {}

local kAcross = {{2, 3}, {1, 3}, {1, 2}}  -- of a plane across axis k: the axis to the right, the axis downwards
local kNames = {"x", "y", "z"}
local kLabels = {p = "pressure", v = "velocity of particles", s = "stress"}  -- by the first letter of a field
local kShown = 0.99  -- of the cells of a plane are within the scale; the source would hide the others

-- Draws a plane {axis =, at =, name =} of value(x, y, z) into a file.
local function draw(request, plane, file, title, label, value, is_signed)
  local right, down = table.unpack(kAcross[plane.axis])
  local sizes, sorted = {request.nx, request.ny, request.nz}, {}
  local function of(i, j)
    local cell = {}
    cell[plane.axis], cell[right], cell[down] = plane.at, i, j
    return value(cell[1], cell[2], cell[3])
  end
  local range
  if is_signed then
    for j = 0, sizes[down] - 1 do
      for i = 0, sizes[right] - 1 do sorted[#sorted + 1] = abs(of(i, j)) end
    end
    table.sort(sorted)
    local last = sorted[math.ceil(kShown * #sorted)]
    if last == 0 then last = sorted[#sorted] end
    if last > 0 then range = {-last, last} end
  end
  wse.heat_map{file = file, width = sizes[right], height = sizes[down], title = title, label = label, range = range,
               scale = is_signed and "diverging" or nil, x_label = kNames[right] .. ", cells", y_label = kNames[down] .. ", cells", values = of,
               numbers = false}
end

-- Draws the planes of the velocities, before anything runs: a folder that cannot be written is refused here.
function snapshots.draw_model(request, velocity)
  for _, plane in ipairs(request.planes) do
    draw(request, plane, format("%s/model_%s.png", request.out, plane.name),
         format("velocities, %s = %d", kNames[plane.axis], plane.at), "m/s", velocity, false)
  end
end

-- Returns the file of a snapshot, without its ending.
function snapshots.name(request, shot, step) return format("%s/snapshot_%d_%05d", request.out, shot, step) end

-- Writes the wavefield value(x, y, z) of a shot after a step, of shape (ny, nx, nz), and draws its planes.
function snapshots.save(request, shot, step, value)
  local name = snapshots.name(request, shot, step)
  output.save("out", name .. ".npy", request.nx, request.ny, request.nz, value)
  for _, plane in ipairs(request.planes) do
    draw(request, plane, format("%s_%s.png", name, plane.name),
         format("shot %d after %d steps, %s = %d", shot, step, kNames[plane.axis], plane.at), kLabels[request.recorded[1]:sub(1, 1)], value,
         true)
  end
end

return snapshots
