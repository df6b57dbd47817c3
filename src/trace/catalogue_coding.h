// The catalogue and the provenance of a recording as bytes (grammar: docs/formats/trace.md). Readers
// return what they could and leave the error in the ByteReader.

#pragma once

#include "core/catalogue.h"
#include "timeline/provenance.h"
#include "trace/byte_stream.h"

namespace parcast::trace {

void write_catalogue(Catalogue const& catalogue, ByteWriter& writer);
Catalogue read_catalogue(ByteReader& reader, unsigned version);

void write_provenance(Provenance const& provenance, ByteWriter& writer);
Provenance read_provenance(ByteReader& reader, unsigned version);

}  // namespace parcast::trace
