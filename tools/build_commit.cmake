# Writes OUT, a header that names the commit of SOURCE, unless it is there with the same contents.
# cmake -DSOURCE=folder -DOUT=file -P build_commit.cmake
set(commit "unknown")
set(number 0)
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=9 HEAD
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-list --count HEAD
                  OUTPUT_VARIABLE count OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE uncounted)
  if(NOT failed AND NOT uncounted)
    set(commit ${found})
    set(number ${count})
  endif()
endif()
set(text "#define ARMATURE_BUILD_COMMIT \"${commit}\"\n#define ARMATURE_BUILD_NUMBER ${number}\n")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUT} "${text}")
endif()
