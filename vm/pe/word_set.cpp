// Intersection of sets: boxes, then arithmetic where one of them has one stride, else a map of the
// words that both boxes share.
#include "vm/pe/word_set.h"

#include <algorithm>
#include <vector>

namespace wse::vm {
namespace {

constexpr std::int64_t kWordBytes = 2;

// Elements of `width` bytes, `stride` bytes apart (negative: downwards; 0: all the same).
struct Strided {
  std::int64_t first;
  std::int64_t stride;
  std::int64_t count;
  std::int64_t width;

  std::int64_t low() const { return stride >= 0 ? first : first + (count - 1) * stride; }
  std::int64_t high() const { return (stride >= 0 ? first + (count - 1) * stride : first) + width; }
  bool is_dense() const { return count == 1 || (stride <= width && -stride <= width); }
  bool contains(std::int64_t address) const {
    if (address < low() || address >= high()) return false;
    const std::int64_t pitch = stride < 0 ? -stride : stride;
    return pitch == 0 || (address - low()) % pitch < width;
  }
};

bool meet(const Strided& a, const Strided& b) {
  if (a.low() >= b.high() || b.low() >= a.high()) return false;
  if (a.is_dense() && b.is_dense()) return true;
  const Strided& few = a.count <= b.count ? a : b;
  const Strided& many = a.count <= b.count ? b : a;
  for (std::int64_t k = 0; k < few.count; ++k) {
    const std::int64_t element = few.first + k * few.stride;
    for (std::int64_t word = element; word < element + few.width; word += kWordBytes) {
      if (many.contains(word)) return true;
    }
  }
  return false;
}

// The runs of the first `count` elements; until `visit` returns true, which is the result.
template <class Visit>
bool any_run(const ElementPath& path, std::uint64_t count, std::int64_t width, Visit visit) {
  for (std::uint64_t k = 0; k < count;) {
    const ElementRun run = path.run_at(k);
    const std::uint64_t taken = std::min(run.count, count - k);
    if (visit(Strided{run.first, run.step, static_cast<std::int64_t>(taken), width})) return true;
    k += taken;
  }
  return false;
}

// A bit per word of low .. high - 1.
class WordMap {
 public:
  WordMap(std::int64_t low, std::int64_t high)
      : low_(low), words_(static_cast<std::size_t>((high - low + kWordBytes - 1) / kWordBytes)) {}

  void mark(const Strided& run) {
    for_each(run, [this](std::size_t word) {
      words_[word] = true;
      return false;
    });
  }
  bool has_any(const Strided& run) const {
    return for_each(run, [this](std::size_t word) { return words_[word]; });
  }

 private:
  template <class Visit>
  bool for_each(const Strided& run, Visit visit) const {
    for (std::int64_t k = 0; k < run.count; ++k) {
      for (std::int64_t byte = 0; byte < run.width; byte += kWordBytes) {
        const std::int64_t offset = run.first + k * run.stride + byte - low_;
        const auto word = static_cast<std::size_t>(offset / kWordBytes);
        if (offset >= 0 && word < words_.size() && visit(word)) return true;
      }
    }
    return false;
  }

  std::int64_t low_;
  std::vector<bool> words_;
};

}  // namespace

WordSet::WordSet(ElementPath path, std::uint32_t count, std::uint32_t width)
    : path_(path), count_(count), width_(width) {
  bool first = true;
  any_run(path_, path_.distinct(count_), width_, [&](const Strided& run) {
    low_ = first ? run.low() : std::min(low_, run.low());
    high_ = first ? run.high() : std::max(high_, run.high());
    first = false;
    return false;
  });
}

WordSet WordSet::of_bytes(std::uint32_t address, std::uint32_t bytes) {
  const isa::Descriptor place{.kind = isa::DescriptorKind::Memory, .address = address, .length = 1};
  return {ElementPath(place, bytes), 1, bytes};
}

bool WordSet::is_dense() const {
  if (!path_.is_linear()) return false;
  const ElementRun run = path_.run_at(0);
  return Strided{run.first, run.step, count_, width_}.is_dense();
}

bool intersect(const WordSet& a, const WordSet& b) {
  if (a.empty() || b.empty()) return false;
  if (a.low_ >= b.high_ || b.low_ >= a.high_) return false;
  if (a.is_dense() && b.is_dense()) return true;
  const WordSet& one = a.path_.is_linear() ? a : b;  // of one stride, if any is
  const WordSet& other = a.path_.is_linear() ? b : a;
  const std::uint64_t others = other.path_.distinct(other.count_);
  if (one.path_.is_linear()) {
    const ElementRun run = one.path_.run_at(0);
    const Strided all{run.first, run.step, one.count_, one.width_};
    return any_run(other.path_, others, other.width_,
                   [&all](const Strided& part) { return meet(all, part); });
  }
  WordMap map(std::max(a.low_, b.low_), std::min(a.high_, b.high_));
  any_run(one.path_, one.path_.distinct(one.count_), one.width_, [&map](const Strided& run) {
    map.mark(run);
    return false;
  });
  return any_run(other.path_, others, other.width_,
                 [&map](const Strided& run) { return map.has_any(run); });
}

bool same_elements(const WordSet& a, const WordSet& b) {
  if (a.count_ != b.count_ || a.width_ != b.width_) return false;
  for (std::uint64_t k = 0; k < a.count_;) {
    const ElementRun x = a.path_.run_at(k);
    const ElementRun y = b.path_.run_at(k);
    const std::uint64_t taken = std::min({x.count, y.count, std::uint64_t{a.count_} - k});
    if (x.first != y.first || (taken > 1 && x.step != y.step)) return false;
    k += taken;
  }
  return true;
}

}  // namespace wse::vm
