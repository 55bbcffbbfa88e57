# cmake -DCOMMANDS=compile_commands.json -P no_native_flags.cmake
# A program must start on every CPU of its architecture, and a cross build must not look at the host: no compile command
# may tune for the machine that it runs on.
file(READ ${COMMANDS} commands)
if(NOT commands MATCHES "armature")
  message(FATAL_ERROR "${COMMANDS} holds no compile commands of ours")
endif()
string(REGEX MATCH "-m(arch|cpu|tune)=native" found "${commands}")
if(found)
  message(FATAL_ERROR "${COMMANDS}: ${found}")
endif()
