// Numbers of files of wsevm beside those of a reference, for its commands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wse::reference {

// Says what is wrong with the arguments of a command, and ends it with exit code 2.
[[noreturn]] void refuse(const char* command, const std::string& message);

// Reads `count` numbers of f32 from a .npy file.
std::vector<float> read_numbers(const char* command, const std::string& file, std::size_t count);

// Returns the largest difference over the largest absolute value of `wanted`; NaN counts as the
// largest.
double distance(const std::vector<float>& given, const std::vector<double>& wanted);
double distance(const std::vector<double>& given, const std::vector<double>& wanted);

// Compares the numbers of a file, if it has a name; prints how far they are off. Returns whether
// that is within the tolerance.
bool compare(const char* command, const std::string& what, const std::string& file,
             const std::vector<double>& wanted, double tolerance);

}  // namespace wse::reference
