// Texts of programs that send messages through a hypercube, each along its e-cube way: the lowest
// dimension in which source and target differ comes first. Messages whose ways share no router
// share a colour. Every receiver says in .expect what it must get.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wse::test_support {

class HypercubeText {
 public:
  explicit HypercubeText(std::uint32_t dimensions);

  // From node to node, or to itself. All messages are sent at once: a node receives them
  // asynchronously and sends in the order of the calls. False, and nothing changes, if no colour is
  // free on the way or no microthread at the target.
  bool add_message(std::uint32_t source, std::uint32_t target, std::uint32_t words);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t messages() const { return messages_; }
  // Links that all wavelets together go over.
  std::uint64_t hops() const { return hops_; }
  std::string text() const;

  // The nodes of the e-cube way, both ends included.
  static std::vector<std::uint32_t> way(std::uint32_t source, std::uint32_t target);

 private:
  struct Node {
    std::uint32_t colours = 0;    // in use at its router, a bit each
    std::uint32_t receiving = 0;  // microthreads in use
    std::string data;
    std::string receives;
    std::string sends;
    std::string waits;
  };
  void route(const std::vector<std::uint32_t>& way, std::uint32_t colour);

  std::uint32_t dimensions_;
  std::vector<Node> nodes_;
  std::uint32_t colours_ = 0;  // in use anywhere
  std::uint32_t messages_ = 0;
  std::uint64_t hops_ = 0;
  std::string routes_;
  std::string expectations_;
};

}  // namespace wse::test_support
