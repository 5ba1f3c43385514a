// The rows of a result store: one a point, in the order of the points or of a column; never all in memory.
#pragma once

#include "sweep/expression.h"
#include "sweep/store.h"

#include <functional>
#include <optional>

namespace smsim {

/// Which rows and columns somebody wants.
struct ResultQuery {
  std::vector<std::string> columns;
  std::optional<Expression> where;
  std::vector<std::size_t> where_columns;  ///< of ResultsReader::names(), by the expression's names
  std::string sort_by;                     ///< "": the points' order
  bool descending = false;
  std::uint64_t limit = ~std::uint64_t{0};
  const std::vector<std::uint64_t>* only = nullptr;  ///< these points, ascending; null: all
};

class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path);

  [[nodiscard]] const StoreHeader& header() const { return header_; }
  /// Every column: point, id, parameters, results, failure.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool is_known(const std::string& name) const;
  /// The columns of a table that is to be read by a person.
  [[nodiscard]] std::vector<std::string> chosen_columns();

  /// `where` for the query. Errors go to `diagnostics`.
  void set_where(const std::string& text, ResultQuery& query, Diagnostics& diagnostics) const;

  /// Calls `row` with the cells of the columns. @throws InputError where `where` cannot be worked out.
  void read(const ResultQuery& query, const std::function<void(const std::vector<Cell>&)>& row);

 private:
  Database database_;
  StoreHeader header_;
  std::vector<std::string> names_;
  std::vector<std::string> sql_;  ///< by name
};

/// A cell as CSV, tables and JSON have it: the shortest text that reads back to the same number; "" for
/// nothing.
std::string cell_text(const Cell& cell);
/// Its number; nothing where it is none.
std::optional<double> cell_number(const Cell& cell);
/// Nothing, then numbers by their value, then texts.
struct CellLess {
  bool operator()(const Cell& a, const Cell& b) const;
};

}  // namespace smsim
