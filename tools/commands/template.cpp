#include "tools/commands/template.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/chat/end_tokens.h"
#include "engine/chat/template.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/fixed_clock.h"
#include "tools/answer/json_value.h"
#include "tools/answer/prompt_source.h"
#include "tools/answer/template_source.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

void check_command_line(const Arguments& args) {
  if (!args.words().empty())
    throw UsageError(compose("the command takes no words, found {}", quote(args.words().front())));
  if (args.text(Option::ChatTemplateFile) == "-" && args.text(Option::Messages) == "-")
    throw UsageError("--template and --messages cannot both be standard input");
  if (!args.is_given(Option::Messages) && args.is_given(Option::SetVariable))
    write_stderr_line("note: ", "--set has no effect without --messages");
}

/// The template, and the text model where the variables come from one.
struct Subject {
  TemplateSource source;
  std::optional<TextModel> model;
};

TemplateSource require_template(const gguf::Metadata& metadata, const Arguments& args) {
  if (auto source = find_template(metadata, args)) return *std::move(source);
  throw Error(ErrorCode::bad_template, {metadata.file(), {}, {}}, "no chat template in the file");
}

Subject find_subject(const Arguments& args) {
  auto given = template_given(args);
  const bool renders = args.is_given(Option::Messages);
  const bool model_is_meant = args.is_given(Option::Model) && !args.is_from_environment(Option::Model);
  if (given && !(renders && model_is_meant)) return {*std::move(given), std::nullopt};
  if (!renders) return {require_template(open_model_files(args).metadata(), args), std::nullopt};
  auto model = load_text_model(args);
  TemplateSource source = given ? *std::move(given) : require_template(model.files.metadata(), args);
  return {std::move(source), std::move(model)};
}

chat::Value read_messages(const std::string& path) {
  const std::string name = name_of_input(path);
  chat::Value messages = parse_json_value(read_text_file(path), name);
  if (!messages.as_list())
    throw Error(ErrorCode::bad_argument, {name, {}, {}},
                compose("{}; a list of messages is needed", messages.kind()));
  const auto& items = messages.as_list()->items();
  const auto odd = std::find_if(items.begin(), items.end(), [](const auto& item) { return !item.as_dict(); });
  if (odd != items.end()) {
    throw Error(ErrorCode::bad_argument, {name, {}, {}},
                compose("message {} is {}; an object with role and content is needed",
                        odd - items.begin() + 1, odd->kind()));
  }
  return messages;
}

/// Sets what NAME=JSON says.
void set_variable(chat::RenderInputs& inputs, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw UsageError(compose("--set: value {}; allowed: NAME=JSON", quote(assignment)));
  const std::string name(assignment.substr(0, equals));
  if (name == "messages") throw UsageError("--set: 'messages' is what --messages gives");
  try {
    inputs.variables.insert_or_assign(name, parse_json_value(assignment.substr(equals + 1), {}));
  } catch (const Error& error) {
    throw UsageError(compose("--set {}: {} (a text stands in double quotes)", quote(name), error.what()));
  }
}

chat::RenderInputs render_inputs(const Arguments& args, const Subject& subject) {
  chat::RenderInputs inputs;
  if (subject.model) {
    inputs.add_generation_prompt = false;
    chat::set_token_variables(inputs, *subject.model->tokenizer);
  }
  inputs.now = fixed_time(args);
  for (const std::string& assignment : args.all(Option::SetVariable)) set_variable(inputs, assignment);
  inputs.variables.insert_or_assign("messages", read_messages(std::string(args.text(Option::Messages))));
  return inputs;
}

std::string rendered(const TemplateSource& source, const chat::RenderInputs& inputs) {
  try {
    return chat::Template::parse(source.text).render(inputs).text;
  } catch (const Error& error) {
    throw Error(error.code(), {source.file, {}, {}}, error.what());
  }
}

}  // namespace

int show_template(const Arguments& args, std::chrono::steady_clock::time_point) {
  check_command_line(args);
  const Subject subject = find_subject(args);
  std::string text = subject.source.text;
  if (args.is_given(Option::Messages)) text = rendered(subject.source, render_inputs(args, subject));
  if (interrupted()) return kInterruptedStatus;
  write_stdout(text);
  return 0;
}

}  // namespace armature::tools
