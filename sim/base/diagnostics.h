// Errors that teach: where, what is wrong, what is allowed, the line with a caret, and a spelling suggestion.
//
//   my_sm.yaml:7:3: register_file.registrs: unknown key; allowed: allocation_unit, banks, ... (did you mean
//   'registers'?)
//       7 |   registrs: 65536
//         |   ^
//
// A reader of user files reports every error it finds to one Diagnostics and goes on; the caller asks `ok()`
// at the end. Nothing here decides an exit status.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// A text that a user gave: a file, or the words of a command-line option.
struct SourceText {
  std::string name;                ///< as the user wrote it: a path, or "--set"
  std::vector<std::string> lines;  ///< without line ends
};

/// A place in a SourceText; line and column (in bytes) from 1, 0 where there is none.
struct Mark {
  std::shared_ptr<const SourceText> source;
  int line = 0;
  int column = 0;
};

/// A value and where it was written.
template <class T>
struct Located {
  T value{};
  Mark mark;
};

/// Collects errors; prints them in the order of file, line and column.
class Diagnostics {
 public:
  /// Reports one error. `path` is the key's dotted path ("" where there is none), `what` says what is wrong
  /// and `allowed`, if not empty, what would be right.
  void error(const Mark& mark, std::string_view path, std::string_view what, std::string_view allowed = {});

  [[nodiscard]] bool ok() const { return entries_.empty(); }
  [[nodiscard]] std::size_t count() const { return entries_.size(); }

  /// Every error with its source line and a caret, one text that ends in a line feed. The same error at the
  /// same place is told once; behind the first hundred there is only how many more there are. Columns count
  /// characters.
  [[nodiscard]] std::string text() const;

 private:
  struct Entry {
    Mark mark;
    std::string message;
  };
  std::vector<Entry> entries_;
};

/// What the user gave cannot be used. `what()` is the finished text; the program prints it and exits with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input is well formed, but the run cannot be done or cannot end (a block that never fits, a deadlock).
/// The program prints it and exits with 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError with all that was collected, if anything was.
void throw_if_errors(const Diagnostics& diagnostics);

}  // namespace smsim
