-- Damaged CSV files, many of them.
print(require("support.csv_mutation").run(1000, 5000))
