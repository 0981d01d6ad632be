// Between a transport and its client: remembers whether a core was told something that it may have
// to act on.
#pragma once

#include "vm/contract/boundary.h"

namespace wse::vm {

class Relay final : public TransportClient {
 public:
  void moved(ThreadId thread, std::uint64_t first, std::uint32_t count, const FabricWords& words,
             Cycle cycle) override {
    client->moved(thread, first, count, words, cycle);
  }
  void end(ThreadId thread, std::uint64_t elements, Cycle cycle) override {
    told = true;
    client->end(thread, elements, cycle);
  }
  void controlled(ThreadId thread, std::size_t k, Cycle cycle) override {
    told = true;
    client->controlled(thread, k, cycle);
  }
  void left(PeId pe, std::uint32_t fifo, Level level, Cycle cycle) override {
    told = true;
    client->left(pe, fifo, level, cycle);
  }
  void torn_down(PeId pe, std::uint32_t colour, Cycle visible) override {
    told = true;
    client->torn_down(pe, colour, visible);
  }
  void fetch(ThreadId thread, Fetch what, std::uint64_t first) override {
    client->fetch(thread, what, first);
  }
  void look_at(PeId pe, Cycle when) override {
    told = true;
    client->look_at(pe, when);
  }

  TransportClient* client = nullptr;
  bool told = false;
};

}  // namespace wse::vm
