#include "gguf/read_tensors.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <string_view>

#include "gguf/checked.h"
#include "gguf/utf8.h"

namespace armature::gguf {
namespace {

constexpr std::uint64_t kLongestName = 64;  // the format's text
constexpr std::uint32_t kMostDims = 4;      // the format's text

bool is_good_name(std::string_view name) {
  while (!name.empty()) {
    const Utf8Char c = decode_utf8(name);
    if (c.length == 0 || c.point < 0x20 || c.point == 0x7f) return false;
    name.remove_prefix(c.length);
  }
  return true;
}

std::string_view read_name(Cursor& in) {
  const std::uint64_t at = in.offset();
  const auto length = in.read<std::uint64_t>("the length of the name");
  if (length == 0 || length > kLongestName) {
    in.set_item_name(as_text(in.here(), std::min(length, in.left())));
    throw in.error(
        ErrorCode::bad_tensor_name, at,
        compose("a name of {} bytes with {} left; 1 to {} are allowed", length, in.left(), kLongestName));
  }
  in.need(length, "the name");
  const std::uint64_t name_at = in.offset();
  const std::string_view name = in.take(length);
  in.set_item_name(name);
  if (!is_good_name(name))
    throw in.error(ErrorCode::bad_tensor_name, name_at,
                   "the name has a control byte or is not UTF-8; neither is allowed");
  return name;
}

/// Reads n_dims and the dimensions; returns their product.
std::uint64_t read_shape(Cursor& in, TensorInfo& out) {
  const std::uint64_t rank_at = in.offset();
  out.n_dims = in.read<std::uint32_t>("the number of dimensions");
  if (out.n_dims < 1 || out.n_dims > kMostDims)
    throw in.error(ErrorCode::bad_rank, rank_at,
                   compose("{} dimensions; 1 to {} are allowed", out.n_dims, kMostDims));
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < out.n_dims; ++i) {  // innermost first in the file
    const std::uint64_t at = in.offset();
    const auto size = in.read<std::uint64_t>("a dimension");
    if (size == 0)
      throw in.error(ErrorCode::bad_dimension, at, compose("dimension {} is 0; at least 1 is needed", i));
    const auto product = mul(count, size);
    if (!product)
      throw in.error(ErrorCode::size_overflow, at,
                     compose("dimension {} is {}; the number of weights does not fit in 64 bits", i, size));
    count = *product;
    out.shape[out.n_dims - 1 - i] = size;
  }
  return count;
}

const TypeInfo& read_tensor_type(Cursor& in) {
  const std::uint64_t at = in.offset();
  const auto number = in.read<std::uint32_t>("the type");
  if (const TypeInfo* info = find_type(number)) return *info;
  const std::string_view removed = removed_type_name(number);
  const std::string problem = removed.empty()
                                  ? compose("type {} is unknown; types are numbered from 0 to 39", number)
                                  : compose("type {} ({}) is no longer part of the format", number, removed);
  throw in.error(ErrorCode::bad_tensor_type, at, problem);
}

/// Bytes of `count` weights in rows of cols(). Both they and their rounding up to the alignment must fit.
std::uint64_t data_size(const Cursor& in, const TensorInfo& tensor, const TypeInfo& type, std::uint64_t count,
                        std::uint64_t dims_at, std::uint64_t alignment) {
  if (tensor.cols() % type.block_size != 0)
    throw in.error(ErrorCode::bad_row, dims_at,
                   compose("rows of {} weights; {} has blocks of {} and rows are whole blocks", tensor.cols(),
                           type.name, type.block_size));
  const auto size = mul(count / type.block_size, type.block_bytes);
  if (!size || !round_up(*size, alignment))
    throw in.error(ErrorCode::size_overflow, dims_at,
                   compose("{} weights of type {}; their bytes do not fit in 64 bits", count, type.name));
  return *size;
}

TensorInfo read_tensor(Cursor& in, std::uint64_t alignment) {
  TensorInfo out{};
  out.info_offset = in.offset();
  out.name = read_name(in);
  const std::uint64_t dims_at = in.offset() + sizeof(out.n_dims);
  const std::uint64_t count = read_shape(in, out);
  const TypeInfo& type = read_tensor_type(in);
  out.type = type.type;
  out.offset = in.read<std::uint64_t>("the offset");
  out.size = data_size(in, out, type, count, dims_at, alignment);
  return out;
}

/// Passes up to n entries and tells how many were good; what ended it early is in `fault`.
std::uint64_t pass_tensors(Cursor& in, std::uint64_t n, std::uint64_t alignment, std::exception_ptr& fault) {
  std::uint64_t n_good = 0;
  try {
    for (; n_good < n; ++n_good) {
      in.set_item("tensor", n_good);
      read_tensor(in, alignment);
    }
  } catch (const Error&) {
    fault = std::current_exception();
  }
  return n_good;
}

/// The table, with what errors about an entry of it need.
struct Table {
  std::span<const TensorInfo> tensors;
  Cursor in;

  Error error(std::size_t i, ErrorCode code, std::uint64_t offset, std::string_view problem) {
    in.set_item("tensor", i);
    in.set_item_name(tensors[i].name);
    return in.error(code, offset, problem);
  }
  std::uint64_t name_at(std::size_t i) const { return tensors[i].info_offset + 8; }
  std::uint64_t offset_at(std::size_t i) const {
    return name_at(i) + tensors[i].name.size() + 4 + 8 * std::uint64_t{tensors[i].n_dims} + 4;
  }
};

/// Indices of the tensors, sorted.
template <class Less>
std::vector<std::uint32_t> sorted_indices(std::size_t n, Less less) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), less);
  return order;
}

// Sorted, not hashed: no choice of names makes it slow.
void check_names_differ(Table table) {
  const auto tensors = table.tensors;
  const auto order = sorted_indices(tensors.size(), [tensors](std::uint32_t a, std::uint32_t b) {
    const int names = tensors[a].name.compare(tensors[b].name);
    return names != 0 ? names < 0 : a < b;
  });
  const std::uint32_t* first = nullptr;  // of the pair whose second is the earliest in the table
  for (std::size_t i = 1; i < order.size(); ++i)
    if (tensors[order[i]].name == tensors[order[i - 1]].name && (first == nullptr || order[i] < first[1]))
      first = &order[i - 1];
  if (first == nullptr) return;
  throw table.error(first[1], ErrorCode::duplicate_tensor, table.name_at(first[1]),
                    compose("the same name as tensor {}; each may stand once", first[0]));
}

void check_aligned(Table table, std::uint64_t alignment) {
  for (std::size_t i = 0; i < table.tensors.size(); ++i)
    if (table.tensors[i].offset % alignment != 0)
      throw table.error(
          i, ErrorCode::misaligned, table.offset_at(i),
          compose("offset {}; a multiple of the alignment {} is needed", table.tensors[i].offset, alignment));
}

void check_inside(Table table, std::uint64_t data_start, std::uint64_t file_size) {
  const std::uint64_t room = file_size - std::min(data_start, file_size);
  for (std::size_t i = 0; i < table.tensors.size(); ++i) {
    const TensorInfo& tensor = table.tensors[i];
    if (tensor.offset <= room && tensor.size <= room - tensor.offset) continue;
    const auto start = add(data_start, tensor.offset);
    const auto end = start ? add(*start, tensor.size) : std::nullopt;
    throw table.error(
        i, ErrorCode::out_of_file, table.offset_at(i),
        compose("offset {} and {} bytes: the data ends at {}, the file at {}; incomplete download?",
                tensor.offset, tensor.size, end ? compose("{}", *end) : "2^64 or more", file_size));
  }
}

/// Returns the number of gaps between tensors that padding does not explain.
std::size_t check_apart(Table table, std::uint64_t alignment) {
  const auto tensors = table.tensors;
  const auto order = sorted_indices(tensors.size(), [tensors](std::uint32_t a, std::uint32_t b) {
    return tensors[a].offset != tensors[b].offset ? tensors[a].offset < tensors[b].offset : a < b;
  });
  std::size_t n_gaps = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const TensorInfo& before = tensors[order[i - 1]];
    const TensorInfo& after = tensors[order[i]];
    if (before.size > after.offset - before.offset)
      throw table.error(order[i], ErrorCode::overlap, table.offset_at(order[i]),
                        compose("offset {} lies in tensor {} {}, {} bytes from {}", after.offset,
                                order[i - 1], quote(before.name), before.size, before.offset));
    if (after.offset - before.offset - before.size >= alignment) ++n_gaps;
  }
  return n_gaps;
}

std::uint64_t end_of_data(std::span<const TensorInfo> tensors) {
  std::uint64_t end = 0;
  for (const TensorInfo& tensor : tensors) end = std::max(end, tensor.offset + tensor.size);
  return end;
}

}  // namespace

// Two walks, for the reason given at read_keys().
std::vector<TensorInfo> read_tensors(Cursor& in, std::uint64_t n, std::uint64_t alignment) {
  std::exception_ptr fault;
  Cursor again = in;
  std::vector<TensorInfo> tensors(pass_tensors(in, n, alignment, fault));
  for (TensorInfo& tensor : tensors) tensor = read_tensor(again, alignment);
  check_names_differ({tensors, in});
  if (fault) std::rethrow_exception(fault);
  return tensors;
}

std::vector<std::string> place_tensors(std::span<TensorInfo> tensors, const Cursor& in,
                                       std::uint64_t data_start, std::uint64_t alignment) {
  const Table table = {tensors, in};
  check_aligned(table, alignment);
  check_inside(table, data_start, in.size());
  const std::size_t n_gaps = check_apart(table, alignment);
  for (TensorInfo& tensor : tensors) {
    tensor.offset += data_start;
    tensor.data = in.at(tensor.offset);
  }
  std::vector<std::string> warnings;
  if (n_gaps > 0) warnings.push_back(compose("{} gaps between tensors hold bytes of no tensor", n_gaps));
  const std::uint64_t end = tensors.empty() ? data_start : end_of_data(tensors);
  if (end < in.size() && in.size() - end >= alignment)
    warnings.push_back(compose("{} bytes after the last tensor are not used", in.size() - end));
  return warnings;
}

}  // namespace armature::gguf
