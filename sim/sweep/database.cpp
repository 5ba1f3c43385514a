#include "sweep/database.h"

#include "base/diagnostics.h"

#include <sqlite3.h>

#include <filesystem>

namespace smsim {
namespace {

constexpr int busy_milliseconds = 60'000;

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Closer::operator()(sqlite3* database) const { sqlite3_close(database); }

Database::Database(const std::string& path, Mode mode) : path_(path)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path + ": is a directory; a file is expected\n");
  if (mode == Mode::read && !std::filesystem::exists(path, ignored))
    throw InputError(path + ": no such file\n");
  sqlite3* opened = nullptr;
  // A reader may have to undo what a killed writer has left half done; a file that it may not write to SQLite
  // opens for reading by itself.
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::read ? 0 : SQLITE_OPEN_CREATE);
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) throw InputError(path + ": cannot be opened: " + sqlite3_errmsg(opened) + "\n");
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, busy_milliseconds);
}

void Database::fail(int code) const
{
  const std::string said = sqlite3_errmsg(handle_.get());
  switch (code & 0xFF) {
  case SQLITE_NOTADB:
    throw InputError(path_ + ": is no SQLite file\n");
  case SQLITE_CORRUPT:
    throw InputError(path_ + ": is damaged or cut short: " + said + "\n");
  case SQLITE_CANTOPEN:
    throw InputError(path_ + ": cannot be opened or written: " + said + "\n");
  case SQLITE_READONLY:
    throw RunError(path_ + ": cannot be written: " + said + "\n");
  case SQLITE_FULL:
  case SQLITE_IOERR:
    throw RunError(path_ + ": cannot be written, is the disk full? " + said + "\n");
  case SQLITE_BUSY:
    throw RunError(path_ + ": another program keeps it locked\n");
  default:
    throw RunError(path_ + ": " + said + "\n");
  }
}

void Database::execute(const std::string& sql)
{
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

Cell Database::value(const std::string& sql)
{
  Statement statement = prepare(sql);
  return statement.step() ? statement.cell(0) : Cell();
}

Statement::Statement(Database& database, const std::string& sql) : database_(database)
{
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle_.get(), sql.data(), static_cast<int>(sql.size()), &made, nullptr);
  statement_.reset(made);
  if (code != SQLITE_OK) database.fail(code);
}

Statement& Statement::bind(int place, const Cell& cell)
{
  sqlite3_stmt* to = statement_.get();
  int code = SQLITE_OK;
  if (const auto* whole = std::get_if<std::int64_t>(&cell))
    code = sqlite3_bind_int64(to, place, *whole);
  else if (const auto* real = std::get_if<double>(&cell))
    code = sqlite3_bind_double(to, place, *real);
  else if (const auto* text = std::get_if<std::string>(&cell))
    code = sqlite3_bind_text64(to, place, text->data(), text->size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);  // NOLINT(performance-no-int-to-ptr)
  else
    code = sqlite3_bind_null(to, place);
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}

bool Statement::step()
{
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

Cell Statement::cell(int column) const
{
  switch (sqlite3_column_type(statement_.get(), column)) {
  case SQLITE_INTEGER:
    return std::int64_t{sqlite3_column_int64(statement_.get(), column)};
  case SQLITE_FLOAT:
    return sqlite3_column_double(statement_.get(), column);
  case SQLITE_NULL:
    return {};
  default:
    return text(column);
  }
}

std::uint64_t Statement::whole(int column) const
{
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

std::string Statement::text(int column) const
{
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes ? std::string(bytes, size) : std::string();
}

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Statement::column_name(int column) const { return sqlite3_column_name(statement_.get(), column); }

std::string quoted_name(const std::string& name)
{
  std::string out = "\"";
  for (const char c : name)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace smsim
