#include "trace/perfetto_trace.h"

#include <protozero/pbf_writer.hpp>

namespace smsim {
namespace {

// Field numbers.
namespace trace {
constexpr protozero::pbf_tag_type packet = 1;
}
namespace packet {
constexpr protozero::pbf_tag_type timestamp = 8;
constexpr protozero::pbf_tag_type sequence = 10;
constexpr protozero::pbf_tag_type track_event = 11;
constexpr protozero::pbf_tag_type interned_data = 12;
constexpr protozero::pbf_tag_type sequence_flags = 13;
constexpr protozero::pbf_tag_type track_descriptor = 60;
constexpr std::uint32_t state_is_cleared = 1;
constexpr std::uint32_t state_is_needed = 2;
}  // namespace packet
namespace event {
constexpr protozero::pbf_tag_type type = 9;
constexpr protozero::pbf_tag_type name_number = 10;
constexpr protozero::pbf_tag_type track = 11;
constexpr protozero::pbf_tag_type name = 23;
constexpr protozero::pbf_tag_type counter_value = 30;
enum Type : std::int32_t { slice_begin = 1, slice_end = 2, counter = 4 };
}  // namespace event
namespace interned {
constexpr protozero::pbf_tag_type event_names = 2;
constexpr protozero::pbf_tag_type number = 1;
constexpr protozero::pbf_tag_type name = 2;
}  // namespace interned
namespace descriptor {
constexpr protozero::pbf_tag_type uuid = 1;
constexpr protozero::pbf_tag_type name = 2;
constexpr protozero::pbf_tag_type process = 3;
constexpr protozero::pbf_tag_type thread = 4;
constexpr protozero::pbf_tag_type parent = 5;
constexpr protozero::pbf_tag_type counter = 8;
constexpr protozero::pbf_tag_type pid = 1;           // of a process and of a thread
constexpr protozero::pbf_tag_type tid = 2;           // of a thread
constexpr protozero::pbf_tag_type thread_name = 5;   // of a thread
constexpr protozero::pbf_tag_type process_name = 6;  // of a process
constexpr protozero::pbf_tag_type unit_name = 6;     // of a counter
}  // namespace descriptor

/// A track's number: that of its SM, and in it a row, the process itself or a counter.
constexpr std::uint64_t process_track = 0xFFFF;
constexpr std::uint64_t first_counter = 0xFF00;
std::uint64_t track(std::uint32_t sm, std::uint64_t in_sm)
{
  return ((sm + std::uint64_t{1}) << 16U) | in_sm;
}

class PerfettoFormat final : public SliceFormat {
 public:
  void begin(TraceFile&, const TraceRun&) override {}

  void name_sm(TraceFile& file, std::uint32_t sm) override
  {
    // The names of states are given once for all events of the SM.
    packet_.clear();
    protozero::pbf_writer first(packet_);
    first.add_uint32(packet::sequence, sm + 1);
    first.add_uint32(packet::sequence_flags, packet::state_is_cleared);
    {
      protozero::pbf_writer names(first, packet::interned_data);
      for (const WarpStateInfo& state : warp_state_table) {
        protozero::pbf_writer name(names, interned::event_names);
        name.add_uint64(interned::number, number_of(state.state));
        name.add_string(interned::name, state.key.data(), state.key.size());
      }
    }
    write(file);
    describe(file, sm, process_track, [&](protozero::pbf_writer& described) {
      protozero::pbf_writer process(described, descriptor::process);
      process.add_int32(descriptor::pid, static_cast<std::int32_t>(sm + 1));
      process.add_string(descriptor::process_name, "SM " + std::to_string(sm));
    });
    for (std::size_t i = 0; i < counter_names.size(); ++i)
      describe(file, sm, first_counter + i, [&](protozero::pbf_writer& described) {
        described.add_uint64(descriptor::parent, track(sm, process_track));
        described.add_string(descriptor::name,
                             std::string(counter_names[i].name) + " " + std::string(counter_names[i].unit));
        protozero::pbf_writer counter(described, descriptor::counter);
        counter.add_string(descriptor::unit_name, std::string(counter_names[i].unit));
      });
  }

  void name_row(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name) override
  {
    describe(file, sm, row, [&](protozero::pbf_writer& described) {
      described.add_uint64(descriptor::parent, track(sm, process_track));
      protozero::pbf_writer thread(described, descriptor::thread);
      thread.add_int32(descriptor::pid, static_cast<std::int32_t>(sm + 1));
      thread.add_int32(descriptor::tid, static_cast<std::int32_t>(row + 1));
      thread.add_string(descriptor::thread_name, name.data(), name.size());
    });
  }

  void open(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name, Cycle at) override
  {
    add(file, sm, row, at, event::slice_begin,
        [&](protozero::pbf_writer& added) { added.add_string(event::name, name.data(), name.size()); });
  }

  void close(TraceFile& file, std::uint32_t sm, std::uint32_t row, Cycle at) override
  {
    add(file, sm, row, at, event::slice_end, [](protozero::pbf_writer&) {});
  }

  void state(TraceFile& file, std::uint32_t sm, std::uint32_t row, WarpState state, Cycle from,
             Cycle until) override
  {
    add(file, sm, row, from, event::slice_begin,
        [&](protozero::pbf_writer& added) { added.add_uint64(event::name_number, number_of(state)); });
    close(file, sm, row, until);
  }

  void counter(TraceFile& file, std::uint32_t sm, std::size_t which, Cycle at, std::uint32_t value) override
  {
    add(file, sm, first_counter + which, at, event::counter,
        [&](protozero::pbf_writer& added) { added.add_int64(event::counter_value, value); });
  }

  void end(TraceFile&) override {}

 private:
  static std::uint64_t number_of(WarpState state) { return index_of(state) + 1; }

  template <class Fill>
  void describe(TraceFile& file, std::uint32_t sm, std::uint64_t in_sm, Fill fill)
  {
    packet_.clear();
    protozero::pbf_writer outer(packet_);
    outer.add_uint32(packet::sequence, sm + 1);
    {
      protozero::pbf_writer described(outer, packet::track_descriptor);
      described.add_uint64(descriptor::uuid, track(sm, in_sm));
      fill(described);
    }
    write(file);
  }

  template <class Fill>
  void add(TraceFile& file, std::uint32_t sm, std::uint64_t in_sm, Cycle at, event::Type type, Fill fill)
  {
    event_.clear();
    protozero::pbf_writer inner(event_);
    inner.add_enum(event::type, type);
    inner.add_uint64(event::track, track(sm, in_sm));
    fill(inner);
    packet_.clear();
    protozero::pbf_writer outer(packet_);
    outer.add_uint64(packet::timestamp, at.value());
    outer.add_uint32(packet::sequence, sm + 1);
    outer.add_uint32(packet::sequence_flags, packet::state_is_needed);
    outer.add_message(packet::track_event, event_);
    write(file);
  }

  void write(TraceFile& file)
  {
    written_.clear();
    protozero::pbf_writer(written_).add_message(trace::packet, packet_);
    file.text(written_);
  }

  std::string event_;  // kept from event to event, for their memory
  std::string packet_;
  std::string written_;
};

}  // namespace

std::unique_ptr<SliceFormat> make_perfetto_format() { return std::make_unique<PerfettoFormat>(); }

}  // namespace smsim
