// Instructions and images as assembly text. The text of an image assembles to the same image.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "isa/image/image.h"
#include "isa/instruction/instruction.h"

namespace wse::isa {

// One instruction without its label, as the assembler reads it: "fadds d2, d0, d1 async 3".
// Branch targets appear as label_text(target).
std::string instruction_text(const Image& image, const Program& program,
                             const Instruction& instruction);

// A descriptor literal as the assembler reads it: "fabin(red, length=16)", "v[0:8:2]".
std::string descriptor_text(const Image& image, const Program& program,
                            const DescriptorLiteral& literal);

// "ramp -> west, east".
std::string position_text(const SwitchPosition& position);

// A filter as the assembler reads it: "range 3..5", "counter max=0 limit=7 start=2".
std::string filter_text(const FilterShape& shape, std::span<const std::string> values);
std::string fifo_text(const Program& program, const Fifo& fifo);
std::string named_filter_text(const Image& image, const Program& program,
                              const NamedFilter& filter);
// The header of a task as the assembler reads it: "task add on red (r1, r2) high:".
std::string task_header_text(const Image& image, const Program& program, const Task& task);

std::string label_text(std::uint32_t pc);

// The characters between the quotes of a string in assembly text.
std::string escaped_text(std::string_view text);

// The array or scalar with an element at the byte address, of `bytes` bytes unless that is 0;
// nullptr if there is none.
const Symbol* symbol_at(const Program& program, std::uint32_t address, std::uint32_t bytes = 0);

// Returns the words that a view covers: "view(v[16:48])".
std::string view_text(const Program& program, const Symbol& view);

// "v[3]", "a[1, 2]", "total": element `index` of the symbol.
std::string element_text(const Symbol& symbol, std::uint32_t index);

// The value of a parameter slot, in parentheses where data of the program have the name: there it
// stays the coordinate.
std::string slot_text(const Image& image, const Program& program, std::uint32_t slot);
std::string plain_slot_text(const Image& image, const Program& program, std::uint32_t slot);

// "[4, 8]" after the name of an array; nothing after that of a scalar.
std::string shape_text(const Symbol& symbol);

}  // namespace wse::isa
