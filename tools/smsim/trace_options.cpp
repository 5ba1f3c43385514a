#include "trace_options.h"

#include "base/numbers.h"
#include "run_setup.h"

#include <algorithm>

namespace smsim::cli {

CycleWindow read_cycles(const OptionParser& parser, const std::string& option)
{
  CycleWindow window;
  if (!parser.has(option)) return window;
  const std::string text = parser.text(option);
  const auto wrong = [&](const std::string& why) {
    parser.fail("--" + option + ": '" + text + "' " + why +
                "; expected: A:B, cycles from A to before B, such as 1000:1200, or A: or :B");
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() == 1) wrong("is no window of cycles");
  const auto number = [&](const std::string& word, std::uint64_t& target) {
    if (word.empty()) return;
    const auto value = parse_integer(word);
    if (!value) wrong("is no window of cycles: '" + word + "' is not a whole number");
    target = value.value_or(0);
  };
  number(text.substr(0, colon), window.from);
  number(text.substr(colon + 1), window.until);
  if (window.from >= window.until) wrong("holds no cycle");
  return window;
}

std::vector<std::uint32_t> read_numbers(const OptionParser& parser, const std::string& option,
                                        std::uint32_t limit, const std::string& what)
{
  std::vector<std::uint32_t> numbers;
  const auto no_number = [&](const std::string& word) {
    parser.fail("--" + option + ": '" + word + "' is no number or range; expected: numbers of " + what +
                ", such as 0,3 or 0-3");
  };
  const auto not_there = [&](std::uint64_t number) {
    parser.fail("--" + option + ": there is no " + std::to_string(number) + "; " + what + ": 0 to " +
                std::to_string(limit - 1));
  };
  const std::string text = parser.text(option) + ",";
  for (std::size_t at = 0, comma = 0; at < text.size(); at = comma + 1) {
    comma = text.find(',', at);
    const std::string word = text.substr(at, comma - at);
    const std::size_t dash = word.find('-');
    const auto first = parse_integer(word.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(word.substr(dash + 1));
    if (!first || !last || *first > *last) no_number(word);
    if (*last >= limit) not_there(*last);
    for (std::uint64_t number = *first; number <= *last; ++number)
      numbers.push_back(static_cast<std::uint32_t>(number));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void add_trace_options(OptionParser& parser)
{
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()(
      "trace", text(),
      "write what happens to a file: .json (Chrome, Perfetto), .pftrace (Perfetto, for large "
      "runs) or .konata; with .gz behind it compressed")("trace-cycles", text(),
                                                         "A:B: trace the cycles from A to before B")(
      "trace-sm", text(), "trace these SMs, such as 0 or 0-3 (default: all; .konata: 0)")(
      "trace-limit", text(),
      "events after which the trace is cut, or none (default: 1000000; .pftrace: 20000000)");
}

std::unique_ptr<TraceWriter> read_trace(const OptionParser& parser, std::uint32_t sms)
{
  if (!parser.has("trace")) {
    for (const char* option : {"trace-cycles", "trace-sm", "trace-limit"})
      if (parser.has(option)) parser.fail("--" + std::string(option) + " needs --trace FILE");
    return nullptr;
  }
  TraceOptions options;
  options.path = parser.text("trace");
  const auto format = trace_format_of(options.path);
  if (!format)
    parser.fail("--trace: '" + parser.text("trace") +
                "': the ending says no format; allowed: " + std::string(trace_endings));
  const CycleWindow window = read_cycles(parser, "trace-cycles");
  options.from = Cycle{window.from};
  options.until = Cycle{window.until};
  if (parser.has("trace-sm")) options.sms = read_numbers(parser, "trace-sm", sms, "the run's SMs");
  if (*format == TraceFormat::konata && options.sms.size() > 1)
    parser.fail("--trace-sm: a Konata log holds one SM; name one");
  options.limit = usual_limit(*format);
  if (parser.has("trace-limit"))
    options.limit = parser.text("trace-limit") == "none"
                        ? ~std::uint64_t{0}
                        : parser.integer("trace-limit", 1, ~std::uint64_t{0});
  return make_trace_writer(options);
}

void check_trace(const OptionParser& parser, const TraceWriter& trace, std::uint64_t cycles)
{
  const CycleWindow window = read_cycles(parser, "trace-cycles");
  if (window.from >= cycles)
    throw RunError("--trace-cycles: the window begins at cycle " + std::to_string(window.from) +
                   ", but the run ended at cycle " + std::to_string(cycles) + "; no trace was written\n");
  if (trace.cut_at())
    warn("the trace holds the first " + std::to_string(trace.events()) + " events, up to cycle " +
         std::to_string(trace.cut_at()->value()) +
         "; choose a window with --trace-cycles A:B and --trace-sm N, or another limit with --trace-limit");
}

}  // namespace smsim::cli
