// Chooses which words are worth a comparison.
#include "asm/suggest.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kMostCandidates = 2000;
constexpr std::size_t kMostEdits = 2;  // as isa::nearest() allows

}  // namespace

void Suggestion::offer(std::string_view candidate) {
  const bool near = candidate.size() <= word_.size() + kMostEdits &&
                    word_.size() <= candidate.size() + kMostEdits;
  if (active_ && near && candidates_.size() < kMostCandidates) {
    candidates_.emplace_back(candidate);
  }
}

}  // namespace wse::assembler
