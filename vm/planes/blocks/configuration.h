// The writes of PEs to their routers: positions, routings, filters. A write acts when all queues of
// its cycle have taken and given.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/contract/transport.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/switches.h"

namespace wse::vm::wafer {

class Configuration {
 public:
  // All must live longer.
  Configuration(RouterTable& table, Switches& switches, RestingBlocks& rests)
      : table_(table), switches_(switches), rests_(rests) {}

  // ---- by cores, see Transport
  bool may_write(ChannelId channel) const;
  std::uint32_t positions(ChannelId channel) const;
  void write(const ConfigurationWrite& write);
  bool has_writes() const { return !writes_.empty(); }

  // Applies the writes of the cycle, in their order. Returns whether there were any.
  bool apply(Cycle now);

  // ---- filters
  void set_filter(ChannelId channel, const FilterSetting& filter);
  // Returns how many words the filter has kept away from the PE.
  std::uint64_t dropped(ChannelId channel) const;
  // Returns whether the filter keeps the next word away.
  bool drops(ChannelId channel) const;

 private:
  // A write that waits: all PEs may write in one cycle, few of them filters.
  struct Write {
    const isa::Routing* routing = nullptr;
    ChannelId channel = kNoChannel;
    ConfigurationWrite::Kind kind = ConfigurationWrite::Kind::TeardownExit;
    std::uint8_t position = 0;
  };
  void apply(const Write& write, Cycle now);

  RouterTable& table_;
  Switches& switches_;
  RestingBlocks& rests_;
  std::vector<Write> writes_;
  std::vector<FilterSetting> filters_;  // of those writes that have one, in their order
  std::size_t next_filter_ = 0;         // that will be applied
};

}  // namespace wse::vm::wafer
