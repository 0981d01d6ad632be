// Reads the values that are names of colours. Time is linear: a name means one that is above it.
#include "asm/names/colour_aliases.h"

#include "asm/syntax/rewrites.h"

namespace wse::assembler {
namespace {

// Of names, to be told from a chain; a longer one is told as a name that is below.
constexpr std::size_t kLongestCircle = 1000;

class RootFinder {
 public:
  RootFinder(const Unit& unit, const std::vector<std::size_t>& indices, const NameTable& names,
             Reporter& reporter)
      : unit_(unit), indices_(indices), names_(names), reporter_(reporter) {}

  std::vector<std::size_t> run() {
    std::vector<std::size_t> roots;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      const Meaning* other = meant(k);
      if (other == nullptr) {
        roots.push_back(k);
      } else if (other->index < k) {
        roots.push_back(roots[other->index]);
      } else {
        roots.push_back(kNoColour);
        refuse(k, *other);
      }
    }
    return roots;
  }

 private:
  const Binding& binding(std::size_t k) const { return unit_.colours[indices_[k]]; }

  // The colour that the value of a name is; nullptr if it names no colour.
  const Meaning* meant(std::size_t k) const {
    const ExprId value = binding(k).value;
    if (value == kNoExpr || unit_[value].kind != ExprKind::Name) return nullptr;
    const Meaning* found = names_.find(unit_[value].text);
    return found != nullptr && found->kind == NameKind::Colour ? found : nullptr;
  }

  void refuse(std::size_t k, const Meaning& other) {
    const Expr& value = unit_[binding(k).value];
    if (reporter_.may_suggest() && is_circle(k, other)) {
      reporter_.report(Problem::ColourCircle, value.where, binding(k).name.text, value.text);
      reporter_.spells(without_value(unit_, binding(k)));
      return;
    }
    reporter_.report(Problem::ColourTooLate, value.where, value.text);
    reporter_.note(Remark::DefinedHere, other.where, value.text);
  }

  // Whether the names lead from `other` back to k.
  bool is_circle(std::size_t k, const Meaning& other) const {
    const Meaning* at = &other;
    for (std::size_t steps = 0; at != nullptr && steps < kLongestCircle; ++steps) {
      if (at->index == k) return true;
      at = meant(at->index);
    }
    return false;
  }

  const Unit& unit_;
  const std::vector<std::size_t>& indices_;
  const NameTable& names_;
  Reporter& reporter_;
};

}  // namespace

std::vector<std::size_t> colour_roots(const Unit& unit, const std::vector<std::size_t>& indices,
                                      const NameTable& names, Reporter& reporter) {
  return RootFinder(unit, indices, names, reporter).run();
}

}  // namespace wse::assembler
