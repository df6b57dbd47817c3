#include "trace/exports/writers.h"

#include "trace/exports/names_and_text.h"

namespace parcast::trace {

namespace {

class CsvRows {
public:
    CsvRows(Execution const& execution, Output& output)
        : names_(export_names(execution.timeline->catalogue)), output_(&output) {
        for (auto* const list : {&names_.threads, &names_.objects, &names_.sites})
            for (auto& name : *list)
                name = csv_field(name);
    }

    void header(std::string_view names) {
        output_->add(names);
        output_->add("\r\n");
    }
    void field(std::int64_t number) {
        separate();
        output_->add(number);
    }
    void field(std::string_view text) {
        separate();
        output_->add(text);
    }
    void field(CpuId cpu) { cpu.is_none() ? field("") : field(std::int64_t{cpu.value}); }
    // Number and name.
    void field(ThreadId thread) { numbered(thread, names_.threads); }
    void field(ObjectId object) { numbered(object, names_.objects); }
    void field(SiteId site) { field(site.is_none() ? "" : std::string_view(names_.sites[site.index()])); }
    void end() {
        output_->add("\r\n");
        is_first_ = true;
    }

private:
    void separate() {
        if (!is_first_)
            output_->add(",");
        is_first_ = false;
    }
    template <class AnyId>
    void numbered(AnyId id, std::vector<std::string> const& names) {
        if (id.is_none()) {
            field("");
            field("");
            return;
        }
        field(std::int64_t{id.value});
        field(std::string_view(names[id.index()]));
    }

    ExportNames names_;
    Output* output_;
    bool is_first_ = true;
};

}  // namespace

void write_interval_table(Execution const& execution, Output& output) {
    CsvRows table(execution, output);
    table.header(
        "thread,thread_name,begin_ns,end_ns,duration_ns,state,cpu,object,object_name,place,releaser,releaser_"
        "name");
    auto const& rows = *execution.timeline->intervals;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        table.field(rows.thread[row]);
        table.field(rows.begin[row].ns);
        table.field(rows.end[row].ns);
        table.field((rows.end[row] - rows.begin[row]).ns);
        table.field(name_of(rows.state[row]));
        table.field(rows.cpu[row]);
        table.field(rows.object[row]);
        table.field(rows.site[row]);
        table.field(rows.releaser[row]);
        table.end();
    }
}

void write_message_table(Execution const& execution, Output& output) {
    CsvRows table(execution, output);
    table.header("from,from_name,to,to_name,bytes,tag,sent_ns,arrived_ns,received_ns,delay,late_ns");
    for (Message const& message : execution.timeline->messages) {
        table.field(message.from);
        table.field(message.to);
        table.field(static_cast<std::int64_t>(message.bytes));
        table.field(std::int64_t{message.tag});
        table.field(message.sent.ns);
        table.field(message.arrived.ns);
        table.field(message.received.ns);
        table.field(row_of(message.delay).name);
        table.field(message.late.ns);
        table.end();
    }
}

void write_event_table(Execution const& execution, Output& output) {
    CsvRows table(execution, output);
    table.header(
        "thread,thread_name,time_ns,operation,object,object_name,other_thread,other_thread_name,place");
    for (std::size_t thread = 0; thread < execution.timeline->catalogue.threads.size(); ++thread) {
        for (Mark const& mark : execution.marks(ThreadId(thread))) {
            table.field(ThreadId(thread));
            table.field(mark.when.ns);
            table.field(execution.mark_names[mark.kind]);
            table.field(mark.object);
            table.field(mark.other);
            table.field(mark.site);
            table.end();
        }
    }
}

}  // namespace parcast::trace
