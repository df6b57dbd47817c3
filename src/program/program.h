// A program in one of its forms: a closed variant. Each form is a small type with invariants of its own.

#pragma once

#include <variant>

#include "program/message_program.h"
#include "program/process_model.h"
#include "program/step_program.h"
#include "program/task_graph.h"
#include "program/thread_program.h"

namespace parcast {

// What explains a recording or was written down, a task graph, a model, ranks.
using Program = std::variant<ThreadProgram, TaskGraph, ProcessModel, StepProgram, MessageProgram>;

}  // namespace parcast
