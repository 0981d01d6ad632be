// Arrays, symbols and profiles of sessions.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "scripts/host/arrays.h"
#include "scripts/host/asked_session.h"
#include "scripts/host/launches.h"
#include "scripts/host/limits.h"
#include "scripts/host/table_reader.h"
#include "vm/run/open_streams.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kCopiedPerInstruction = 4;  // that are copied

struct Asked {
  vm::Session* session = nullptr;
  std::string name;
  vm::ArrayPart part;
  vm::PartShape shape;
};

// Session and name, arguments 1 and 2, and the part from `index` on.
std::expected<Asked, BindingError> asked_array(lua_State* L, int index, std::string_view method) {
  const auto held = asked_session(L, method);
  if (!held) return std::unexpected(held.error());
  auto name = asked_name(L, 2, method, "an array");
  if (!name) return std::unexpected(name.error());
  const auto part = asked_part(L, index, method);
  if (!part) return std::unexpected(part.error());
  vm::Session& session = *(*held)->session;
  const isa::Result<vm::PartShape> shape = session.shape(*name, *part);
  if (!shape) return problem(fmt::format("{}: {}", method, shape.error()));
  if (!limits_of(L).charge(shape->elements() / kCopiedPerInstruction)) {
    return problem(limits_of(L).text());
  }
  return Asked{&session, std::move(*name), *part, *shape};
}

// The part as the array that a table of Lua has; an array of several dimensions keeps them as a
// whole.
vm::ArrayInfo info_of(const Asked& asked) {
  const vm::PartShape& shape = asked.shape;
  vm::ArrayInfo info{.type = shape.type,
                     .is_array = shape.is_array,
                     .count = shape.count,
                     .x0 = shape.rect.x,
                     .y0 = shape.rect.y,
                     .width = shape.rect.width,
                     .height = shape.rect.height};
  if (asked.part.elements) return info;
  const isa::Result<vm::ArrayInfo> whole = asked.session->machine().array(asked.name);
  if (whole) info.shape = whole->shape;
  return info;
}

}  // namespace

Returned session_read(lua_State* L) {
  const auto asked = asked_array(L, 3, "s:read");
  if (!asked) return std::unexpected(asked.error());
  std::vector<std::byte> bytes(asked->shape.bytes());
  const isa::Status read = asked->session->read(asked->name, asked->part, bytes);
  if (!read) return problem("s:read: " + read.error());
  const std::size_t size = isa::info(asked->shape.type).bytes;
  std::vector<std::uint32_t> words(asked->shape.elements());
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::memcpy(&words[k], bytes.data() + k * size, size);
  }
  return push_array(L, info_of(*asked), words) ? Returned(1) : problem_on_stack();
}

Returned session_write(lua_State* L) {
  const auto asked = asked_array(L, 4, "s:write");
  if (!asked) return std::unexpected(asked.error());
  const auto words = words_of_value(L, 3, info_of(*asked));
  if (!words && words.error().on_stack) return std::unexpected(words.error());
  if (!words) return problem(fmt::format("s:write: {}: {}", asked->name, words.error().message));
  const auto held = asked_session(L, "s:write");  // what gave the values may have closed it
  if (!held) return std::unexpected(held.error());
  const std::size_t size = isa::info(asked->shape.type).bytes;
  std::vector<std::byte> bytes(asked->shape.bytes());
  for (std::size_t k = 0; k < words->size(); ++k) {
    std::memcpy(bytes.data() + k * size, &(*words)[k], size);
  }
  const isa::Status written = (*held)->session->write(asked->name, asked->part, bytes);
  if (!written) return problem("s:write: " + written.error());
  return 0;
}

namespace {

struct AskedSymbol {
  vm::Session* session = nullptr;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string name;
  vm::SymbolValue value;
};

std::expected<AskedSymbol, BindingError> asked_symbol(lua_State* L, std::string_view method) {
  const auto held = asked_session(L, method);
  if (!held) return std::unexpected(held.error());
  const auto x = count_at(L, 2);
  const auto y = count_at(L, 3);
  if (!x || !y || *x > UINT32_MAX || *y > UINT32_MAX) {
    return problem(
        fmt::format("{}: x and y of a PE are wanted: numbers that are not negative", method));
  }
  auto name = asked_name(L, 4, method, "a symbol");
  if (!name) return std::unexpected(name.error());
  vm::Session& session = *(*held)->session;
  isa::Result<vm::SymbolValue> value =
      session.symbol(static_cast<std::uint32_t>(*x), static_cast<std::uint32_t>(*y), *name);
  if (!value) return problem(fmt::format("{}: {}", method, value.error()));
  if (!limits_of(L).charge(value->words.size())) return problem(limits_of(L).text());
  return AskedSymbol{&session, static_cast<std::uint32_t>(*x), static_cast<std::uint32_t>(*y),
                     std::move(*name), std::move(*value)};
}

}  // namespace

Returned session_symbol(lua_State* L) {
  const auto asked = asked_symbol(L, "s:symbol");
  if (!asked) return std::unexpected(asked.error());
  return push_symbol(L, asked->value) ? Returned(1) : problem_on_stack();
}

// A single element is a number, others are a list.
Returned session_set(lua_State* L) {
  const auto asked = asked_symbol(L, "s:set");
  if (!asked) return std::unexpected(asked.error());
  const auto count = static_cast<std::uint32_t>(asked->value.words.size());
  std::vector<std::uint32_t> words;
  if (asked->value.is_array) {
    const vm::ArrayInfo array{.type = asked->value.type,
                              .is_array = true,
                              .count = count,
                              .x0 = asked->x,
                              .y0 = asked->y,
                              .width = 1,
                              .height = 1};
    if (!lua_istable(L, 5)) {
      return problem(fmt::format("s:set: '{}' has {} elements: a list is wanted, not {}",
                                 asked->name, count, shown_value(L, 5)));
    }
    auto given = words_of_value(L, 5, array);
    if (!given && given.error().on_stack) return std::unexpected(given.error());
    if (!given) return problem(fmt::format("s:set: {}: {}", asked->name, given.error().message));
    words = std::move(*given);
  } else {
    lua_pushvalue(L, 5);
    const isa::Result<std::uint32_t> word = word_on_top(L, asked->value.type);
    lua_pop(L, 1);
    if (!word) return problem(fmt::format("s:set: {}: {}", asked->name, word.error()));
    words.push_back(*word);
  }
  const isa::Status set = asked->session->set_symbol(asked->x, asked->y, asked->name, words);
  if (!set) return problem("s:set: " + set.error());
  return 0;
}

namespace {

struct AskedStream {
  vm::Session* session = nullptr;
  std::string name;
  vm::ArrayInfo array;  // of its declaration
};

std::expected<AskedStream, BindingError> asked_stream(lua_State* L, std::string_view method) {
  const auto held = asked_session(L, method);
  if (!held) return std::unexpected(held.error());
  auto name = asked_name(L, 2, method, "a stream");
  if (!name) return std::unexpected(name.error());
  vm::Session& session = *(*held)->session;
  if (!vm::OpenStreams(session.machine()).has(*name)) {
    return problem(fmt::format("{}: there is no stream '{}'", method, *name));
  }
  const isa::Result<vm::ArrayInfo> array = session.machine().array(*name);
  if (!array) return problem(fmt::format("{}: {}", method, array.error()));
  return AskedStream{&session, std::move(*name), *array};
}

}  // namespace

Returned session_send(lua_State* L) {
  const auto asked = asked_stream(L, "s:send");
  if (!asked) return std::unexpected(asked.error());
  if (!lua_istable(L, 3)) {
    return problem(fmt::format("s:send: a list of numbers is wanted, not {}", shown_value(L, 3)));
  }
  const std::uint64_t pes = std::uint64_t{asked->array.width} * asked->array.height;
  const std::uint64_t count = lua_rawlen(L, 3);
  if (!limits_of(L).charge(count + pes)) return problem(limits_of(L).text());
  std::vector<std::uint32_t> words;
  words.reserve(count);
  for (std::uint64_t k = 1; k <= count; ++k) {
    lua_rawgeti(L, 3, static_cast<lua_Integer>(k));
    const isa::Result<std::uint32_t> word = word_on_top(L, asked->array.type);
    lua_pop(L, 1);
    if (!word) return problem(fmt::format("s:send: {}[{}]: {}", asked->name, k, word.error()));
    words.push_back(*word);
  }
  const isa::Status sent = asked->session->send(asked->name, words);
  if (!sent) return problem("s:send: " + sent.error());
  return 0;
}

Returned session_receive(lua_State* L) {
  const auto asked = asked_stream(L, "s:receive");
  if (!asked) return std::unexpected(asked.error());
  const isa::Result<std::size_t> there = asked->session->arrived(asked->name);
  if (!there) return problem("s:receive: " + there.error());
  std::uint64_t count = *there;
  if (!lua_isnoneornil(L, 3)) {
    const auto wanted = count_at(L, 3);
    if (!wanted) {
      return problem(
          fmt::format("s:receive: a number of elements is wanted, not {}", shown_value(L, 3)));
    }
    count = *wanted;
  }
  const std::uint64_t pes = std::uint64_t{asked->array.width} * asked->array.height;
  if (!limits_of(L).charge(std::min<std::uint64_t>(count, *there) * pes + pes)) {
    return problem(limits_of(L).text());
  }
  const auto words = asked->session->receive(asked->name, count);
  if (!words) return problem("s:receive: " + words.error());
  return push_symbol(L, {asked->array.type, true, *words}) ? Returned(1) : problem_on_stack();
}

Returned session_profiles(lua_State* L) {
  const auto held = asked_session(L, "s:profile");
  if (!held) return std::unexpected(held.error());
  const std::vector<std::string> names = (*held)->session->machine().profile_arrays();
  if (!limits_of(L).charge(names.size())) return problem(limits_of(L).text());
  const bool pushed = protect(L, 0, [&names](lua_State* inner) {
    lua_createtable(inner, static_cast<int>(names.size()), 0);
    for (std::size_t k = 0; k < names.size(); ++k) {
      lua_pushlstring(inner, names[k].data(), names[k].size());
      lua_rawseti(inner, -2, static_cast<lua_Integer>(k + 1));
    }
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

Returned session_profile(lua_State* L) {
  const auto held = asked_session(L, "s:profile");
  if (!held) return std::unexpected(held.error());
  const auto name = asked_name(L, 2, "s:profile", "an array of the profile");
  if (!name) return std::unexpected(name.error());
  const vm::Machine& machine = (*held)->session->machine();
  const std::uint32_t width = machine.image().width;
  const std::uint32_t height = machine.image().height;
  if (!limits_of(L).charge(std::uint64_t{width} * height / kCopiedPerInstruction)) {
    return problem(limits_of(L).text());
  }
  const auto values = machine.profile_array(*name);
  if (!values)
    return problem("s:profile: " + values.error() + "; wse.start{profile = true} keeps one");
  return push_numbers(L, width, height, *values) ? Returned(1) : problem_on_stack();
}

}  // namespace wse::script
