// A process model as it is made: its expressions, processes and resources, each measured.

#pragma once

#include "pamela/lowering/expression_builder.h"
#include "pamela/lowering/process_store.h"
#include "pamela/lowering/resource_list.h"
#include "program/process_model.h"

namespace parcast::pamela {

struct ModelBuilder {
    ModelBuilder() = default;
    ModelBuilder(ModelBuilder const&) = delete;  // the parts below lend each other

    ProcessModel model;
    ExpressionBuilder expressions{model.expressions};
    ProcessStore processes{model.processes};
    ResourceList resources{expressions};
};

}  // namespace parcast::pamela
