#include "cli/predict_task_graph.h"

#include "cli/messages.h"
#include "cli/predicted_graph.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/task_graph_json.h"
#include "report/task_graph_text.h"

namespace parcast::cli {

int predict_task_graph(PredictArguments const& arguments) {
    auto const predicted = predicted_graph(arguments);
    if (!predicted)
        return print_failure(predicted.error());
    auto const& prediction = predicted->prediction;
    if (arguments.json)
        return print_result(report::task_graph_json(prediction, version));
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                arguments.assumptions ? report::Detail::all : report::Detail::short_form};
    return print_result(report::task_graph_text(prediction, layout));
}

}  // namespace parcast::cli
