#include "support/trace_readers.h"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <tuple>

namespace smsim::test {
namespace {

/// What the slices of a trace are made of, in the order of time: opens and closes of rows.
struct Edge {
  std::uint64_t time = 0;
  bool opens = false;
  std::string name;
};
/// A row or a counter.
struct Row {
  std::uint64_t sm = 0;
  std::string name;
  std::vector<Edge> edges;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values;
};

/// Puts rows together: slices nest, states are the inner slices of a warp slot.
void add_up(std::vector<Row>& rows, TraceSums& sums)
{
  std::map<std::uint64_t, std::uint64_t> ends;  // of each SM
  for (Row& row : rows) {
    std::stable_sort(row.edges.begin(), row.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.time < b.time; });
    unsigned part = 0;
    unsigned slot = 0;
    const bool is_slot = std::sscanf(row.name.c_str(), "scheduler %u warp slot %u", &part, &slot) == 2;
    std::vector<const Edge*> open;
    for (const Edge& edge : row.edges) {
      sums.first = std::min(sums.first, edge.time);
      sums.last = std::max(sums.last, edge.time);
      ends[row.sm] = std::max(ends[row.sm], edge.time);
      if (edge.opens) {
        open.push_back(&edge);
        continue;
      }
      if (open.empty()) {
        sums.problems.push_back(row.name + ": an end without a beginning");
        continue;
      }
      const Edge& begin = *open.back();
      open.pop_back();
      const auto state = warp_state_of(begin.name);
      if (is_slot && open.size() == 1 && state)
        sums.states[{row.sm, part}][index_of(*state)] += edge.time - begin.time;
      else if (state)
        sums.problems.push_back(row.name + ": a state that is in no warp's slice");
      else
        sums.slices[begin.name] += edge.time - begin.time;
    }
    if (!open.empty()) sums.problems.push_back(row.name + ": a beginning without an end");
    if (row.name.empty()) sums.problems.push_back("a row without a name");
  }
  for (Row& row : rows)
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const auto [time, value] = row.values[i];
      const std::uint64_t until = i + 1 < row.values.size() ? row.values[i + 1].first : ends[row.sm];
      if (until < time) sums.problems.push_back(row.name + ": goes back in time");
      sums.counters[{row.sm, row.name}] += value * (until - time);
    }
}

/// The fields of a protobuf message.
class Wire {
 public:
  explicit Wire(std::string_view message) : rest_(message) {}

  bool next()
  {
    if (rest_.empty() || bad) return false;
    const std::uint64_t key = varint();
    field = key >> 3U;
    switch (key & 7U) {
    case 0:
      value = varint();
      break;
    case 2: {
      const std::uint64_t size = varint();
      if (size > rest_.size()) {
        bad = true;
        return false;
      }
      bytes = rest_.substr(0, size);
      rest_.remove_prefix(size);
      break;
    }
    default:
      bad = true;
    }
    return !bad;
  }

  std::uint64_t field = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
  bool bad = false;

 private:
  std::uint64_t varint()
  {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      result |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return result;
    }
    bad = true;
    return 0;
  }

  std::string_view rest_;
};

}  // namespace

TraceSums read_chrome(const std::string& text)
{
  TraceSums sums;
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object() || !document.contains("traceEvents")) {
    sums.problems.emplace_back("is no JSON object with traceEvents");
    return sums;
  }
  std::map<std::uint64_t, std::string> processes;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Row> threads;
  std::map<std::pair<std::uint64_t, std::string>, Row> counters;
  const auto sm_of = [&](std::uint64_t pid) {
    unsigned sm = 0;
    if (processes.count(pid) == 0 || std::sscanf(processes[pid].c_str(), "SM %u", &sm) != 1)
      sums.problems.push_back("process " + std::to_string(pid) + " has no SM's name");
    return std::uint64_t{sm};
  };
  for (const auto& event : document["traceEvents"]) {
    const std::string phase = event.at("ph");
    const std::uint64_t pid = event.at("pid").get<std::uint64_t>();
    const std::uint64_t tid = event.at("tid").get<std::uint64_t>();
    Row& thread = threads[{pid, tid}];
    if (phase == "M") {
      if (event.at("name") == "process_name") processes[pid] = event.at("args").at("name");
      if (event.at("name") == "thread_name") thread.name = event.at("args").at("name");
      continue;
    }
    const std::uint64_t time = event.at("ts").get<std::uint64_t>();
    thread.sm = sm_of(pid);
    if (phase == "X") {
      thread.edges.push_back({time, true, event.at("name")});
      thread.edges.push_back({time + event.at("dur").get<std::uint64_t>(), false, {}});
    } else if (phase == "B" || phase == "E") {
      thread.edges.push_back({time, phase == "B", phase == "B" ? event.at("name").get<std::string>() : ""});
    } else if (phase == "C") {
      const auto first = event.at("args").begin();
      const std::string& unit = first.key();
      Row& counter = counters[{pid, event.at("name").get<std::string>() + " " + unit}];
      counter.sm = thread.sm;
      counter.name = event.at("name").get<std::string>() + " " + unit;
      counter.values.emplace_back(time, first.value().get<std::uint64_t>());
    } else {
      sums.problems.push_back("phase " + phase);
    }
  }
  std::vector<Row> rows;
  for (auto& [key, row] : threads)
    rows.push_back(std::move(row));
  for (auto& [key, row] : counters)
    rows.push_back(std::move(row));
  add_up(rows, sums);
  return sums;
}

TraceSums read_perfetto(const std::string& bytes)
{
  TraceSums sums;
  std::map<std::uint64_t, Row> tracks;
  std::map<std::uint64_t, std::uint64_t> sm_of_process;                  // by the track's number
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> names;  // by sequence and number
  std::map<std::uint64_t, std::uint64_t> parents;
  Wire trace(bytes);
  while (trace.next()) {
    if (trace.field != 1) sums.problems.emplace_back("is no packet");
    std::uint64_t time = 0;
    std::uint64_t sequence = 0;
    std::uint64_t flags = 0;
    std::string_view event;
    std::string_view descriptor;
    std::string_view interned;
    Wire packet(trace.bytes);
    while (packet.next()) {
      if (packet.field == 8) time = packet.value;
      if (packet.field == 10) sequence = packet.value;
      if (packet.field == 11) event = packet.bytes;
      if (packet.field == 12) interned = packet.bytes;
      if (packet.field == 13) flags = packet.value;
      if (packet.field == 60) descriptor = packet.bytes;
    }
    if (packet.bad || sequence == 0) sums.problems.emplace_back("a bad packet");
    for (Wire data(interned); data.next();) {
      if (data.field != 2) continue;
      std::uint64_t number = 0;
      std::string name;
      for (Wire entry(data.bytes); entry.next();) {
        if (entry.field == 1) number = entry.value;
        if (entry.field == 2) name = entry.bytes;
      }
      if ((flags & 1U) == 0) sums.problems.emplace_back("names before the state is cleared");
      names[{sequence, number}] = name;
    }
    if (!descriptor.empty()) {
      std::uint64_t uuid = 0;
      std::uint64_t parent = 0;
      std::string name;
      std::optional<unsigned> sm;
      for (Wire field(descriptor); field.next();) {
        if (field.field == 1) uuid = field.value;
        if (field.field == 2) name = field.bytes;
        if (field.field == 5) parent = field.value;
        for (Wire inner(field.field == 3 || field.field == 4 ? field.bytes : std::string_view{});
             inner.next();) {
          if (field.field == 4 && inner.field == 5) name = inner.bytes;
          unsigned number = 0;
          if (field.field == 3 && inner.field == 6 &&
              std::sscanf(std::string(inner.bytes).c_str(), "SM %u", &number) == 1)
            sm = number;
        }
      }
      if (sm) {
        sm_of_process[uuid] = *sm;
      } else {
        if (tracks.count(uuid) > 0) sums.problems.emplace_back("a track is described twice");
        if (sm_of_process.count(parent) == 0) sums.problems.emplace_back("a track without an SM");
        tracks[uuid].name = name;
        tracks[uuid].sm = sm_of_process[parent];
      }
    }
    if (!event.empty()) {
      std::uint64_t type = 0;
      std::uint64_t uuid = 0;
      std::uint64_t value = 0;
      std::string name;
      for (Wire field(event); field.next();) {
        if (field.field == 9) type = field.value;
        if (field.field == 11) uuid = field.value;
        if (field.field == 30) value = field.value;
        if (field.field == 23) name = field.bytes;
        if (field.field == 10) {
          if ((flags & 2U) == 0 || names.count({sequence, field.value}) == 0)
            sums.problems.emplace_back("a name that nobody gave");
          name = names[{sequence, field.value}];
        }
      }
      if (tracks.count(uuid) == 0) sums.problems.emplace_back("an event on no track");
      if (type == 4)
        tracks[uuid].values.emplace_back(time, value);
      else if (type == 1 || type == 2)
        tracks[uuid].edges.push_back({time, type == 1, name});
      else
        sums.problems.emplace_back("a type of event");
    }
  }
  if (trace.bad) sums.problems.emplace_back("is no protobuf");
  std::vector<Row> rows;
  for (auto& [uuid, row] : tracks)
    rows.push_back(std::move(row));
  add_up(rows, sums);
  return sums;
}

TraceSums read_konata(const std::string& text, std::uint64_t slots)
{
  struct Instruction {
    std::uint64_t slot = 0;
    std::map<std::string, std::pair<std::string, std::uint64_t>> stages;  // by lane: what is open, since when
    bool labelled = false;
    bool retired = false;
  };
  TraceSums sums;
  std::map<std::uint64_t, Instruction> instructions;
  std::uint64_t now = 0;
  std::uint64_t next_id = 0;
  std::uint64_t next_retired = 0;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != "Kanata\t0004") sums.problems.emplace_back("the header");
  if (!std::getline(lines, line) || !line.starts_with("C=\t"))
    sums.problems.emplace_back("the first cycle");
  else
    sums.first = now = std::stoull(line.substr(3));
  while (std::getline(lines, line)) {
    std::vector<std::string> words;
    std::istringstream columns(line);
    for (std::string word; std::getline(columns, word, '\t');)
      words.push_back(word);
    if (words.size() < 2) {
      sums.problems.push_back("line " + line);
      continue;
    }
    const std::uint64_t id = std::stoull(words[1]);
    if (words[0] == "C") {
      if (id == 0) sums.problems.emplace_back("no cycle goes by");
      now += id;
      sums.last = now;
      continue;
    }
    if (words[0] == "I") {
      if (id != next_id++) sums.problems.emplace_back("numbers are not in order");
      instructions[id].slot = std::stoull(words.at(3));
      continue;
    }
    if (instructions.count(id) == 0) {
      sums.problems.push_back("speaks of no instruction: " + line);
      continue;
    }
    Instruction& instruction = instructions[id];
    if (words[0] == "L") {
      instruction.labelled = true;
      if (words.size() != 4) sums.problems.push_back("a label: " + line);
    } else if (words[0] == "S") {
      if (instruction.stages.count(words.at(2)) > 0) sums.problems.push_back("two stages at a time: " + line);
      instruction.stages[words.at(2)] = {words.at(3), now};
    } else if (words[0] == "E") {
      const auto stage = instruction.stages.find(words.at(2));
      if (stage == instruction.stages.end() || stage->second.first != words.at(3)) {
        sums.problems.push_back("ends what has not begun: " + line);
        continue;
      }
      const auto [name, since] = stage->second;
      instruction.stages.erase(stage);
      StateCycles& states = sums.states[{0, instruction.slot / slots}];
      if (words[2] == "0" && name == "I") states[index_of(WarpState::selected)] += now - since;
      const auto state = warp_state_of(name);
      if ((words[2] == "1") != state.has_value()) sums.problems.push_back("a stage's name: " + line);
      if (words[2] == "1" && state) states[index_of(*state)] += now - since;
    } else if (words[0] == "R") {
      if (!instruction.stages.empty()) sums.problems.push_back("a stage is open: " + line);
      if (words.at(3) == "0" && std::stoull(words.at(2)) != next_retired++)
        sums.problems.push_back("retirement: " + line);
      if (words.at(3) == "0" && !instruction.labelled) sums.problems.push_back("has no label: " + line);
      if (words.at(3) == "0") ++sums.rows;
      instructions.erase(id);
    } else {
      sums.problems.push_back("command " + line);
    }
  }
  if (!instructions.empty()) sums.problems.emplace_back("an instruction without an end");
  return sums;
}

std::string unzipped(const std::string& bytes)
{
  namespace io = boost::iostreams;
  std::istringstream in(bytes);
  std::ostringstream out;
  io::filtering_istream from;
  from.push(io::gzip_decompressor());
  from.push(in);
  io::copy(from, out);
  return out.str();
}

}  // namespace smsim::test
