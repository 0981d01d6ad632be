// A link: the messages of a strip to the other strips of its machine, and of these to it.
//
//     turn t of strip A                   Reduce                turn t + 1 of strip B
//     to(B): bytes are added         ---- or meet ------->      from(A): the bytes, all at once
//
// A message is bytes that mean the same in another process: numbers and values, never an address.
// It has no number of its own: each pair of strips has one message per turn, and all strips count
// the same turns. A strip to which nothing crosses gets none, and reads none. Strips ask for what
// they need within a turn by mail, and whoever waits answers. communicator.h says who makes links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace wse::vm {

using MessageBytes = std::vector<std::byte>;

// A value that means the same wherever its bytes are read: all of them belong to its members.
template <class T>
concept MessageValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                       std::has_unique_object_representations_v<T>;

template <MessageValue T>
void append(MessageBytes& message, const T& value) {
  const std::size_t at = message.size();
  message.resize(at + sizeof value);
  std::memcpy(message.data() + at, &value, sizeof value);
}

// Calls visit(value) for each value of a message of values of one type.
template <MessageValue T, class Visit>
void for_each_value(std::span<const std::byte> message, Visit visit) {
  T value;
  for (; message.size() >= sizeof value; message = message.subspan(sizeof value)) {
    std::memcpy(&value, message.data(), sizeof value);
    visit(value);
  }
}

// Another strip, for which this one waits, has failed, or its process has ended. The run ends where
// it is thrown: this strip cannot meet the others any more.
class LostStrip : public std::runtime_error {
 public:
  // `why`: in words, with the lost strip, process or rank.
  explicit LostStrip(const std::string& why) : std::runtime_error(why) {}
};

struct Mail {
  std::uint32_t from = 0;
  MessageBytes bytes;
};

// The work of a strip for others while it waits for them.
class Server {
 public:
  virtual ~Server() = default;
  // Does a part of what others have asked for; false if that is nothing. Never waits.
  virtual bool serve() = 0;
};

class Link {
 public:
  virtual ~Link() = default;

  // Returns the number of strips of the machine.
  virtual std::uint32_t strips() const = 0;
  // Returns the strip whose link this is.
  virtual std::uint32_t strip() const = 0;

  // Returns the message to another strip in this turn, to which the caller adds; the same bytes
  // until the next turn().
  virtual MessageBytes& to(std::uint32_t strip) = 0;
  // Begins the next turn. The turn of all strips must be over, which a Reduce says.
  virtual void turn() = 0;
  // Returns what another strip sent here in the turn before, up to the next turn().
  virtual std::span<const std::byte> from(std::uint32_t strip) = 0;

  // ---- mail, which comes at any time, in the order in which a strip has posted it
  virtual void post(std::uint32_t strip, MessageBytes bytes) = 0;
  // Takes the next mail; false if there is none.
  virtual bool receive(Mail& mail) = 0;
  // Gives way while the strip waits for mail. Throws LostStrip if another strip has failed.
  virtual void wait_for_mail() = 0;
  // Tells the other strips that this one has failed, and may answer no more.
  virtual void fail() = 0;
  // The server answers the mail of this strip where one thread works for several.
  virtual void connect(Server& server) = 0;
  // The server ends: this strip gets no more mail.
  virtual void disconnect() = 0;
};

}  // namespace wse::vm
