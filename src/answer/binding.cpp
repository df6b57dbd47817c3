#include "answer/binding.h"

namespace parcast {

namespace {

enum class Effect : std::uint8_t { none, saves, costs, unknown };

Effect effect_of(double least, double most) {
    if (least > 0 && most >= least_gain_of_binding)
        return Effect::saves;
    if (most < 0 && least <= -least_gain_of_binding)
        return Effect::costs;
    bool const is_small = least > -least_gain_of_binding && most < least_gain_of_binding;
    return is_small ? Effect::none : Effect::unknown;
}

}  // namespace

std::string_view word_of(BindingVerdict verdict) {
    switch (verdict) {
        case BindingVerdict::confirmed: return "confirmed";
        case BindingVerdict::refuted: return "refuted";
        case BindingVerdict::open: return "open";
    }
    return "";
}

BindingVerdict binding_verdict(double predicted_gain, Spread const& measured_gain) {
    bool const is_small = predicted_gain < least_gain_of_binding && predicted_gain > -least_gain_of_binding;
    auto const predicted = is_small ? Effect::none : predicted_gain > 0 ? Effect::saves : Effect::costs;
    auto const measured = effect_of(measured_gain.least, measured_gain.most);
    if (measured == Effect::unknown)
        return BindingVerdict::open;
    return measured == predicted ? BindingVerdict::confirmed : BindingVerdict::refuted;
}

}  // namespace parcast
