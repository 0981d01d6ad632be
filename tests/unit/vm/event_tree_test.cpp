// Events that are forgotten: whatever the tree drops, each root goes back over the same events.
#include "vm/ledger/event_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "vm/ledger/paged_table.h"

namespace {

using wse::vm::Event;
using wse::vm::EventId;
using wse::vm::EventTree;
using wse::vm::kNoEvent;

struct Root {
  EventId event = EventTree::kStart;
};

// Adds events, each caused by that of a root, which it replaces. Their numbers are in `pc`, so that
// no two are alike; the causes of all are kept beside.
class Growth {
 public:
  Growth(std::size_t young, std::size_t old) : tree_(young, old), roots_(kRoots) {}

  void add_events(std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
      if (tree_.is_full()) forget();
      // Most events are of few roots: the others keep events that are old.
      const std::size_t at = random_() % 8 == 0 ? random_() % kRoots : random_() % 16;
      const std::size_t from = random_() % 4 == 0 ? random_() % kRoots : at;
      const Root* const cause = roots_.find(from);
      const EventId id = cause == nullptr ? EventTree::kStart : cause->event;
      const auto number = static_cast<std::uint32_t>(causes_.size());
      causes_.push_back(number_of(id));
      roots_[at].event = tree_.add({.cycle = number, .cause = id, .pc = number});
    }
  }
  // Whether all roots go back over all events that they went over when these were added.
  void expect_whole() const {
    for (std::size_t k = 0; k < kRoots; ++k) {
      const Root* const root = roots_.find(k);
      if (root == nullptr) continue;
      EventId id = root->event;
      for (std::uint32_t number = number_of(id); number != kStartNumber; number = causes_[number]) {
        ASSERT_EQ(number_of(id), number);
        ASSERT_EQ(tree_[id].cycle, number);
        id = tree_[id].cause;
      }
      ASSERT_EQ(id, EventTree::kStart);
    }
  }
  std::size_t size() const { return tree_.size(); }
  std::uint32_t times_all() const { return times_all_; }
  std::uint32_t times_young() const { return times_young_; }

 private:
  static constexpr std::size_t kRoots = 300;
  static constexpr std::uint32_t kStartNumber = ~0u;

  std::uint32_t number_of(EventId id) const { return tree_[id].pc; }
  void forget() {
    const bool all = tree_.forgets_all();
    ++(all ? times_all_ : times_young_);
    tree_.collect([&](const auto& visit) {
      const auto visit_root = [&](Root& root) { visit(root.event); };
      all ? roots_.for_each(visit_root) : roots_.for_each_changed(visit_root);
    });
    roots_.forget_changes();
  }

  EventTree tree_;
  wse::vm::PagedTable<Root> roots_;
  std::vector<std::uint32_t> causes_;  // by number
  std::mt19937 random_{1};
  std::uint32_t times_all_ = 0;
  std::uint32_t times_young_ = 0;
};

TEST(EventTree, ForgetsNoEventToWhichARootGoesBack) {
  for (const std::size_t young : {1u, 7u, 100u}) {
    Growth growth(young, 4 * young);
    for (int k = 0; k < 20; ++k) {
      growth.add_events(500);
      growth.expect_whole();
    }
    EXPECT_GT(growth.times_all(), 2u);
    EXPECT_GT(growth.times_young(), growth.times_all());
  }
}

TEST(EventTree, ForgetsMostEvents) {
  Growth growth(1000, 2000);
  growth.add_events(200'000);
  growth.expect_whole();
  EXPECT_LT(growth.size(), 20'000u);
}

TEST(EventTree, JoinsEventsThatAreAlike) {
  EventTree tree(4, 100);
  EventId last = EventTree::kStart;
  for (std::uint32_t cycle = 1; cycle < 100; ++cycle) {
    if (tree.is_full()) tree.collect([&](const auto& visit) { visit(last); });
    last = tree.add({.cycle = cycle, .cause = last, .pe = 3, .slack = 200 - cycle});
  }
  std::uint32_t least = Event::kNoSlack;
  std::uint32_t events = 0;
  for (EventId id = last; tree[id].cause != kNoEvent; id = tree[id].cause, ++events) {
    least = std::min(least, tree[id].slack);
  }
  EXPECT_EQ(least, 101u);
  EXPECT_LT(events, 50u);
}

}  // namespace
