// What the page of a message program can choose from: networks, and how ranks lie on nodes.

#pragma once

#include "core/result.h"
#include "forecast/forecast.h"
#include "report/json/view_json.h"
#include "view/message_program.h"

namespace parcast::pages {

// The setting of the command line. REQUIRES of both: a forecast of steps or messages.
Result<view::MessageSetting> given_setting(forecast::Forecast const& forecast);

// Names, networks and what they are called. `lanes`: a lane for each CPU of each rank.
report::MessagesInPage messages_in_page(forecast::Forecast const& forecast);

// What the page replays: steps overlap in it. Errors: inconsistent (more ranks than a page has lanes for).
Result<void> prepare_messages(forecast::Forecast& forecast);

}  // namespace parcast::pages
