#pragma once

#include <string>
#include <string_view>

#include "gguf/error.h"
#include "tests/support/gguf_values.h"

/// What `armature run` makes of a model file that the tests of the library look at too. These checks do
/// nothing under emulation, where starting a process takes seconds.
namespace armature::test {

/// Fails unless the program refuses the file: status 1, nothing on standard output, and one error, that of
/// the library but for the name of the file.
void expect_run_refuses(const Bytes& file, const Error& error);
/// The same of the file at a path, which is the one that the library was given.
void expect_run_refuses(const std::string& path, const Error& error);
/// The same where the error is known only in part.
void expect_run_refuses(const Bytes& file, std::string_view part);

/// Fails unless the program accepts the file, whatever it answers.
void expect_run_answers(const Bytes& file);
/// Fails unless the program answers as it does with the good file, TinyModel().
void expect_run_answers_as_good(const Bytes& file);
void expect_run_answers_as_good(const std::string& path);
/// Fails unless the program answers as it does with another file.
void expect_run_answers_alike(const Bytes& file, const Bytes& other);

}  // namespace armature::test
