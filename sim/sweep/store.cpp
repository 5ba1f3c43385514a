#include "sweep/store.h"

#include "base/version.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

namespace smsim {
namespace {

constexpr std::int64_t application = 0x736D7377;  // "smsw"
constexpr std::int64_t layout = 1;

std::string column_list(const std::vector<std::string>& names, const char* before)
{
  std::string out;
  for (const std::string& name : names)
    out += before + quoted_name(name);
  return out;
}

std::string insert_sql(const std::string& table, std::size_t columns)
{
  std::string sql = "INSERT INTO " + table + " VALUES (?";
  for (std::size_t i = 1; i < columns; ++i)
    sql += ",?";
  return sql + ")";
}

std::string joined(const std::vector<std::string>& lines)
{
  std::string out;
  for (const std::string& line : lines)
    out += line + "\n";
  return out;
}

std::vector<std::string> split(const std::string& text)
{
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// @throws InputError unless the file is a store of this layout. False: an empty file.
bool is_store(Database& database)
{
  const auto number = [&](const char* pragma) {
    const Cell cell = database.value(std::string("PRAGMA ") + pragma);
    return std::get<std::int64_t>(cell);
  };
  const std::int64_t found = number("application_id");
  if (found == 0 && number("page_count") == 0) return false;
  if (found != application)
    throw InputError(database.path() + ": is an SQLite file, but no store of `smsim sweep`\n");
  if (number("user_version") != layout)
    throw InputError(database.path() + ": is of a newer smsim: its layout is " +
                     std::to_string(number("user_version")) + ", this smsim (" + version + ") reads layout " +
                     std::to_string(layout) + "\n");
  return true;
}

/// Why a store is not the one of this sweep.
void check_same(const std::string& path, const StoreHeader& stored, const StoreHeader& wanted)
{
  if (stored.smsim_version != wanted.smsim_version)
    throw InputError(path + ": its points are of smsim " + stored.smsim_version + ", this is smsim " +
                     wanted.smsim_version + "; results of two versions are not mixed: take another file\n");
  if (stored.fingerprint != wanted.fingerprint) {
    std::string why;
    if (stored.name != wanted.name) {
      why = "it is of the sweep '" + stored.name + "', not of '" + wanted.name + "'";
    } else {
      for (const SweepFile& file : wanted.files)
        for (const SweepFile& other : stored.files)
          if (file.name == other.name && file.sha256 != other.sha256)
            why += (why.empty() ? "" : ", ") + file.name + " has changed since";
      if (why.empty()) why = "the sweep has changed since";
    }
    throw InputError(path + ": holds other points: " + why + "; take another file\n");
  }
  if (stored.points != wanted.points)
    throw InputError(path + ": holds other points: " + std::to_string(stored.points) + ", not " +
                     std::to_string(wanted.points) + "; take another file\n");
  if (stored.shard != wanted.shard)
    throw InputError(path + ": holds shard " + stored.shard.text() + ", not " + wanted.shard.text() +
                     "; each shard has a file of its own\n");
}

}  // namespace

StoreHeader header_of(const Sweep& sweep, std::uint64_t points, Shard shard)
{
  StoreHeader header{version, sweep.name, sweep.fingerprint, sweep.text, points, shard, sweep.files, {}, {}};
  header.parameters = parameter_names(sweep);
  if (sweep.archs.size() > 1) header.axes.emplace_back("arch");
  if (sweep.workloads.size() > 1) header.axes.emplace_back("workload");
  for (const Axis& axis : sweep.axes)
    header.axes.push_back(axis.key);
  if (sweep.seeds.size() > 1) header.axes.emplace_back("seed");
  return header;
}

Cell cell_of(const ParameterValue& value)
{
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (!value.is_number) return value.text;
  if (value.number == std::floor(value.number) && std::abs(value.number) <= exact)
    return static_cast<std::int64_t>(value.number);
  return value.number;
}

StoreLock::StoreLock(const std::string& path)
{
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw InputError(path + ": cannot be opened or written: " + std::strerror(errno) +
                     "\n");  // NOLINT(concurrency-mt-unsafe)
  // One byte far behind those that SQLite locks. An open file description's lock, not a process's.
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t{1} << 60U;
  lock.l_len = 1;
  if (::fcntl(file_, F_OFD_SETLK, &lock) == 0) return;
  const bool taken = errno == EAGAIN || errno == EACCES;
  const std::string reason = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe)
  ::close(file_);
  throw RunError(path + (taken ? ": another smsim is writing to it; wait for it, or take another file\n"
                               : ": cannot be locked: " + reason + "\n"));
}

StoreLock::~StoreLock() { ::close(file_); }

StoreWriter::StoreWriter(const std::string& path, const StoreHeader& header)
    : lock_(path), database_(path, Database::Mode::write)
{
  if (is_store(database_))
    check_same(path, read_header(database_), header);
  else
    create(header);
  const auto prepared = [&](const std::string& table, std::size_t columns) {
    return std::make_unique<Statement>(database_.prepare(insert_sql(table, columns)));
  };
  insert_point_ = prepared("points", 2);
  insert_parameters_ = prepared("parameters", 1 + header.parameters.size());
  insert_results_ = prepared("results", 1 + metric_names().size());
  insert_failure_ = prepared("failures", 2);
}

void StoreWriter::create(const StoreHeader& header)
{
  database_.execute("BEGIN IMMEDIATE; PRAGMA application_id = " + std::to_string(application) +
                    "; PRAGMA user_version = " + std::to_string(layout) +
                    "; CREATE TABLE sweep (name TEXT PRIMARY KEY, value) WITHOUT ROWID"
                    "; CREATE TABLE files (name TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID"
                    "; CREATE TABLE points (point INTEGER PRIMARY KEY, id TEXT)"
                    "; CREATE TABLE parameters (point INTEGER PRIMARY KEY" +
                    column_list(header.parameters, ", ") +
                    "); CREATE TABLE results (point INTEGER PRIMARY KEY" + column_list(metric_names(), ", ") +
                    "); CREATE TABLE failures (point INTEGER PRIMARY KEY, message TEXT)");
  Statement entry = database_.prepare("INSERT INTO sweep VALUES (?, ?)");
  const auto put = [&](const char* name, const Cell& value) {
    entry.bind(1, std::string(name)).bind(2, value).step();
    entry.reset();
  };
  put("smsim_version", header.smsim_version);
  put("name", header.name);
  put("fingerprint", header.fingerprint);
  put("text", header.text);
  put("points", static_cast<std::int64_t>(header.points));
  put("shard_index", static_cast<std::int64_t>(header.shard.index));
  put("shard_count", static_cast<std::int64_t>(header.shard.count));
  put("axes", joined(header.axes));
  Statement file = database_.prepare("INSERT OR REPLACE INTO files VALUES (?, ?)");
  for (const SweepFile& each : header.files) {
    file.bind(1, each.name).bind(2, each.sha256).step();
    file.reset();
  }
  database_.execute("COMMIT");
}

std::vector<bool> StoreWriter::done()
{
  std::vector<bool> done;
  Statement rows = database_.prepare("SELECT point FROM points ORDER BY point");
  while (rows.step()) {
    const std::uint64_t point = rows.whole(0);
    done.resize(point + 1);
    done[point] = true;
  }
  return done;
}

std::uint64_t StoreWriter::failures()
{
  return static_cast<std::uint64_t>(std::get<std::int64_t>(database_.value("SELECT count(*) FROM failures")));
}

void StoreWriter::add(std::span<const PointResult> results)
{
  database_.execute("BEGIN IMMEDIATE");
  const auto row = [](Statement& insert, std::int64_t point, std::span<const Cell> cells) {
    insert.bind(1, point);
    for (std::size_t i = 0; i < cells.size(); ++i)
      insert.bind(static_cast<int>(i) + 2, cells[i]);
    insert.step();
    insert.reset();
  };
  for (const PointResult& result : results) {
    const auto point = static_cast<std::int64_t>(result.number);
    const Cell id = result.id.empty() ? Cell() : Cell(result.id);
    row(*insert_point_, point, {&id, 1});
    row(*insert_parameters_, point, result.parameters);
    const Cell failure = result.failure;
    if (result.failure.empty())
      row(*insert_results_, point, result.metrics);
    else
      row(*insert_failure_, point, {&failure, 1});
  }
  database_.execute("COMMIT");
}

Database open_store(const std::string& path)
{
  Database database(path, Database::Mode::read);
  if (!is_store(database)) throw InputError(path + ": is empty; no store of `smsim sweep`\n");
  return database;
}

StoreHeader read_header(Database& database)
{
  StoreHeader header;
  Statement entry = database.prepare("SELECT value FROM sweep WHERE name = ?");
  const auto get = [&](const char* name) {
    entry.reset();
    entry.bind(1, std::string(name));
    return entry.step();
  };
  const auto text = [&](const char* name) { return get(name) ? entry.text(0) : std::string(); };
  const auto whole = [&](const char* name) { return get(name) ? entry.whole(0) : 0; };
  header.smsim_version = text("smsim_version");
  header.name = text("name");
  header.fingerprint = text("fingerprint");
  header.text = text("text");
  header.points = whole("points");
  header.shard = {whole("shard_index"), std::max<std::uint64_t>(whole("shard_count"), 1)};
  header.axes = split(text("axes"));
  Statement files = database.prepare("SELECT name, sha256 FROM files ORDER BY name");
  while (files.step())
    header.files.push_back({files.text(0), files.text(1)});
  Statement columns = database.prepare("SELECT * FROM parameters LIMIT 0");
  for (int i = 1; i < columns.columns(); ++i)
    header.parameters.push_back(columns.column_name(i));
  return header;
}

}  // namespace smsim
