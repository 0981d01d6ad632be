-- Seeds 1 to 250 of the 500 of every pattern; a script may not do all of them at once.
require("support.mach").messages(1, 250)
