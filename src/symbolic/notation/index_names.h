// Names of indices in a text in which loops are within each other: those around each other and parameters all
// have names of their own.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "symbolic/expression.h"

namespace parcast::symbolic {

class IndexNames {
public:
    explicit IndexNames(ExpressionPool const& pool) : pool_(pool) {}

    // From here on an index is named: its name in the text. Until close().
    std::string open(IndexId index) {
        auto const& wanted = pool_.name(index);
        auto name = wanted;
        for (int number = 2; is_taken(name); ++number)
            name = wanted + "_" + std::to_string(number);
        open_.emplace_back(index, name);
        return name;
    }

    void close() { open_.pop_back(); }

    // An index of no loop around keeps its name.
    std::string const& of(IndexId index) const {
        for (auto known = open_.rbegin(); known != open_.rend(); ++known)
            if (known->first == index)
                return known->second;
        return pool_.name(index);
    }

private:
    bool is_taken(std::string const& name) const {
        for (auto const& [index, known] : open_)
            if (known == name)
                return true;
        return pool_.has_parameter(name);
    }

    ExpressionPool const& pool_;
    std::vector<std::pair<IndexId, std::string>> open_;
};

}  // namespace parcast::symbolic
