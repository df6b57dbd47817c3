#include "answer/estimate.h"

namespace parcast {

double swept_value(ModelBasis const& model, std::size_t point, std::size_t parameter) {
    std::size_t stride = 1;
    for (std::size_t later = parameter + 1; later < model.swept.size(); ++later)
        stride *= model.swept[later].values.size();
    auto const& values = model.swept[parameter].values;
    return values[point / stride % values.size()];
}

}  // namespace parcast
