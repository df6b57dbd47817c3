#include "pamela/sampled_law.h"

#include <array>
#include <cmath>
#include <string>

#include "core/counted.h"
#include "core/three_digits.h"
#include "pamela/empirical.h"

namespace parcast::pamela {

using symbolic::Expression;

namespace {

std::string with_errors(SampleMoments const& found) {
    auto const& m = found.moments;
    auto const& e = found.standard_errors;
    auto const one = [](char const* what, double value, double error) {
        return std::string(what) + " " + three_digits(value) + " +- " + three_digits(error);
    };
    return one("mean", m.mean, e.mean) + ", " + one("variance", m.variance, e.variance) + ", " +
           one("skewness", m.skewness, e.skewness) + ", " + one("kurtosis", m.kurtosis, e.kurtosis) +
           " (standard errors)";
}

bool are_finite(SampleMoments const& found) {
    for (auto const& each : {found.moments, found.standard_errors})
        if (!std::isfinite(each.mean + each.variance + each.skewness + each.kurtosis))
            return false;
    return true;
}

Result<std::vector<double>> samples_of(std::string const& name, ReadFile const& read_file) {
    auto const text = read_file(name);
    if (!text)
        return pass_on(text);
    auto samples = samples_in(*text, name);
    if (!samples)
        return fail(samples.error().code, parcast::describe(samples.error()));
    return samples;
}

}  // namespace

std::optional<Expression> sampled_law(SyntaxNode const& call, SyntaxNode const& file,
                                      ReadFile const& read_file, ExpressionBuilder& builder,
                                      DiagnosticList& diagnostics) {
    if (file.kind != SyntaxKind::text) {
        if (file.kind != SyntaxKind::unreadable)
            diagnostics.error(file.extent, "expected the name of a file of samples",
                              "it stands in quotation marks: empirical(\"times.txt\")");
        return std::nullopt;
    }
    auto const samples = samples_of(file.word, read_file);
    if (!samples) {
        diagnostics.error(file.extent, samples.error().message);
        return std::nullopt;
    }
    auto const found = moments_of_samples(*samples);
    if (!are_finite(found)) {
        diagnostics.error(file.extent, "the samples are too far apart for their moments to be computed");
        return std::nullopt;
    }
    diagnostics.note(call.extent,
                     counted(static_cast<std::int64_t>(found.samples), "sample") + ": " + with_errors(found));
    auto const& m = found.moments;
    if (m.variance == 0)
        return builder.number(m.mean);
    return builder.make(symbolic::ExpressionKind::moments,
                        {builder.number(m.mean), builder.number(m.variance), builder.number(m.skewness),
                         builder.number(m.kurtosis)});
}

}  // namespace parcast::pamela
