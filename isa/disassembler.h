// Instructions and images as assembly text. The text of an image assembles to the same image.
#pragma once

#include <string>
#include <string_view>

#include "isa/image.h"
#include "isa/instruction.h"

namespace wse::isa {

// One instruction without its label, as the assembler reads it: "fadds d2, d0, d1 async 3".
// Branch targets appear as label_text(target).
std::string instruction_text(const Image& image, const Program& program,
                             const Instruction& instruction);

// A descriptor literal as the assembler reads it: "fabin(red, length=16)", "v[0:8:2]".
std::string descriptor_text(const Image& image, const Program& program,
                            const DescriptorLiteral& literal);

// The header of a task as the assembler reads it: "task add on red (r1, r2) high:".
std::string task_header_text(const Image& image, const Program& program, const Task& task);

std::string label_text(std::uint32_t pc);

// The characters between the quotes of a string in assembly text.
std::string escaped_text(std::string_view text);

}  // namespace wse::isa
