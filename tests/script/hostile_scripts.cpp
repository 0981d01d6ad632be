// The cores and frames, and how scripts are changed.
#include "tests/script/hostile_scripts.h"

#include <cctype>
#include <vector>

namespace wse::script {
namespace {

// `wse` and a local `chain(n, f)`, the n-fold table whose __call ends in f, are there.
constexpr Core kCores[] = {
    {"Loop", "while true do end"},
    {"Recursion", "local function f() return 1 + f() end f()"},
    {"TailCalls", "local function f() return f() end f()"},

    // One instruction of Lua.
    {"CallItself", "local t = setmetatable({}, {}) getmetatable(t).__call = t t()"},
    {"CallEachOther",
     "local a, b = setmetatable({}, {}), setmetatable({}, {})\n"
     "getmetatable(a).__call, getmetatable(b).__call = b, a\na(1, 2, 3)"},
    {"CallByFor", "local t = setmetatable({}, {}) getmetatable(t).__call = t for x in t do end"},
    {"CallByPcall", "local t = setmetatable({}, {}) getmetatable(t).__call = t pcall(t)"},
    {"CallBySort",
     "local t = setmetatable({}, {}) getmetatable(t).__call = t table.sort({2, 1}, t)"},
    {"CallByOperator",
     "local t = setmetatable({}, {}) local m = getmetatable(t)\n"
     "m.__call, m.__add = t, t print(t + 1)"},
    {"CallByConcat",
     "local t = setmetatable({}, {}) local m = getmetatable(t)\n"
     "m.__call, m.__concat = t, t print(t .. 'x')"},
    {"CallByEquality",
     "local m = {} local t, u = setmetatable({}, m), setmetatable({}, m)\n"
     "m.__call, m.__eq = t, t print(t == u)"},
    {"CallByToString",
     "local t = setmetatable({}, {}) local m = getmetatable(t)\n"
     "m.__call, m.__tostring = t, t print(t)"},
    {"CallByClose",
     "local t = setmetatable({}, {}) local m = getmetatable(t)\n"
     "m.__call, m.__close = t, t do local x <close> = t end"},
    {"CallByCoroutine",
     "local t = setmetatable({}, {}) getmetatable(t).__call = t\n"
     "coroutine.wrap(function() t() end)()"},
    {"LongChains", "local f = chain(2000, function() end) while true do f() end"},
    {"LongIndexes",
     "local t = {} for k = 1, 1900 do t = setmetatable({}, {__index = t}) end\n"
     "while true do local x = t.x end"},
    {"IndexItself", "local t = setmetatable({}, {}) getmetatable(t).__index = t print(t.x)"},
    {"Ephemerons",
     "local n, keys, order = 60000, {}, {} for k = 1, n do keys[k], order[k] = {}, k end\n"
     "for k = n, 2, -1 do local j = k * 7919 % k + 1 order[k], order[j] = order[j], order[k] end\n"
     "local t = setmetatable({}, {__mode = 'k'})\n"
     "for k = 1, n - 1 do t[keys[order[k]]] = keys[order[k + 1]] end\n"
     "local first = keys[order[1]] keys, order = nil, nil\n"
     "while true do collectgarbage() end"},
    {"CollidingKeys",
     "local t, step = {}, (1 << 16) - 1 for k = 1, 60000 do t[k * step] = k end\n"
     "while true do for k = 1, 60000 do local x = t[k * step] end end"},
    {"EmptiedTable",
     "local t = {} for k = 1, 200000 do t['k' .. k] = 1 end\n"
     "for k = 1, 200000 do t['k' .. k] = nil end while true do next(t) end"},
    {"LongTextsCompared",
     "local a = ('x'):rep(1 << 20) .. ('x'):rep(1 << 21) local b = a .. '' local c = a .. 'y'\n"
     "b = c:sub(1, -2) while true do local x = a == b, a < b end"},
    {"ManyVariables",
     "local function f(...) local a = ... return select('#', ...) end\n"
     "local t = {} for k = 1, 200000 do t[k] = k end while true do f(table.unpack(t)) end"},
    {"TextsThatAreNumbers",
     "local s = ('0'):rep(1 << 21) while true do local x = s + 1, s | 1 end"},

    // Functions of the standard library.
    {"SortWithoutOrder",
     "local t = {} for k = 1, 1e5 do t[k] = k end\n"
     "while true do pcall(table.sort, t, function() return true end) end"},
    {"SortOfLongTexts",
     "local s = ('x'):rep(100000) local t = {} for k = 1, 200 do t[k] = s .. (k * 77 % 200) end\n"
     "while true do table.sort(t) table.sort(t, function(a, b) return a > b end) end"},
    {"SortThatYields",
     "coroutine.wrap(function() table.sort({3, 2, 1}, coroutine.yield) end)() while true do end"},
    {"PatternBacktracks", "string.find(('a'):rep(5000), ('a-'):rep(30) .. 'b')"},
    {"PatternsBelowACharge", "local s = ('a'):rep(60) while true do string.find(s, '.-.-b') end"},
    {"GsubOfNothing",
     "local r = ('%1'):rep(200000) while true do (('a'):rep(1000)):gsub('(b*)', r) end"},
    {"GsubGrows", "local s = 'x' while true do s = s:gsub('.', '%0%0') end"},
    {"GmatchOfNothing", "while true do for a in ('a'):rep(1000):gmatch('()') do end end"},
    {"Repeat", "while true do string.rep('x', 1 << 20) end"},
    {"RepeatNothing", "string.rep('', 1 << 60)"},
    {"FormatLong", "while true do string.format(('%99.99f'):rep(100), table.unpack({}, 1, 0)) end"},
    {"FormatWide",
     "local t = {} for k = 1, 100 do t[k] = 1e308 end\n"
     "while true do string.format(('%99.99f'):rep(100), table.unpack(t)) end"},
    {"ConcatLong",
     "local s = ('x'):rep(1 << 20) local t = {} for k = 1, 1000 do t[k] = s end\n"
     "while true do pcall(table.concat, t) end"},
    {"MoveThroughMetamethods",
     "local t = setmetatable({}, {__index = rawlen, __newindex = rawequal})\n"
     "while true do pcall(table.move, t, 1, 1 << 20, 2) end"},
    {"InsertInFront", "local t = {} while true do table.insert(t, 1, 0) end"},
    {"UnpackMuch", "while true do local n = select('#', table.unpack({}, 1, 200000)) end"},
    {"PackMuch", "while true do table.pack(table.unpack({}, 1, 200000)) end"},
    {"CompileBranches", "local n = 1e5 load(('if a then else'):rep(n) .. ' ' .. ('end '):rep(n))"},
    {"CompileElseifs", "load('if a then ' .. ('elseif a then '):rep(1 << 18) .. ' end')"},
    {"CompileOrs", "while true do load('return ' .. ('a or '):rep(1 << 14) .. 'a') end"},
    {"CompileDeep", "load('return ' .. ('('):rep(1 << 20))"},
    {"CompileGotos",
     "local t = {} for k = 1, 30000 do t[k] = 'goto a' .. k .. ' ' end load(table.concat(t))"},
    {"CompileForEver", "load(function() return ' ' end)"},
    {"CompileConstants",
     "local t = {} for k = 1, 1e5 do t[k] = 'x = ' .. k .. '.5 ' end load(table.concat(t))"},
    {"Utf8Continuations",
     "local s = ('\\x80'):rep(1 << 20) local f = utf8.codes(s)\n"
     "while true do pcall(f, s, 1) pcall(utf8.offset, s, -1) pcall(utf8.len, s) end"},
    {"PackLong", "local f = ('b'):rep(1 << 20) while true do pcall(string.packsize, f) end"},
    {"UnpackZeros", "local s = ('x'):rep(1 << 20) while true do pcall(string.unpack, 'z', s) end"},
    {"PackWide", "while true do pcall(string.pack, 'c2000000000', 'x') end"},
    {"Dates", "local f = ('%c'):rep(1 << 16) while true do os.date(f) end"},
    {"NumbersOfTexts",
     "local s = ('1'):rep(1 << 20) while true do tonumber(s) tonumber(s, 36) end"},
    {"UpperCase",
     "local s = ('x'):rep(1 << 20) while true do s:upper() s:reverse() s:byte(1, 9) end"},
    {"Tracebacks",
     "local function f(n) if n > 0 then return 1 + f(n - 1) end\n"
     "  while true do debug.traceback() end end f(20000)"},
    {"HiddenLines",
     "load([[local function f(n) if n > 0 then return 1 + f(n - 1) end\n"
     "while true do pcall(require, {}) end end f(20000)]], '=(wse: x')()"},

    // Coroutines, and what closes.
    {"CoroutinesInCoroutines", "local function f() coroutine.wrap(f)() end f()"},
    {"ManyCoroutines", "while true do coroutine.wrap(function() coroutine.yield() end)() end"},
    {"KeptCoroutines", "local t = {} while true do t[#t + 1] = coroutine.create(print) end"},
    {"YieldForEver",
     "local f = coroutine.wrap(function() while true do coroutine.yield() end end)\n"
     "while true do f() end"},
    {"ResumeWithMuch",
     "local co = coroutine.wrap(function(...) while true do coroutine.yield(...) end end)\n"
     "local t = {} for k = 1, 1e5 do t[k] = k end while true do co(table.unpack(t)) end"},
    {"CloseForEver",
     "local x <close> = setmetatable({}, {__close = function() while true do end end}) error('x')"},
    {"CloseWhenMemoryIsOut",
     "local m = {__close = function() while true do local t = {} end end}\n"
     "local x <close> = setmetatable({}, m) local s = 'x' while true do s = s .. s end"},
    {"CloseManyWhenMemoryIsOut",
     "local m = {__close = function() for k = 1, 1e4 do wse.log('x') end end}\n"
     "local function f(n) local x <close> = setmetatable({}, m)\n"
     "  if n > 0 then f(n - 1) else local t = {} while true do t[#t + 1] = {} end end end f(150)"},
    {"CloseOfCoroutineWhenMemoryIsOut",
     "local m = {__close = function() while true do end end}\n"
     "coroutine.wrap(function() local x <close> = setmetatable({}, m)\n"
     "  local t = {} while true do t[#t + 1] = {} end end)()"},
    {"Finalizers", "setmetatable({}, {__gc = function() while true do end end})"},
    {"FinalizersAfterwards",
     "local m = {} for k = 1, 1000 do setmetatable({}, m) end\n"
     "m.__gc = function() while true do end end collectgarbage() while true do end"},
    {"ErrorsInHandlers", "local function f() error(f) end while true do xpcall(f, f) end"},
    {"ErrorThatIsATable",
     "error(setmetatable({}, {__tostring = function() while true do end end}))"},
    {"ErrorWithoutText", "error(setmetatable({}, {__name = ('x'):rep(1 << 20)}))"},
    {"ErrorOfAMegabyte", "error(('x'):rep(1 << 20))"},

    // Memory.
    {"Tables", "local t = {} while true do t[#t + 1] = {} end"},
    {"Texts", "local s = 'x' while true do s = s .. s end"},
    {"WithoutCollector", "collectgarbage('stop') while true do local t = {} end"},
    {"NearTheLimit",
     "local t, s = {}, nil pcall(function() for k = 1, 1e9 do t[k] = {} end end)\n"
     "while true do s = {} end"},
    {"Closures", "local f while true do local g = f f = function() return g end end"},

    // The library.
    {"Print", "while true do print(('x'):rep(1000)) end"},
    {"Log", "while true do wse.log('') end"},
    {"UserNames", "local k = 0 while true do k = k + 1 wse.user{['k' .. k] = k} end"},
    {"UserLists", "local t = {} for k = 1, 1e5 do t[k] = k end while true do wse.user{t = t} end"},
    {"UserTexts", "local k = 0 while true do k = k + 1 wse.user{['k' .. k] = ('x'):rep(1e5)} end"},
    {"Arguments", "local k = 0 while true do k = k + 1 wse.argument(('x'):rep(1e4) .. k, 1) end"},
    {"Writes", "while true do wse.write_text('hostile.txt', '') end"},
    {"WritesThatFail", "while true do pcall(wse.write_text, '.git/config', '') end"},
    {"Reads", "while true do pcall(wse.read_text, 'none') end"},
    {"Modules", "local k = 0 while true do k = k + 1 pcall(require, 'none' .. k) end"},
    {"Runs", "while true do wse.run{text = '.grid 1, 1'} end"},
    {"RunsOfWafers", "while true do wse.run{text = '.grid 500, 500'} end"},
    {"RunsKept", "local t = {} while true do t[#t + 1] = wse.run{text = '.grid 100, 100'} end"},
    {"RunsThatFail", "while true do pcall(wse.run, {text = '.grid'}) end"},
    {"RunValues",
     "local v = {} for k = 1, 1e5 do v['v' .. k] = k end while true do pcall(wse.run, "
     "{text = '.grid 1, 1', values = v}) end"},
    {"InputsForEver",
     "wse.run{text = '.grid 9, 9\\n.program p\\n.i32 x[99] exported\\ntask main:\\n"
     ".place p at (0..8, 0..8)', inputs = {x = function() while true do end end}}"},
    {"SweepPoint", "wse.sweep{over = {P = {1, 2, 3}}, run = function() while true do end end}"},
    {"SweepCallsItself",
     "wse.sweep{over = {P = {1, 2}}, run = function() local t = setmetatable({}, {})\n"
     "  getmetatable(t).__call = t t() return {} end}"},
    {"SweepsInSweeps", "local function f() return wse.sweep{over = {P = {1, 2}}, run = f} end f()"},
    {"SweepProducts",
     "local t = {} for k = 1, 1000 do t[k] = k end\n"
     "wse.sweep{over = {a = t, b = t, c = t, d = t}, run = function() return {} end}"},
    {"Json", "local t = {} for k = 1, 1e4 do t[k] = {k} end while true do wse.json(t) end"},
    {"Csv", "local t = {} for k = 1, 1e4 do t[k] = {a = k} end while true do wse.csv(t) end"},
    {"Plots",
     "local x = {} for k = 1, 1e4 do x[k] = k end while true do\n"
     "  wse.plot{lines = {{x = x, y = x}}} end"},
    {"HeatMaps",
     "wse.heat_map{width = 2000, height = 2000, values = function() while true do end end}"},
    {"Layouts", "while true do local w = wse.layout(300, 300) w:all() end"},
    {"Regions",
     "local w = wse.layout(300, 300) local r = w:all()\n"
     "while true do r = r - w:pe(5, 5) + w:pe(5, 5) end"},
    {"Colours",
     "local w = wse.layout(9, 9) local k = 0\n"
     "while true do k = k + 1 w:colour('c' .. k) end"},
    {"IsaTables", "while true do wse.isa() end"},
    {"Machines", "while true do wse.machine{base = 'wse2', hop_latency = 2} end"},
    {"Planner", "require 'collectives.planner'.plan(1 << 20, 1 << 20)"},
};

constexpr Frame kFrames[] = {
    {"Plain", "%"},
    {"Pcall", "while true do pcall(function() % end) end"},
    {"Handler", "xpcall(error, function() % end) while true do end"},
    {"Coroutine", "coroutine.wrap(function() % end)() while true do end"},
    {"Close", "do local c <close> = setmetatable({}, {__close = function() % end}) end"},
    {"CloseOfError",
     "local c <close> = setmetatable({}, {__close = function() % end}) error('first')"},
    {"Comparator", "table.sort({3, 2, 1}, function() % end)"},
    {"Replacement", "('abc'):gsub('.', function() % end)"},
    {"Index", "local i = setmetatable({}, {__index = function() % end}) print(i.x)"},
    {"Iterator", "for i in function() % end do end"},
    {"Loaded", "assert(load([==[local wse, chain = ... %]==]))(wse, chain)"},
    {"Input",
     "wse.run{text = '.grid 1, 1\\n.program p\\n.i32 x exported\\ntask main:\\n"
     ".place p at (0, 0)', inputs = {x = function() % return 1 end}}"},
    {"Point", "wse.sweep{over = {P = {1, 2}}, run = function() % return {} end}"},
};

constexpr const char* kBefore =
    "local wse = require 'wse'\n"
    "local function chain(n, f)\n"
    "  for k = 1, n do f = setmetatable({}, {__call = f}) end\n"
    "  return f\n"
    "end\n";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words, numbers and single other characters.
std::vector<std::string> tokens_of(const std::string& script) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < script.size();) {
    std::size_t end = at + 1;
    while (is_word(script[at]) && end < script.size() && is_word(script[end])) ++end;
    tokens.push_back(script.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace

std::span<const Core> hostile_cores() { return kCores; }
std::span<const Frame> hostile_frames() { return kFrames; }

std::string in_frame(const Frame& frame, const Core& core) {
  std::string text = frame.text;
  return kBefore + text.replace(text.find('%'), 1, core.text);
}

std::string mutated(const std::string& script, std::mt19937& random) {
  constexpr const char* kNumbers[] = {"0",       "1",     "-1",  "1000",           "1e5",
                                      "1 << 40", "1e308", "0/0", "math.mininteger"};
  std::vector<std::string> tokens = tokens_of(script);
  const auto any = [&random](std::size_t count) { return random() % count; };
  for (std::size_t changes = 1 + any(3); changes > 0; --changes) {
    const std::size_t at = any(tokens.size());
    std::string& token = tokens[at];
    if (std::isdigit(static_cast<unsigned char>(token.front())) != 0) {
      token = kNumbers[any(std::size(kNumbers))];
    } else if (any(3) == 0) {
      token.clear();
    } else if (any(2) == 0) {
      token = tokens[any(tokens.size())];
    } else {
      token += " " + tokens[any(tokens.size())] + " ";
    }
    if (token.empty()) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
    if (tokens.empty()) break;
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace wse::script
