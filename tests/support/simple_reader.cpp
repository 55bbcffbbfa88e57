#include "tests/support/simple_reader.h"

#include <map>
#include <stdexcept>

namespace armature::test {
namespace {

__extension__ using Wide = unsigned __int128;

struct Refused {
  std::string why;
};

void require(bool condition, const char* why) {
  if (!condition) throw Refused{why};
}

enum Type : std::uint32_t { kF32 = 6, kBool = 7, kString = 8, kArray = 9, kF64 = 12 };
constexpr std::uint64_t kValueSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

struct BlockSize {
  std::uint64_t weights, bytes;
};
const std::map<std::uint32_t, BlockSize> kBlocks = {
    {0, {1, 4}},      {1, {1, 2}},      {2, {32, 18}},   {3, {32, 20}},    {6, {32, 22}},    {7, {32, 24}},
    {8, {32, 34}},    {9, {32, 36}},    {10, {256, 84}}, {11, {256, 110}}, {12, {256, 144}}, {13, {256, 176}},
    {14, {256, 210}}, {15, {256, 292}}, {16, {256, 66}}, {17, {256, 74}},  {18, {256, 98}},  {19, {256, 50}},
    {20, {32, 18}},   {21, {256, 110}}, {22, {256, 82}}, {23, {256, 136}}, {24, {1, 1}},     {25, {1, 2}},
    {26, {1, 4}},     {27, {1, 8}},     {28, {1, 8}},    {29, {256, 56}},  {30, {1, 2}},     {34, {256, 54}},
    {35, {256, 66}},  {39, {32, 17}}};

/// Whether writing the characters of a text again, each in its shortest form, gives the same bytes.
bool is_utf8_without_controls(const std::string& text) {
  std::string again;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    unsigned point = more == 0 ? lead : lead & (0x3fu >> more);
    for (int k = 0; k < more && i < text.size(); ++k)
      point = point * 64 + (static_cast<unsigned char>(text[i++]) & 0x3f);
    if (point < 0x20 || point == 0x7f || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
      return false;
    const auto put = [&again](unsigned byte) { again += static_cast<char>(byte); };
    if (point < 0x80) {
      put(point);
    } else if (point < 0x800) {
      put(0xc0 | point >> 6), put(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      put(0xe0 | point >> 12), put(0x80 | (point >> 6 & 0x3f)), put(0x80 | (point & 0x3f));
    } else {
      put(0xf0 | point >> 18), put(0x80 | (point >> 12 & 0x3f));
      put(0x80 | (point >> 6 & 0x3f)), put(0x80 | (point & 0x3f));
    }
  }
  return again == text;
}

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, SimpleFile& out) : bytes_(bytes), out_(out) {}

  void read() {
    item_ = "header";
    require(number(4, "magic") == 0x46554747, "magic");
    const std::uint64_t version = number(4, "version");
    require(version == 2 || version == 3, "version");
    const std::uint64_t n_tensors = number(8, "n_tensors");
    const std::uint64_t n_keys = number(8, "n_keys");
    const std::uint64_t left = bytes_.size() - at_;
    require(Wide{n_tensors} * 25 <= left && Wide{n_keys} * 14 <= left, "counts");
    for (std::uint64_t i = 0; i < n_keys; ++i) read_key(i);
    read_alignment();
    for (std::uint64_t i = 0; i < n_tensors; ++i) read_tensor(i);
    out_.metadata_size = at_;
    place_tensors();
  }

 private:
  std::uint64_t number(std::uint64_t size, const char* part) {
    require(size <= bytes_.size() - at_, "the end of the file");
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size; ++i)
      value |= std::to_integer<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
    out_.fields.push_back({item_, part, at_, size, false});
    at_ += size;
    return value;
  }

  std::string text(std::uint64_t size, const char* part) {
    require(size <= bytes_.size() - at_, "the end of the file");
    std::string value;
    for (std::uint64_t i = 0; i < size; ++i) value += static_cast<char>(bytes_[at_ + i]);
    out_.fields.push_back({item_, part, at_, size, true});
    at_ += size;
    return value;
  }

  void read_key(std::uint64_t index) {
    item_ = "key " + std::to_string(index);
    SimpleFile::Key key{};
    const std::uint64_t length = number(8, "length");
    require(length >= 1 && length <= 65535, "length of the key");
    key.name = text(length, "name");
    for (char c : key.name) require(c > 0x20 && c < 0x7f, "letters of the key");
    key.type = key.element = static_cast<std::uint32_t>(number(4, "type"));
    require(key.type <= kF64, "value type");
    key.value_offset = key.first_offset = at_;
    key.count = 1;
    if (key.type == kString) {
      key.count = number(8, "value length");
      key.first_offset = at_;
      text(key.count, "value");
    } else if (key.type == kArray) {
      key.element = static_cast<std::uint32_t>(number(4, "element type"));
      key.count = number(8, "count");
      key.first_offset = at_;
      read_elements(key.element, key.count, 1);
    } else {
      read_scalar(key.type);
    }
    for (const auto& other : out_.keys) require(other.name != key.name, "a key twice");
    out_.keys.push_back(key);
  }

  void read_scalar(std::uint32_t type) {
    const std::uint64_t value = number(kValueSizes[type], "value");
    if (type == kBool) require(value <= 1, "bool");
  }

  void read_elements(std::uint32_t type, std::uint64_t count, int depth) {
    require(depth <= 4, "depth");
    require(type <= kF64, "element type");
    const std::uint64_t smallest = type == kString ? 8 : type == kArray ? 12 : kValueSizes[type];
    require(Wide{count} * smallest <= bytes_.size() - at_, "count of the array");
    for (std::uint64_t i = 0; i < count; ++i) {
      if (type == kString) {
        text(number(8, "value length"), "value");
      } else if (type == kArray) {
        require(depth < 4, "depth");
        const auto inner = static_cast<std::uint32_t>(number(4, "element type"));
        read_elements(inner, number(8, "count"), depth + 1);
      } else {
        read_scalar(type);
      }
    }
  }

  void read_alignment() {
    for (const auto& key : out_.keys) {
      if (key.name != "general.alignment") continue;
      require(key.type < kF32 || key.type == 10 || key.type == 11, "type of the alignment");
      out_.alignment = 0;
      const std::uint64_t size = kValueSizes[key.type];
      for (std::uint64_t i = 0; i < size; ++i)
        out_.alignment |= std::to_integer<std::uint64_t>(bytes_[key.value_offset + i]) << (8 * i);
      const bool is_signed = key.type % 2 == 1;
      require(!is_signed || out_.alignment >> (8 * size - 1) == 0, "negative alignment");
    }
    bool is_power = false;
    for (std::uint64_t power = 1; power <= 1 << 20; power *= 2) is_power |= out_.alignment == power;
    require(is_power, "alignment");
  }

  void read_tensor(std::uint64_t index) {
    item_ = "tensor " + std::to_string(index);
    SimpleFile::Tensor tensor{};
    const std::uint64_t length = number(8, "length");
    require(length >= 1 && length <= 64, "length of the name");
    tensor.name = text(length, "name");
    require(is_utf8_without_controls(tensor.name), "letters of the name");
    const std::uint64_t n_dims = number(4, "n_dims");
    require(n_dims >= 1 && n_dims <= 4, "rank");
    Wide weights = 1;
    const char* parts[] = {"dim 0", "dim 1", "dim 2", "dim 3"};
    for (std::uint64_t i = 0; i < n_dims; ++i) {
      tensor.shape.insert(tensor.shape.begin(), number(8, parts[i]));
      require(tensor.shape.front() != 0, "dimension");
      weights *= tensor.shape.front();
      require(weights >> 64 == 0, "number of weights");
    }
    tensor.type = static_cast<std::uint32_t>(number(4, "type"));
    require(kBlocks.count(tensor.type) == 1, "tensor type");
    tensor.offset = number(8, "offset");
    const BlockSize block = kBlocks.at(tensor.type);
    require(tensor.shape.back() % block.weights == 0, "row");
    const Wide size = weights / block.weights * block.bytes;
    require((size + out_.alignment - 1) >> 64 == 0, "size of the tensor");
    tensor.size = static_cast<std::uint64_t>(size);
    for (const auto& other : out_.tensors) require(other.name != tensor.name, "a tensor twice");
    out_.tensors.push_back(tensor);
  }

  void place_tensors() {
    const Wide start = (Wide{at_} + out_.alignment - 1) / out_.alignment * out_.alignment;
    for (auto& tensor : out_.tensors) {
      require(tensor.offset % out_.alignment == 0, "alignment of a tensor");
      require(start + tensor.offset + tensor.size <= bytes_.size(), "end of a tensor");
      tensor.offset = static_cast<std::uint64_t>(start + tensor.offset);
    }
    for (const auto& a : out_.tensors)
      for (const auto& b : out_.tensors)
        require(&a == &b || a.offset >= b.offset + b.size || b.offset >= a.offset + a.size, "overlap");
  }

  std::span<const std::byte> bytes_;
  SimpleFile& out_;
  std::uint64_t at_ = 0;
  std::string item_;
};

}  // namespace

const SimpleFile::Field& SimpleFile::field(const std::string& item, const std::string& part) const {
  for (const Field& field : fields)
    if (field.item == item && field.part == part) return field;
  throw std::logic_error("no field " + item + ", " + part);
}

SimpleFile simple_read(std::span<const std::byte> bytes) {
  SimpleFile out;
  try {
    Reader(bytes, out).read();
  } catch (const Refused& refused) {
    out.refusal = refused.why;
  }
  return out;
}

}  // namespace armature::test
