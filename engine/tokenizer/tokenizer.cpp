#include "engine/tokenizer/tokenizer.h"

#include <algorithm>

#include "engine/tokenizer/bpe.h"
#include "engine/tokenizer/fragment_encoder.h"
#include "engine/tokenizer/pre_rules.h"
#include "engine/tokenizer/special_matcher.h"
#include "engine/tokenizer/spm.h"
#include "engine/tokenizer/vocabulary.h"

namespace armature {

namespace {

constexpr std::string_view kModelKey = "tokenizer.ggml.model";
constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
constexpr std::string_view kAddBosKey = "tokenizer.ggml.add_bos_token";
constexpr std::string_view kAddEosKey = "tokenizer.ggml.add_eos_token";

enum class Kind { bpe, spm };

Kind read_kind(const gguf::Metadata& metadata) {
  const std::string_view model = metadata.require_string(kModelKey);
  if (model == "gpt2") return Kind::bpe;
  if (model == "llama") return Kind::spm;
  throw metadata.error(ErrorCode::unknown_tokenizer, kModelKey,
                       quote(model) + "; supported are 'gpt2' and 'llama'");
}

const PreRule& read_pre_rule(const gguf::Metadata& metadata) {
  const auto name = metadata.find_string(kPreKey);
  const PreRule* rule = name ? find_pre_rule(*name) : nullptr;
  if (rule != nullptr) return *rule;
  throw metadata.error(
      ErrorCode::unknown_pre_tokenizer, kPreKey,
      (name ? quote(*name) + " is not known"
            : std::string("missing; without it text cannot be cut as in training")) +
          "; choose one with --override-kv tokenizer.ggml.pre=str:NAME, where NAME is one of " +
          known_pre_names());
}

/// Where `tokenizer.ggml.add_bos_token` is absent.
bool adds_bos_by_default(const gguf::Metadata& metadata, Kind kind) {
  return kind == Kind::spm || read_pre_rule(metadata).traits.add_bos_if_key_is_absent;
}

std::unique_ptr<const FragmentEncoder> make_encoder(const gguf::Metadata& metadata, Kind kind,
                                                    const Vocabulary& vocabulary,
                                                    std::vector<std::string>& warnings) {
  if (kind == Kind::spm) return std::make_unique<Spm>(vocabulary, metadata);
  return std::make_unique<Bpe>(vocabulary, metadata, read_pre_rule(metadata), warnings);
}

bool is_phi3(const gguf::Metadata& metadata) {
  const gguf::KeyValue* name = metadata.find("general.name");
  if (name == nullptr || name->type != gguf::ValueType::String) return false;
  std::string lower(*metadata.find_string("general.name"));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower.find("phi-3") != lower.npos || lower.find("phi3") != lower.npos;
}

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Types that are cut out of the text as they are spelled.
bool is_special(TokenType type) {
  return type == TokenType::control || type == TokenType::unknown || type == TokenType::user_defined;
}

/// Goes through a text from front to back and says how long a control token may be at each place.
class ControlLimit {
 public:
  explicit ControlLimit(const EncodeOptions& options)
      : parse_special_(options.parse_special), literal_(options.literal) {}

  std::size_t at(std::size_t position) {
    if (!parse_special_) return 0;
    const auto is_past = [&] {
      return literal_.front().end <= position || literal_.front().begin >= literal_.front().end;
    };
    while (!literal_.empty() && is_past()) literal_ = literal_.subspan(1);
    if (literal_.empty()) return SIZE_MAX;
    return literal_.front().begin > position ? literal_.front().begin - position : 0;
  }

 private:
  bool parse_special_;
  std::span<const ByteRange> literal_;
};

}  // namespace

std::unique_ptr<const Tokenizer> Tokenizer::from(const gguf::Metadata& metadata) {
  return std::unique_ptr<const Tokenizer>(new Tokenizer(metadata));
}

Tokenizer::Tokenizer(const gguf::Metadata& metadata) {
  const Kind kind = read_kind(metadata);
  vocabulary_ = std::make_unique<const Vocabulary>(metadata);
  warnings_.assign(vocabulary_->warnings().begin(), vocabulary_->warnings().end());
  encoder_ = make_encoder(metadata, kind, *vocabulary_, warnings_);
  specials_ = std::make_unique<const SpecialMatcher>(*vocabulary_, is_phi3(metadata));
  const auto wants_bos = metadata.find_bool(kAddBosKey);
  const auto wants_eos = metadata.find_bool(kAddEosKey);
  add_bos_ = bos() && (wants_bos ? *wants_bos : adds_bos_by_default(metadata, kind));
  add_eos_ = eos() && wants_eos.value_or(false);
  expects_nfc_ = kind == Kind::bpe && read_pre_rule(metadata).traits.expects_nfc;
  if (wants_bos.value_or(false) && !bos())
    warnings_.push_back("a BOS token is to be added, but there is none");
  if (wants_eos.value_or(false) && !eos())
    warnings_.push_back("an EOS token is to be added, but there is none");
}

Tokenizer::~Tokenizer() = default;

std::size_t Tokenizer::n_vocab() const { return vocabulary_->size(); }
std::optional<TokenId> Tokenizer::bos() const { return vocabulary_->bos; }
std::optional<TokenId> Tokenizer::eos() const { return vocabulary_->eos; }
std::optional<TokenId> Tokenizer::eot() const { return vocabulary_->eot; }
std::optional<TokenId> Tokenizer::eom() const { return vocabulary_->eom; }
std::optional<TokenId> Tokenizer::unk() const { return vocabulary_->unk; }
std::optional<TokenId> Tokenizer::pad() const { return vocabulary_->pad; }
bool Tokenizer::is_end_of_generation(TokenId id) const { return vocabulary_->is_end_of_generation(id); }
TokenType Tokenizer::type(TokenId id) const { return vocabulary_->type(id); }
std::string_view Tokenizer::spelling(TokenId id) const { return vocabulary_->spelling(id); }

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options,
                                       EncodeLosses& losses) const {
  if (text.size() > kMaxTextBytes) {
    throw Error(ErrorCode::bad_argument, "text of " + std::to_string(text.size()) + " bytes; at most " +
                                             std::to_string(kMaxTextBytes) + " are possible");
  }
  std::vector<TokenId> ids;
  if (options.add_special && add_bos_) ids.push_back(*bos());
  const auto encode_fragment = [&](std::size_t begin, std::size_t end) {
    const bool continues = begin == 0 && options.continues;
    if (begin < end) encoder_->encode(text.substr(begin, end - begin), continues, ids, losses);
  };
  ControlLimit control_limit(options);
  std::size_t begin = 0;  // of the fragment in progress
  for (std::size_t at = 0; at < text.size();) {
    const auto match = specials_->match_front(text.substr(at), control_limit.at(at));
    if (!match) {
      ++at;
      continue;
    }
    encode_fragment(begin, at);
    ids.push_back(match->id);
    at += match->length;
    while (match->swallows_space && at < text.size() && is_ascii_space(text[at])) ++at;
    begin = at;
  }
  encode_fragment(begin, text.size());
  if (options.add_special && add_eos_) ids.push_back(*eos());
  return ids;
}

void Tokenizer::append_piece(std::string& out, TokenId id, bool show_control) const {
  if (!vocabulary_->contains(id)) return;
  switch (type(id)) {
    case TokenType::control:
    case TokenType::unknown:
      if (show_control) out.append(spelling(id));
      return;
    case TokenType::user_defined:
      out.append(spelling(id));
      return;
    case TokenType::byte:
      out += static_cast<char>(vocabulary_->byte_of(id));
      return;
    case TokenType::normal:
    case TokenType::unused:
      encoder_->append_text(out, spelling(id));
      return;
  }
}

std::string Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  const bool strip = options.strip_leading_space && encoder_->adds_space();
  std::string text;
  bool fragment_begins = true;
  for (const TokenId id : ids) {
    if (!vocabulary_->contains(id)) continue;
    const std::size_t begin = text.size();
    append_piece(text, id, options.show_control);
    const bool special = is_special(type(id));
    if (strip && fragment_begins && !special && text.size() > begin && text[begin] == ' ')
      text.erase(begin, 1);
    fragment_begins = special;
  }
  return text;
}

}  // namespace armature
