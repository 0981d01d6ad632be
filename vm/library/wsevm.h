/* wsevm in a program of one's own: load a program, make a machine, write arrays, run, read them.
 *
 *     wsevm_program program;
 *     wsevm_machine machine;
 *     if (wsevm_program_load("gemv.wsa", NULL, "wse3", NULL, &program) != WSEVM_OK ||
 *         wsevm_machine_new(program, NULL, &machine) != WSEVM_OK ||
 *         wsevm_write(machine, "x", NULL, NULL, x, sizeof x) != WSEVM_OK ||
 *         wsevm_run_until(machine, WSEVM_TO_THE_END, NULL) != WSEVM_OK ||
 *         wsevm_read(machine, "y", NULL, NULL, y, sizeof y) != WSEVM_OK)
 *       give_up(wsevm_error_text());
 *     wsevm_machine_free(machine);
 *     wsevm_program_free(program);
 *
 * Link with -lwsevm (pkg-config wsevm), or with wsevm::wsevm of find_package(wsevm) in CMake.
 *
 * Errors. Every function returns a code of enum wsevm_code, but those that cannot fail. A function
 * that fails changes nothing, and wsevm_error_text() says in words why, with place and remedy. No
 * C++ exception and no signal leaves the library; memory that runs out is WSEVM_EXHAUSTED.
 *
 * Handles are numbers, 0 names nothing. A handle that is wrong, of another kind or freed is
 * WSEVM_BAD_HANDLE; no number is used twice.
 *
 * Ownership. What the caller gives is copied before the call returns, but for callbacks and their
 * user pointers. A text that a function hands out through a `char**` belongs to the caller, who
 * frees it with wsevm_free(). A machine keeps what it needs of its program: they may be freed in
 * any order.
 *
 * Threads. Different machines may be used by different threads at once. One machine serves one
 * thread at a time; a second call meanwhile is WSEVM_BUSY, but for wsevm_interrupt(), and for
 * wsevm_machine_free(): that interrupts the run and leaves the machine to the call that uses it.
 * Programs may be shared. A machine whose code is being compiled waits for that when it is freed,
 * and so does exit() for one that is not.
 *
 * Texts are UTF-8 and end with a zero. Arrays are in C order, elements in the byte order of the
 * host (little-endian).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wsevm_code {
  WSEVM_OK = 0,
  WSEVM_ENDED_BADLY = 1, /* trap, deadlock, cycle limit, a failed .expect: the record tells */
  WSEVM_BAD_INPUT = 2,   /* a null pointer, a name, a shape, a program with errors, a file */
  WSEVM_EXHAUSTED = 3,   /* out of memory or disk */
  WSEVM_BAD_HANDLE = 4,
  WSEVM_BUSY = 5,      /* another thread uses the machine */
  WSEVM_BAD_STATE = 6, /* it is not quiet, nothing has run, or it keeps no profile */
  WSEVM_INTERNAL = 7,  /* an error of wsevm itself */
  WSEVM_INTERRUPTED = 130
};

/* The state of a machine. */
enum wsevm_status {
  WSEVM_HALTED = 0, /* quiet: nothing is left to do; tasks may be launched */
  WSEVM_DEADLOCK = 1,
  WSEVM_TRAP = 2,
  WSEVM_CYCLE_LIMIT = 3, /* it has stopped before that cycle, and can continue */
  WSEVM_STOPPED = 4      /* it was interrupted, and can continue */
};

typedef uint64_t wsevm_program;
typedef uint64_t wsevm_machine;

/* PEs (x, y) to (x + width - 1, y + height - 1); (0, 0) is in the north-west. */
typedef struct wsevm_rectangle {
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} wsevm_rectangle;

/* Elements first to first + count - 1 of the array of each PE. */
typedef struct wsevm_elements {
  uint32_t first;
  uint32_t count;
} wsevm_elements;

#define WSEVM_MOST_DIMENSIONS 4

/* An exported array. Its shape is [height][width][extents...]: the smallest rectangle of PEs that
 * holds all that have the array, then the array of a PE, no dimension of which a scalar has. */
typedef struct wsevm_array {
  char type[8];           /* "f32", "f16", "i32", "u32", "i16", "u16" */
  char dtype[8];          /* as NumPy has it: "<f4" */
  uint32_t element_bytes; /* 2 or 4 */
  wsevm_rectangle place;
  uint32_t count; /* elements of a PE, of all dimensions */
  uint32_t dimensions;
  uint32_t extents[WSEVM_MOST_DIMENSIONS];
} wsevm_array;

/* An array of a profile: vm/profile/README.md says what each is. */
typedef struct wsevm_numbers {
  char dtype[8]; /* as NumPy has it: "<u4" */
  size_t bytes;  /* of all elements */
  uint32_t dimensions;
  uint64_t extents[WSEVM_MOST_DIMENSIONS + 1];
} wsevm_numbers;

/* Get a line that a program or a script prints, without newline; how far a run is. Called in the
 * thread of the call that runs, or in one that it waits for. They must not call the library, but
 * for wsevm_interrupt(). */
typedef void (*wsevm_print)(void* user, const char* line);
typedef void (*wsevm_progress)(void* user, uint64_t cycle, uint64_t busy_pes, uint64_t placed_pes);

/* ---- the library ---- */

/* Returns the version, "0.1.0". It cannot fail; the text is the library's. */
const char* wsevm_version(void);

/* Returns why the last call of this thread failed, as text for people: a sentence, or diagnostics
 * of the assembler with file, line and column. Empty if it did not fail. The text is the library's,
 * and valid until the thread calls again. */
const char* wsevm_error_text(void);

/* Hands out the names of the machines' profiles, a line each. */
int wsevm_profiles(char** names);

/* Frees a text of the library; NULL is fine. */
void wsevm_free(char* text);

/* ---- programs ---- */

/* Assembles a program. With `text` NULL, `file` is read: a .wsa text or a .wsb image, found as the
 * command line finds it. Else `text` is the program, and `file`, if not NULL, its name in messages;
 * files that it includes are looked for beside that. `machine`: a profile or FILE.lua; NULL is
 * "wse2". `values`: "name=value" for its .const and .param, up to a NULL; NULL gives none.
 * Errors: WSEVM_BAD_INPUT with the assembler's diagnostics. */
int wsevm_program_load(const char* file, const char* text, const char* machine,
                       const char* const* values, wsevm_program* program);

/* Runs a script of Lua up to its `number`-th wse.run, counted from 1, and assembles the program
 * that it makes there, for the machine that is named here. `arguments`: "name=value" up to a NULL.
 * What the script prints goes to `print`, which may be NULL. */
int wsevm_layout_run(const char* file, const char* machine, const char* const* arguments,
                     uint64_t number, wsevm_print print, void* user, wsevm_program* program);

int wsevm_program_free(wsevm_program program);

/* Hands out what is in a program, as JSON: {"grid": [w, h], "warnings": text, "programs": [{"name",
 * "symbols": [{"name", "type", "dtype", "exported", "shape": [...]}], "tasks": [...]}],
 * "streams": [{"name", "type", "dtype", "enters"}]}. */
int wsevm_program_symbols(wsevm_program program, char** json);

/* Hands out the text of a program, as it was assembled; of an image, text that makes the same. */
int wsevm_program_text(wsevm_program program, char** text);

/* Hands out what the assembler made of each line, with the price of every instruction on the
 * program's machine: the listing of `wsevm asm --list`. */
int wsevm_program_listing(wsevm_program program, char** text);

/* ---- machines ---- */

/* Makes a machine for the program and fills its memory. `options`: "name=value" up to a NULL; NULL
 * gives none. They are those of `wsevm run`:
 *     machine=NAME or FILE.lua (that of the program)   engine=auto|interp|jit|lockstep (auto)
 *     transport=auto|wafer|stepper (auto)              threads=N (1)
 *         a program with streams takes the stepper in any case: the record names the transport
 *     max-cycles=N   max-memory=SIZE   tsc-skew=SEED   jitter=SEED[:N]
 *     profile=1   keeps what wsevm_profile_array() and wsevm_report_write() need
 *     progress=1  tells how far a run is, see wsevm_on_progress()
 *     expect=1    a run is good only if the program's .expect lines hold
 *     strict=1    a run is good only if no wavelet is left
 * Errors: WSEVM_EXHAUSTED if it does not fit into memory. */
int wsevm_machine_new(wsevm_program program, const char* const* options, wsevm_machine* machine);

int wsevm_machine_free(wsevm_machine machine);

/* Names who gets what programs print, and how far a run is, now and then; NULL: nobody. The second
 * is for machines made with progress=1, else WSEVM_BAD_STATE. */
int wsevm_on_print(wsevm_machine machine, wsevm_print print, void* user);
int wsevm_on_progress(wsevm_machine machine, wsevm_progress progress, void* user);

/* ---- arrays ---- */

/* Describes an exported array or a stream. */
int wsevm_array_info(wsevm_machine machine, const char* name, wsevm_array* array);

/* Copies elements into exported arrays, or out of them, as they are where the machine has stopped.
 * `place` NULL: the array's rectangle; else one within it: PEs without the array skip theirs, and
 * give zeros. `elements` NULL: all of them. `data`: [height][width][count] elements, `bytes` of
 * them in all, which must be right. A stream goes as a whole, and in before the first cycle alone.
 */
int wsevm_write(wsevm_machine machine, const char* name, const wsevm_rectangle* place,
                const wsevm_elements* elements, const void* data, size_t bytes);
int wsevm_read(wsevm_machine machine, const char* name, const wsevm_rectangle* place,
               const wsevm_elements* elements, void* data, size_t bytes);

/* The same for any symbol of the program of one PE, exported or not: all of its elements. */
int wsevm_symbol_set(wsevm_machine machine, uint32_t x, uint32_t y, const char* name,
                     const void* data, size_t bytes);
int wsevm_symbol_get(wsevm_machine machine, uint32_t x, uint32_t y, const char* name, void* data,
                     size_t bytes);

/* ---- runs ---- */

#define WSEVM_TO_THE_END UINT64_MAX

/* Does the cycles before `cycle` that are not done, up to quiet at most. The first run is that of
 * task main of every PE. `status`, if not NULL, gets an enum wsevm_status when the machine has run.
 * WSEVM_OK: it is quiet, or stopped before `cycle`. Errors: WSEVM_ENDED_BADLY, also of a machine
 * that has ended so before; WSEVM_INTERRUPTED. Arrays and the record can be read then. */
int wsevm_run_until(wsevm_machine machine, uint64_t cycle, int* status);

/* Activates a task that is `exported`, with its arguments, at all PEs of the rectangle (NULL: of
 * the grid) that have it, in the cycle after the last one that was done, and runs to quiet. A
 * machine that has not run runs main first. Arguments are converted to the types of the task:
 * integers must be whole and fit. Errors: WSEVM_BAD_INPUT for a task, arguments or PEs that do not
 * fit, WSEVM_BAD_STATE for a machine that is not quiet; those of wsevm_run_until(). */
int wsevm_launch(wsevm_machine machine, const char* task, const double* arguments, size_t count,
                 const wsevm_rectangle* place, int* status);

/* The same without running: several tasks can so be launched in one cycle. */
int wsevm_prepare(wsevm_machine machine, const char* task, const double* arguments, size_t count,
                  const wsevm_rectangle* place);

/* Sends elements to a stream that enters, and takes the first of those that have left through one.
 * `data`: [height][width][n] elements in the type of the stream, n of them for each of its PEs;
 * `bytes` of them in all say what n is. In a machine of this library streams have no length,
 * whatever they declare. What is sent enters in the first cycle that is not done, or when there is
 * room, while wsevm_run_until() or wsevm_launch() runs; a machine that has not run runs main first.
 * Errors: WSEVM_BAD_INPUT for no such stream, one that goes the other way, bytes that are not as
 * many for each PE, and fewer elements that have left: none is taken then; WSEVM_ENDED_BADLY. */
int wsevm_send(wsevm_machine machine, const char* stream, const void* data, size_t bytes);
int wsevm_receive(wsevm_machine machine, const char* stream, void* data, size_t bytes);

/* Says how many elements of each PE wsevm_receive() takes at most. */
int wsevm_arrived(wsevm_machine machine, const char* stream, size_t* count);

/* Hands out what can be launched, as JSON: [{"name", "arguments": ["i32", ...]}]. */
int wsevm_launches(wsevm_machine machine, char** json);

/* Asks the run of a machine to stop at its next cycle: from any thread, or from a callback, but not
 * from a signal handler. Without a run the next one stops at once. It takes a `run` of
 * wsevm_run_file() too. */
int wsevm_interrupt(wsevm_machine machine);

/* Says how many cycles are done. */
int wsevm_cycle(wsevm_machine machine, uint64_t* cycles);

/* Hands out the record, the JSON of `wsevm run --json`: of the last launch alone, else of the run
 * so far. WSEVM_BAD_STATE: nothing has run. */
int wsevm_record_json(wsevm_machine machine, char** json);

/* Hands out the names of the arrays of the profile, a line each. */
int wsevm_profile_names(wsevm_machine machine, char** names);

/* Describes an array of the profile, and copies it to `data` if that is not NULL: `bytes` must be
 * numbers->bytes then. `numbers` may be NULL if `data` is not. */
int wsevm_profile_array(wsevm_machine machine, const char* name, wsevm_numbers* numbers, void* data,
                        size_t bytes);

/* Writes the machine, as it is between two cycles, to a file; and lets a machine that has not run
 * take such a file up: it continues from there as the first one does. It must have the same program
 * with the same values and the same options but `threads`, `engine` and those of callbacks. Both
 * need a machine that moves wavelets one by one: transport=stepper.
 * Errors: WSEVM_BAD_STATE: the planes move its wavelets, or it has run; WSEVM_ENDED_BADLY: it has
 * ended badly and cannot continue; WSEVM_BAD_INPUT: the file is no checkpoint, is damaged, or of
 * another program or machine. */
int wsevm_checkpoint_write(wsevm_machine machine, const char* file);
int wsevm_restore(wsevm_machine machine, const char* file);

/* Writes the profile as NumPy zip, FILE.npz. */
int wsevm_profile_write(wsevm_machine machine, const char* file);

/* Writes a page for a browser about the runs of `count` machines, side by side. `names`: of the
 * runs, or NULL. `title` may be NULL. */
int wsevm_report_write(const wsevm_machine* machines, size_t count, const char* const* names,
                       const char* title, const char* file);

/* Runs a program or a script in one call, as `wsevm run` does. `values` and `options` as above; a
 * script does not take profile. What is printed goes to `print`. `run`, if not NULL, gets a number
 * at which wsevm_interrupt() ends the run while the call lasts. `json`, if not NULL, gets the
 * record in every case but that of wrong arguments of the call itself; it is NULL then. */
int wsevm_run_file(const char* file, const char* const* values, const char* const* options,
                   wsevm_print print, void* user, uint64_t* run, char** json);

#ifdef __cplusplus
}
#endif
