// An image of a text and what loading makes of it, without a machine around it. A text that does
// not assemble or load throws, which fails the test with its diagnostics.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "vm/load/initial_data.h"
#include "vm/load/loaded.h"

namespace wse::vm {

class Loading {
 public:
  // With a value for the image's parameter, if it has one.
  explicit Loading(const std::string& text, const std::string& value = {})
      : image_(image_of(text, value)), mesh_(image_.topology()), channels_(image_, mesh_) {
    isa::Attempt<Loaded> result =
        Loaded::load(image_, *isa::find_profile("model"), mesh_, channels_);
    if (!result) throw std::runtime_error(result.error().message);
    loaded_ = std::move(*result);
  }

  isa::Attempt<void> fill(std::uint32_t threads = 2) {
    return fill_initial_data(image_, mesh_, {0, pes()}, threads, loaded_);
  }
  Loaded& loaded() { return loaded_; }
  const Loaded& loaded() const { return loaded_; }
  std::uint32_t pes() const { return mesh_.pes(); }
  // Whether a symbol of i32 holds these elements at the PE.
  bool holds(PeId pe, std::string_view symbol, const std::vector<std::int32_t>& elements) const {
    const isa::Symbol& s = *loaded_.program_at(pe)->program->find_symbol(symbol);
    return s.count == elements.size() &&
           std::memcmp(loaded_.data(pe) + s.address, elements.data(), s.bytes()) == 0;
  }
  const ChannelMap& channels() const { return channels_; }

 private:
  static isa::Image image_of(const std::string& text, const std::string& value) {
    assembler::Output output = assembler::assemble(
        {"test.wsa", text}, {.overrides = {}, .profile = *isa::find_profile("model")});
    if (!output.image) throw std::runtime_error(isa::to_text(output.diagnostics, output.files));
    for (const isa::GlobalParameter& parameter : output.image->parameters) {
      EXPECT_TRUE(isa::set_parameter(*output.image, parameter.name, value));
    }
    return std::move(*output.image);
  }

  isa::Image image_;
  isa::Topology mesh_;
  ChannelMap channels_;
  Loaded loaded_;
};

}  // namespace wse::vm
