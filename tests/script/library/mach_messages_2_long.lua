-- Seeds 251 to 500 of the 500 of every pattern; a script may not do all of them at once.
require("support.mach").messages(251, 500)
