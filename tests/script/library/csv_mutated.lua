-- Damaged CSV files are told, or read as they are: support/csv_mutation.lua.
print(require("support.csv_mutation").run(1, 150))
