// The parts of a .wsb file that more than one of its files passes: image_format.cpp,
// program_format.cpp and fabric_format.cpp. Only these include it.
#pragma once

#include "isa/image/archive.h"
#include "isa/image/image.h"

namespace wse::isa::wsb {

inline constexpr auto kFormulaOps = static_cast<unsigned>(FormulaOp::SquareRoot) + 1;

template <class Archive>
void pass(Archive& archive, Of<Archive, std::uint32_t>& word) {
  archive.word(word);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, std::string>& text) {
  archive.text(text);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Type>& type) {
  archive.byte(type, kTypeCount);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, SourceLine>& line) {
  archive.word(line.file);
  archive.word(line.line);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, StridedRange>& range) {
  archive.word(range.first);
  archive.word(range.last);
  archive.word(range.step);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, StridedRect>& rect) {
  pass(archive, rect.x);
  pass(archive, rect.y);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Number>& number) {
  archive.flag(number.is_float);
  if (number.is_float) {
    archive.real(number.real);
  } else {
    archive.long_word(number.integer);
  }
}

template <class Archive>
void pass(Archive& archive, Of<Archive, FormulaNode>& node) {
  archive.byte(node.op, kFormulaOps);
  const OperatorInfo* op = operator_info(node.op);
  for (unsigned k = 0; op != nullptr && k < op->operands; ++k) archive.word(node.operand[k]);
  if (node.op == FormulaOp::Constant) pass(archive, node.constant);
  if (node.op == FormulaOp::Parameter || node.op == FormulaOp::Global) archive.word(node.index);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Formula>& formula) {
  archive.list(formula.nodes, 1);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, SlotValue>& value) {
  archive.flag(value.is_slot);
  archive.word(value.value);
}

// ---- program_format.cpp
void pass(PartWriter& archive, const Program& program);
void pass(PartReader& archive, Program& program);

// ---- fabric_format.cpp
void pass(PartWriter& archive, const Route& route);
void pass(PartReader& archive, Route& route);
void pass(PartWriter& archive, const Filter& filter);
void pass(PartReader& archive, Filter& filter);
void pass(PartWriter& archive, const Stream& stream);
void pass(PartReader& archive, Stream& stream);
void pass(PartWriter& archive, const NamedRouting& routing);
void pass(PartReader& archive, NamedRouting& routing);
void pass(PartWriter& archive, const NamedFilter& filter);
void pass(PartReader& archive, NamedFilter& filter);

}  // namespace wse::isa::wsb
