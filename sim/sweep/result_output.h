// Rows of a result store as a table, CSV or JSON, given out as they are read.
#pragma once

#include "sweep/results_reader.h"

namespace smsim {

/// Takes a piece of the output.
using OutputSink = std::function<void(std::string_view)>;

void write_results_csv(ResultsReader& reader, const ResultQuery& query, const OutputSink& out);
void write_results_json(ResultsReader& reader, const ResultQuery& query, const OutputSink& out);
/// Columns as wide as needed, so the whole is kept.
void write_results_table(ResultsReader& reader, const ResultQuery& query, const OutputSink& out);

}  // namespace smsim
