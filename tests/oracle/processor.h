// One processing element: its main thread, its microthreads and its picker, cycle by cycle.
//
// In every cycle a processor first acts (finishes, runs scalar code, starts, picks), then issues
// elements. Must never look at other processors: all it sees are its ramps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/instruction/instruction.h"
#include "isa/machine/profile.h"
#include "tests/oracle/fifos.h"
#include "tests/oracle/jitter.h"
#include "tests/oracle/lines.h"
#include "tests/oracle/memory.h"
#include "tests/oracle/routers.h"
#include "tests/oracle/state.h"

namespace wse::oracle {

// Of a control wavelet: the control task that it asks for; one number asks for none.
constexpr std::uint32_t entry_of(std::uint32_t word) { return word >> 16 & 0x3fu; }
inline constexpr std::uint32_t kNullEntry = 31;

// A source or the destination of a vector instruction, as it was at the start.
struct Operand {
  enum class Kind : std::uint8_t { Value, Register, Memory, FabricIn, FabricOut, Fifo, Indexed };
  Kind kind = Kind::Value;
  std::uint32_t value = 0;       // Value; FabricIn, FabricOut: the packed wavelet
  std::uint32_t reg = 0;         // Register
  std::uint32_t bytes = 4;       // of an element
  isa::Descriptor descriptor;    // of all other kinds
  std::uint64_t words = 0;       // data wavelets taken from or sent to the fabric so far
  std::uint64_t message = 0;     // FabricOut: the number of what it sends, once it has begun
  std::uint32_t saves_to = ~0u;  // descriptor register that gets the position after

  bool receives() const { return kind == Kind::FabricIn || kind == Kind::Indexed; }
  bool is_fabric() const { return receives() || kind == Kind::FabricOut; }
};

// A vector instruction from its start to its finish.
struct Flight {
  const isa::InstructionInfo* row = nullptr;
  isa::Instruction code;
  std::uint32_t pc = 0;
  Operand destination;
  std::vector<Operand> sources;
  std::uint64_t length = 0;  // kUnbounded: until something ends it
  // Mapped: the memory of its scalars, and the elements for each of them.
  std::optional<Operand> scalars;
  std::uint64_t per_scalar = 0;
  std::uint64_t done = 0;
  std::uint32_t rate = 1;          // elements per issue
  std::uint32_t issue_cycles = 1;  // that an issue holds its slot
  bool own_send_slot = false;
  Cycle may_issue = 0;
  std::optional<Cycle> cools_from = {};  // no-ops before that, from here on
  Cycle sets_up_from = 0;                // until it may issue
  std::optional<Cycle> finish;
  std::optional<Cycle> cut_in;  // by a FIFO, which takes no issue
  bool waits_at_fifo = false;   // in the middle of a long message
  std::uint32_t accumulator = 0;
  Claim* claim = nullptr;  // none any more when its end is known

  static constexpr std::uint64_t kUnbounded = ~std::uint64_t{0};
  bool is_unbounded() const { return length == kUnbounded; }
  bool sets_up(Cycle now) const { return now >= sets_up_from && now < may_issue; }
  // Which element of the operand is element `k` of the instruction. One that is not saved begins
  // again with every scalar.
  std::uint64_t place(const Operand& operand, std::uint64_t k) const {
    return scalars && operand.saves_to == ~0u ? k % per_scalar : k;
  }
  std::size_t thread() const { return code.asynchronous != 0 ? 1 + code.microthread : 0; }
  // Words that the operand may touch: of scalars, those of each.
  Words words_of(const Operand& operand) const;
  void end_claim(Cycle end) {
    if (claim != nullptr) claim->end = end;
    claim = nullptr;
  }
  std::vector<const Operand*> operands() const;  // sources, then the destination
  // The operand that takes wavelets of the colour, or null.
  const Operand* input(std::uint32_t colour) const;
};

// The vector instruction that the main thread issued last, where the next one need not wait for its
// finish.
struct Former {
  Words written;
  bool ordered = false;  // element after element, each once: these are their addresses
  std::vector<std::uint64_t> addresses;
  std::uint32_t bytes = 0;  // of an element
  Cycle same_from = 0;      // then the same elements may be touched, one after the other,
  Cycle others_from = 0;    // and the same words otherwise
};

class Processor {
 public:
  Processor(const isa::Profile& profile, Routers& routers, Outcome& outcome, std::uint32_t pe,
            const Jitter& jitter);

  void place(const isa::Program& program, std::vector<std::uint32_t> slots, std::uint32_t seed);
  Memory memory;
  Lines lines;

  void act(Cycle now);
  void issue(Cycle now);
  Activity activity(Cycle now) const;
  // Whether it waits, if nothing issues, and a FIFO is empty or full.
  bool waits_for_fifo(Cycle now) const;

  // Before memory, registers and counters are read at the limit: no scalar instruction is there
  // that ends after the start of cycle `end`.
  void take_back(Cycle end);

  std::uint32_t pe() const { return pe_; }
  bool has_program() const { return program_ != nullptr; }
  const isa::Program& program() const { return *program_; }
  // Of a PE with a program: appends what it is at. The image holds the program.
  void add_state(const isa::Image& image, State& state) const;
  bool is_done() const;
  // What of the tally only shows at the end: instructions in flight.
  void tally_pending() const;
  const std::vector<Finish>& finishes() const { return finishes_; }
  bool did_something() const { return did_something_; }  // in this cycle
  bool waits_for_time(Cycle now) const;
  // What counts as the end of a run: issues, scalar code, set-up, start and drain.
  bool worked(Cycle now) const;

 private:
  enum class Main : std::uint8_t { Free, Running, InVector, WaitsForThread, Halted, Trapped };
  static constexpr std::size_t kThreads = isa::kMicrothreads + 1;  // thread 0 is the main one
  static constexpr std::size_t kSlots = 2;                         // compute, send

  struct Stretch {
    Cycle start = 0;
    std::uint64_t slots = 0;
    std::uint64_t cycles = 0;
    Cycle now() const { return start + cycles; }
  };
  enum class Step : std::uint8_t { GoesOn, Leaves };
  // A scalar instruction that ran when its stretch started, and its end.
  struct Done {
    Cycle end = 0;
    std::uint64_t instructions = 0;
    std::uint64_t flops = 0;
    std::size_t changes_before = 0;  // of memory, by the stretch
    std::uint32_t pc = 0;            // its own
    std::array<std::uint32_t, isa::kRegisters> registers_before{};
  };

  // processor.cpp
  bool finish_flights(Cycle now);
  void finish(std::size_t thread, Cycle now);
  void drop_null_entries(Cycle now);
  void trap(Cycle cycle, isa::Trap cause);

  // tasks.cpp
  void bind_tasks();
  void see_teardowns(Cycle now);
  static bool hides(const Flight& flight, std::uint32_t colour, bool control);
  std::uint32_t data_rank(std::uint32_t colour) const;
  bool pick(Cycle now);
  void start_task(const isa::Task& task, std::uint32_t word, Cycle now);
  void change_task(isa::Op op, std::uint32_t id, Cycle now);
  void complete(isa::Completion action, std::uint32_t id, Cycle now);
  const isa::Task* task_of(isa::TaskKind kind, std::uint32_t id) const;
  std::uint32_t id_of(const isa::Task& task) const;
  bool data_task_takes(std::uint32_t colour) const;

  PeNumbers& numbers() { return outcome_.pes[pe_]; }
  // From the down-ramp of the colour.
  Wavelet pop(std::uint32_t colour) {
    ++numbers().received;
    return routers_.channel(pe_, colour).down.pop();
  }

  // scalar.cpp
  // Less than nothing, modulo 2^64, for what is taken back.
  void count_scalar(std::uint64_t instructions, std::uint64_t flops) {
    outcome_.instructions += instructions;
    outcome_.flops += flops;
    numbers().instructions += instructions;
    numbers().flops += flops;
  }
  bool run_main(Cycle now);
  Step step_main(Stretch& stretch);
  Step stop_point(const isa::Instruction& code, const isa::InstructionInfo& row, Stretch& stretch);
  Step leave(const Stretch& stretch);
  Step trap_ahead(const Stretch& stretch, isa::Trap cause);
  bool is_stop_point(const isa::Instruction& code, const isa::InstructionInfo& row) const;
  void charge(Stretch& stretch, isa::CostClass cost) const;
  std::optional<isa::Trap> scalar(const isa::Instruction& code, const isa::InstructionInfo& row,
                                  Stretch& stretch);
  std::optional<isa::Trap> access(const isa::Instruction& code, const isa::InstructionInfo& row);
  std::optional<isa::Trap> arithmetic(const isa::Instruction& code,
                                      const isa::InstructionInfo& row);
  std::uint32_t read(isa::Op op, Cycle now);
  std::uint32_t next_random();
  bool begins_instruction(std::uint32_t address) const;
  std::uint32_t scalar_value(const isa::Instruction& code) const;
  std::optional<std::size_t> thread_that_saves(std::uint32_t descriptor_register) const;
  std::optional<std::size_t> awaits(const isa::Instruction& code,
                                    const isa::InstructionInfo& row) const;

  // configuration.cpp
  std::optional<isa::Trap> descriptor_code(const isa::Instruction& code, Stretch& stretch);
  std::optional<isa::Trap> move_descriptor(const isa::Instruction& code, bool loads,
                                           Stretch& stretch);
  void charge_dimensions(Stretch& stretch, const isa::Descriptor& descriptor) const;
  std::optional<isa::Trap> set_field(const isa::Instruction& code);
  void get_field(const isa::Instruction& code);
  std::optional<isa::Trap> configure(const isa::Instruction& code);
  std::uint32_t colour_of(const isa::Instruction& code) const;

  // start.cpp
  std::optional<isa::Trap> start_vector(const isa::Instruction& code,
                                        const isa::InstructionInfo& row, Cycle now);
  Operand operand(isa::SourceKind kind, std::uint32_t number, std::uint32_t bytes,
                  const isa::Instruction& code) const;
  std::optional<isa::Trap> set_length(Flight& flight) const;
  std::optional<isa::Trap> check_queues(const Flight& flight) const;
  bool has_queue(const Operand& operand) const;
  std::optional<isa::Trap> check_ends(const Flight& flight) const;
  std::optional<isa::Trap> check_memory(const Flight& flight) const;
  std::optional<isa::Trap> check_fifos(const Flight& flight) const;
  bool is_of_fifo(const Words& words) const;
  std::optional<isa::Trap> check_partners(const Flight& flight, std::size_t thread) const;
  std::optional<isa::Trap> check_words(Flight& flight);
  void wait_for_flight(Cycle now);
  void note_operands(const Flight& flight);

  // succession.cpp
  bool goes_on(const Flight& flight) const;
  void end_issues(Flight& flight, Cycle end);
  bool drains(Cycle now) const;
  Cycle first_issue(const Flight& flight, Cycle now) const;
  static bool is_ordered(const Flight& flight);
  static bool sees_finish(const isa::InstructionInfo& row);
  // Cycles for which what comes next waits for the result, beside the price of the instruction.
  std::uint64_t latency_left(const isa::Instruction& code, const isa::InstructionInfo& row,
                             std::span<const std::uint32_t> rest) const;

  // mapped.cpp
  std::optional<isa::Trap> read_scalars(Flight& flight) const;
  std::optional<isa::Trap> set_scalars(Flight& flight) const;
  std::optional<isa::Trap> check_scalars(const Flight& flight) const;
  std::optional<isa::Trap> claim_scalars(const Flight& flight, const Words& written,
                                         Words& read) const;

  // rates.cpp
  void set_rate(Flight& flight) const;

  // vector.cpp
  enum class Ready : std::uint8_t { Yes, NoInput, NoRoom, NotNow };
  Ready ready(const Flight& flight, Cycle now) const;
  static std::uint64_t at_once(const Flight& flight);
  static bool takes_wavelet(const Flight& flight, const Operand& operand, std::uint64_t count);
  static bool sends_wavelet(const Flight& flight, std::uint64_t count);
  bool may_send(const Flight& flight, std::uint64_t count) const;
  void issue_from(std::size_t slot, Cycle now);
  bool stops_at_fifo(const Flight& flight, Cycle now) const;
  void end_at_fifo(Cycle now);
  const Wavelet* control_head(const Flight& flight, const Operand& operand, Cycle now) const;
  bool obeys_control(const Flight& flight, Cycle now) const;
  void obey_control(Flight& flight, std::size_t slot, Cycle now);
  Tally::Words& tally(std::uint32_t colour) { return outcome_.tally.words[{pe_, colour}]; }
  std::uint32_t take_word(Operand& operand);
  void note_fifo(Flight& flight);
  void tell(const std::string& why, std::uint32_t id, Cycle now);
  void issue_elements(Flight& flight, std::size_t slot, Cycle now);
  void note_issue(const Flight& flight, std::size_t slot, Cycle now);
  void note_taken(std::uint32_t colour, Happening::Sort sort, Cycle now);
  bool element(Flight& flight, Cycle now);
  std::optional<std::uint64_t> named_address(Operand& operand);
  std::optional<std::uint32_t> take(Operand& source, const Flight& flight, Cycle now);
  bool put(Flight& flight, std::uint32_t value, Cycle now);
  void send(Flight& flight, std::uint32_t value, Cycle now);

  const isa::Profile& profile_;
  Routers& routers_;
  Outcome& outcome_;
  std::uint32_t pe_;
  Jitter jitter_;
  const isa::Program* program_ = nullptr;
  std::vector<std::uint32_t> slots_;

  Main main_ = Main::Halted;
  std::vector<Done> stretch_;  // the last one
  Cycle ready_at_ = 0;         // of the main thread
  std::vector<Finish> finishes_;
  Cycle busy_until_ = 0;         // scalar code and task starts
  Cycle scalar_slot_until_ = 0;  // scalar code holds the compute slot
  std::uint32_t pc_ = 0;
  std::size_t awaited_ = 0;  // thread
  std::uint64_t burst_ = 0;  // instructions in ran_in_
  Cycle ran_in_ = 0;         // of scalar code, last
  std::array<std::uint32_t, isa::kRegisters> registers_{};
  std::array<isa::Descriptor, isa::kDescriptorRegisters> descriptors_{};
  std::uint32_t random_ = 0;
  std::array<std::optional<Flight>, kThreads> flights_;
  std::map<std::uint32_t, Arrivals> arrivals_;  // by colour
  std::vector<Fifo> fifos_;
  // Ends of the main thread's vector instructions, where it continues before their finish: the
  // cycles from which they drain, and the last finish.
  std::vector<Cycle> drain_from_;
  Cycle drained_ = 0;
  Cycle settled_ = 0;  // and from here on held descriptors have been loaded
  std::optional<Former> former_;
  std::uint32_t left_ = 0;  // elements that the main thread's last vector instruction left
  std::array<Cycle, kSlots> slot_until_{};         // held by a vector instruction,
  std::array<std::size_t, kSlots> slot_thread_{};  // of that thread
  bool up_ramp_used_ = false;
  Cycle ramp_taken_until_ = 0;  // by the last word that was sent, of that thread
  std::size_t ramp_thread_ = 0;
  bool issued_ = false;
  Ready fifo_end_ = Ready::NotNow;  // what the FIFO lacked at which an instruction ended now
  bool did_something_ = false;

  // Of the picker: what it sees, and what code has made of it already.
  std::array<bool, isa::kTaskIds> blocked_{};
  std::array<bool, isa::kTaskIds> blocked_by_code_{};
  std::array<bool, isa::kTaskIds> activated_{};
  std::vector<std::uint32_t> torn_down_;  // colours whose teardown task is activated
  std::optional<Cycle> picked_in_;
};

}  // namespace wse::oracle
