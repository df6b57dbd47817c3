#include "report/model_prediction.h"

namespace parcast::report {

double swept_value(ModelPrediction const& prediction, std::size_t point, std::size_t parameter) {
    std::size_t stride = 1;
    for (std::size_t later = parameter + 1; later < prediction.swept.size(); ++later)
        stride *= prediction.swept[later].values.size();
    auto const& values = prediction.swept[parameter].values;
    return values[point / stride % values.size()];
}

}  // namespace parcast::report
