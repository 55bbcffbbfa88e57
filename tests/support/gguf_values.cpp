#include "tests/support/gguf_values.h"

namespace armature::test {

void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

Bytes string_value(std::string_view text) {
  Bytes out = to_bytes<std::uint64_t>(text.size());
  append(out, to_bytes(std::span<const char>(text)));
  return out;
}

Bytes array_value(std::uint32_t element, std::uint64_t count, const Bytes& elements) {
  Bytes out = to_bytes(element);
  append(out, to_bytes(count));
  append(out, elements);
  return out;
}

}  // namespace armature::test
