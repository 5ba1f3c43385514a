// The result store of a sweep: one SQLite file. Tables: sweep (name and value: version, fingerprint, the
// file's text ...), files (hashes), points (number and id), parameters, results and failures by point.
//
// What is added is there or not there after a crash, never half. A store that is being written is locked
// against a second writer; reading is always allowed.
#pragma once

#include "sweep/database.h"
#include "sweep/point_builder.h"

#include <memory>
#include <span>

namespace smsim {

/// Every count-th point of the order, from `index` on.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  [[nodiscard]] bool has(std::uint64_t point) const { return point % count == index; }
  [[nodiscard]] std::uint64_t points_of(std::uint64_t all) const
  {
    return all <= index ? 0 : (all - index - 1) / count + 1;
  }
  [[nodiscard]] std::string text() const { return std::to_string(index) + "/" + std::to_string(count); }
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// What a store says of itself.
struct StoreHeader {
  std::string smsim_version;
  std::string name;
  std::string fingerprint;
  std::string text;          ///< the sweep file
  std::uint64_t points = 0;  ///< of the whole sweep
  Shard shard;
  std::vector<SweepFile> files;
  std::vector<std::string> parameters;  ///< columns
  std::vector<std::string> axes;  ///< those of them that are axes, arch and workload where there are several
};
StoreHeader header_of(const Sweep& sweep, std::uint64_t points, Shard shard);

/// A point that was run, or could not be.
struct PointResult {
  std::uint64_t number = 0;
  std::string id;  ///< "" where the configuration itself is wrong
  std::vector<Cell> parameters;
  std::vector<Cell> metrics;
  std::string failure;  ///< "" where there are metrics
};

/// Keeps a second writer off a file; gone with the process, however that ends.
class StoreLock {
 public:
  /// @throws RunError where another process has it, InputError where the file cannot be opened.
  explicit StoreLock(const std::string& path);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;
  ~StoreLock();

 private:
  int file_ = -1;
};

class StoreWriter {
 public:
  /// Opens the store at `path`, or makes it. @throws InputError where it is no store, or one of another
  /// sweep, shard or version; RunError where it cannot be written or is in use.
  StoreWriter(const std::string& path, const StoreHeader& header);

  /// By point number, of the whole sweep: is it there already? And how many of those failed.
  [[nodiscard]] std::vector<bool> done();
  [[nodiscard]] std::uint64_t failures();
  /// All or none of them. @throws RunError.
  void add(std::span<const PointResult> results);

 private:
  void create(const StoreHeader& header);

  StoreLock lock_;  ///< before and after the database: closing the file would drop SQLite's own locks
  Database database_;
  std::unique_ptr<Statement> insert_point_, insert_parameters_, insert_results_, insert_failure_;
};

/// Opens a store to read it. @throws InputError where it is none.
Database open_store(const std::string& path);
StoreHeader read_header(Database& database);

/// A parameter as a cell: whole numbers are whole.
Cell cell_of(const ParameterValue& value);

}  // namespace smsim
