-- Acoustic and elastic modelling: a model of the ground, shots and receivers become seismograms:
--   wsevm run scripts/stencil/minimod.lua ngrid=40,40,40 nsteps=50 pml=8 receivers=0..39..3,20,2
-- MODELLING.md has the arguments. With require "stencil.minimod" it gives modelling/shots.lua.
local shots = require "stencil.modelling.shots"
if ... then return shots end  -- a module gets its name

local shared = require "support.command"
local wse = require "wse"

local kSizes = "ngrid and nsteps"  -- decide what a PE has to hold

local request = shared.call(kSizes, shots.request, shared.options{
  propagator = "", velocity = "", vmax = 1.0, pml = "", absorber = "", surface = "", shots = "", receivers = "", ngrid = "",
  dgrid = "", nsteps = 1, fmax = 1.0, dt = 1.0, first_sample = 1, out = "", wavefield = "", snapshots = "",
  slices = "", mirror = "", grow = 1, shear = "", density = "", epsilon = "", delta = "",
  gamma = "", theta = "", phi = "", source = "", moment = "", fields = "", force = true, check = true})
for _, line in ipairs(shots.log(request)) do print(line) end
for _, note in ipairs(shots.notes(request)) do wse.log("note: " .. note) end
local result = shared.call(kSizes, shots.run, request)
for _, line in ipairs(shots.result_log(request, result)) do print(line) end
wse.user(result)
