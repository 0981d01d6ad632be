// A program that the ranks of a launcher run together: each has a band of its rows, or of blocks of
// its planes, with the memory of their PEs. When it has stopped, the first rank takes from the
// others what it needs to judge, print and write, which it alone does.
//
//     all      begin()                  the same program and options everywhere
//     all      the run, by checkpoint()
//     leader   join()                   asks; arrays for files come row by row
//     others   serve()                  answer
//     all      finish()                 the leader's end is the end of all
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/support/output_file.h"
#include "scripts/host/team.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/rank_channel.h"
#include "vm/cli/shared_checkpoint.h"
#include "vm/processes/process_medium.h"

namespace wse::cli {

// Refuses what ranks cannot do together.
Outcome<void> check_shared(const RunCommand& command);

class SharedRun {
 public:
  // Both must live longer. `interrupt`: ends waiting for others that have not begun.
  SharedRun(ranks::Ranks& ranks, script::Team& team, const std::atomic<bool>& interrupt);

  const vm::Medium& medium() const { return medium_; }
  bool leads() const { return team_.leads(); }

  // Checks that all ranks are about to run the same. Errors: they are not; a rank has none; without
  // a message where another rank tells it.
  Outcome<void> begin(const vm::Machine& machine, const RunCommand& command,
                      isa::InputList& inputs);

  // Returns what writes the file of --checkpoint.
  SharedCheckpoint& checkpoint() { return checkpoint_; }

  // After the run, for ranks that do not lead: answers the leader until it has all. Errors: as
  // begin().
  Outcome<void> serve(vm::Machine& machine, const RunCommand& command);
  // For the leader: takes the arrays of --out into files on their way, and makes one machine of its
  // part and the shares of the others, with the symbols that the command shows. Errors: as begin();
  // out of memory; those of files are commit()'s.
  Outcome<std::unique_ptr<vm::Machine>> join(std::unique_ptr<vm::Machine> own,
                                             const RunCommand& command, isa::InputList& inputs);
  // Puts the file of the k-th --out into its place; false if it is that of a stream, which the
  // joined machine has.
  Outcome<bool> commit(std::size_t k);

  // Ends the part of a rank, which ended with `code`. Returns how the run ended for all.
  Outcome<ExitCode> finish(ExitCode code);

  // Returns what all ranks took and have sent, in words.
  std::string traffic_text() const;

 private:
  struct Question;
  // Facts about a rank, for which the leader asks first.
  struct About {
    vm::PeRange pes;
    vm::Traffic traffic;           // up to the end of the run
    std::uint64_t peak_bytes = 0;  // of its memory, up to there
  };

  std::unexpected<Failure> broken_answer(int rank) const;
  About about_this(vm::Machine& machine) const;
  Outcome<About> about(int rank);
  Outcome<void> learn_of_all(const About& mine);
  Outcome<std::optional<isa::OutputFile>> take_array(vm::Machine& own, const NameAndFile& out,
                                                     std::uint32_t number, isa::InputList& inputs);
  Outcome<std::string> take_rows(vm::Machine& own, const std::string& array,
                                 const Question& question, int rank);
  Outcome<vm::MessageBytes> share_of(int rank);

  script::Team& team_;
  RankChannel channel_;
  vm::ProcessMedium medium_;
  SharedCheckpoint checkpoint_;
  std::vector<About> abouts_;                                   // by rank
  std::vector<Outcome<std::optional<isa::OutputFile>>> files_;  // of --out, on their way
};

}  // namespace wse::cli
