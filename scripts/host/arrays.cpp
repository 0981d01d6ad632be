// Takes tables and functions apart, and builds tables.
#include "scripts/host/arrays.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <span>

#include "isa/support/mutant.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

using Extents = std::span<const std::uint64_t>;

std::vector<std::uint64_t> extents_of(const vm::ArrayInfo& array) {
  std::vector<std::uint64_t> extents{array.height, array.width};
  extents.insert(extents.end(), array.shape.begin(), array.shape.end());
  if (array.is_array && array.shape.empty()) extents.push_back(array.count);
  return extents;
}

std::uint64_t size_of(Extents extents) {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

// Appends the elements of the table on top, whose extents these are.
class TableTaker {
 public:
  TableTaker(lua_State* L, isa::Type type, std::vector<std::uint32_t>& words)
      : L_(L), type_(type), words_(words) {}

  isa::Status take(Extents extents) {
    if (!lua_istable(L_, -1) || lua_checkstack(L_, 4) == 0) {
      return isa::fail(fmt::format("a table is wanted, not {}", shown_value(L_, -1)));
    }
    const bool nested = lua_rawgeti(L_, -1, 1) == LUA_TTABLE;
    lua_pop(L_, 1);
    const std::uint64_t wanted = nested ? extents.front() : size_of(extents);
    const std::uint64_t given = lua_rawlen(L_, -1);
    const bool fits = given == wanted || isa::mutant(isa::Mutant::TableSize);
    if (!fits || (nested && extents.size() == 1)) {
      return isa::fail(fmt::format("{} {} are wanted, not {}", size_of(extents),
                                   extents.size() > 1 ? extents_text(extents) : "numbers", given));
    }
    for (std::uint64_t k = 1; k <= given; ++k) {
      lua_rawgeti(L_, -1, static_cast<lua_Integer>(k));
      const isa::Status status = nested ? take(extents.subspan(1)) : take_number();
      lua_pop(L_, 1);
      if (!status) return isa::fail(fmt::format("[{}]{}", k, at_element(status.error())));
    }
    return {};
  }

 private:
  static std::string extents_text(Extents extents) {
    return fmt::format("numbers ({})", fmt::join(extents, " x "));
  }

  // "[2]" and "[3]: why" become "[2][3]: why".
  static std::string at_element(const std::string& why) {
    return why.starts_with('[') ? why : ": " + why;
  }

  isa::Status take_number() {
    const isa::Result<std::uint32_t> word = word_on_top(L_, type_);
    if (!word) return std::unexpected(word.error());
    words_.push_back(*word);
    return {};
  }

  lua_State* L_;
  isa::Type type_;
  std::vector<std::uint32_t>& words_;
};

// Where a function is called, and what it said there.
struct Call {
  std::uint32_t x, y, i;
};

isa::Status take_result(lua_State* L, const Call& call, isa::Type type, std::uint32_t& word) {
  const isa::Result<std::uint32_t> bits = word_on_top(L, type);
  if (!bits) {
    return isa::fail(
        fmt::format("the function of ({}, {}, {}): {}", call.x, call.y, call.i, bits.error()));
  }
  word = *bits;
  return {};
}

// Words of f(x, y, i); the function is argument 1 of the frame. False: `status` says why.
bool call_for_all(lua_State* L, const vm::ArrayInfo& array, std::vector<std::uint32_t>& words,
                  isa::Status& status) {
  std::uint32_t* word = words.data();
  for (std::uint32_t y = 0; y < array.height; ++y) {
    for (std::uint32_t x = 0; x < array.width; ++x) {
      for (std::uint32_t i = 0; i < array.count; ++i, ++word) {
        const Call call{array.x0 + x, array.y0 + y, i};
        lua_pushvalue(L, 1);
        lua_pushinteger(L, call.x);
        lua_pushinteger(L, call.y);
        lua_pushinteger(L, call.i);
        lua_call(L, 3, 1);
        status = take_result(L, call, array.type, *word);
        if (!status) return false;
        lua_pop(L, 1);
      }
    }
  }
  return true;
}

void push_list(lua_State* L, const std::vector<std::uint32_t>& words, isa::Type type) {
  lua_createtable(L, static_cast<int>(std::min<std::size_t>(words.size(), 1u << 30)), 8);
  lua_Integer k = 0;
  for (const std::uint32_t word : words) {
    push_number(L, isa::from_bits(word, type));
    lua_rawseti(L, -2, ++k);
  }
}

}  // namespace

isa::Result<std::uint32_t> word_on_top(lua_State* L, isa::Type type) {
  if (lua_type(L, -1) != LUA_TNUMBER) {
    return isa::fail(fmt::format("{} is no number", shown_value(L, -1)));
  }
  if (isa::is_float(type)) return isa::to_bits(isa::Number::of(lua_tonumber(L, -1)), type);
  const std::optional<lua_Integer> integer = integer_at(L, -1);
  if (!integer) {
    return isa::fail(fmt::format("{} is no {}", shown_value(L, -1), isa::info(type).text));
  }
  return isa::to_bits(isa::Number::of(static_cast<std::int64_t>(*integer)), type);
}

std::expected<std::vector<std::uint32_t>, BindingError> words_of_value(lua_State* L, int index,
                                                                       const vm::ArrayInfo& array) {
  std::vector<std::uint32_t> words;
  lua_pushvalue(L, index);
  if (lua_istable(L, -1)) {
    const isa::Status status = TableTaker(L, array.type, words).take(extents_of(array));
    lua_pop(L, 1);
    if (!status) return problem(status.error());
    return words;
  }
  if (!lua_isfunction(L, -1)) {
    const std::string given = shown_value(L, -1);
    lua_pop(L, 1);
    return problem(
        fmt::format("a table, a function or the name of a file is wanted, not {}", given));
  }
  words.resize(std::size_t{array.width} * array.height * array.count);
  isa::Status status;
  const bool called = protect(L, 1, [&](lua_State* inner) {
    call_for_all(inner, array, words, status);
    return 0;
  });
  if (!called) return problem_on_stack();
  if (!status) return problem(status.error());
  return words;
}

void push_number(lua_State* L, const isa::Number& number) {
  if (number.is_float) {
    lua_pushnumber(L, number.real);
  } else {
    lua_pushinteger(L, number.integer);
  }
}

namespace {

// Sets the fields that say where the elements of the table at the top lie.
void set_place(lua_State* L, const vm::ArrayInfo& array) {
  const std::uint32_t own_y0 = isa::mutant(isa::Mutant::ArrayCorner) ? array.x0 : array.y0;
  const std::pair<const char*, std::uint32_t> fields[] = {{"x0", array.x0},
                                                          {"y0", own_y0},
                                                          {"width", array.width},
                                                          {"height", array.height},
                                                          {"count", array.count}};
  for (const auto& [name, value] : fields) {
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
  }
}

}  // namespace

bool push_array(lua_State* L, const vm::ArrayInfo& array, const std::vector<std::uint32_t>& words) {
  return protect(L, 0, [&](lua_State* inner) {
    push_list(inner, words, array.type);
    set_place(inner, array);
    const std::string_view type = isa::info(array.type).text;
    lua_pushlstring(inner, type.data(), type.size());
    lua_setfield(inner, -2, "type");
    return 1;
  });
}

bool push_numbers(lua_State* L, std::uint32_t width, std::uint32_t height,
                  const std::vector<std::uint64_t>& numbers) {
  return protect(L, 0, [&](lua_State* inner) {
    lua_createtable(inner, static_cast<int>(numbers.size()), 5);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      lua_pushinteger(inner, static_cast<lua_Integer>(numbers[k]));
      lua_rawseti(inner, -2, static_cast<lua_Integer>(k + 1));
    }
    set_place(inner, {.width = width, .height = height});
    return 1;
  });
}

bool push_symbol(lua_State* L, const vm::SymbolValue& value) {
  return protect(L, 0, [&](lua_State* inner) {
    if (value.is_array) {
      push_list(inner, value.words, value.type);
    } else {
      push_number(inner, isa::from_bits(value.words.front(), value.type));
    }
    return 1;
  });
}

}  // namespace wse::script
