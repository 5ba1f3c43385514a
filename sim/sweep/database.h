// A thin hand on SQLite: statements that close themselves, errors that say what a user can do.
// database.cpp is the only file that includes SQLite.
#pragma once

#include "sweep/metrics.h"

#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace smsim {

class Database;

/// One prepared statement of a Database, which it must not outlive.
class Statement {
 public:
  Statement& bind(int place, const Cell& cell);  ///< places from 1
  /// True while there is a row. @throws as Database does.
  bool step();
  void reset();
  [[nodiscard]] Cell cell(int column) const;  ///< columns from 0
  [[nodiscard]] std::uint64_t whole(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string column_name(int column) const;

 private:
  friend class Database;
  Statement(Database& database, const std::string& sql);
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

class Database {
 public:
  enum class Mode { read, write };  ///< write: the file is made where there is none

  /// @throws InputError where the file is missing, cannot be opened or is no SQLite file.
  Database(const std::string& path, Mode mode);

  /// @throws InputError where the file is damaged or no database, RunError where it cannot be written.
  void execute(const std::string& sql);
  Statement prepare(const std::string& sql) { return {*this, sql}; }
  /// The first column of the first row; nothing where there is no row.
  Cell value(const std::string& sql);

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  friend class Statement;
  [[noreturn]] void fail(int code) const;
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// A name as SQL has it.
std::string quoted_name(const std::string& name);

}  // namespace smsim
