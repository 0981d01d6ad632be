# Included by ctest: adds each suite of a GoogleTest executable as the test NAME.Suite. A process for each case would take half
# of the processor time of the small ones. Wants NAME, EXECUTABLE (a path), FOLDER (where the tests run) and LABELS.
# Must never add a suite that the executable no longer has: the list is made anew whenever the executable is.
set(list ${EXECUTABLE}_suites.txt)
if(NOT EXISTS ${EXECUTABLE})
  add_test(${NAME}_NOT_BUILT ${NAME}_NOT_BUILT)
  return()
endif()
if(NOT EXISTS ${list} OR ${EXECUTABLE} IS_NEWER_THAN ${list})
  execute_process(
    COMMAND ${EXECUTABLE} --gtest_list_tests
    WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE output
    RESULT_VARIABLE result
    TIMEOUT 60)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${EXECUTABLE} --gtest_list_tests: ${result}\n${output}")
  endif()
  file(WRITE ${list} "${output}")
endif()
file(STRINGS ${list} suites REGEX "^[^ ]+\\.( |$)")  # a case is indented, and the line of main() has other words
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "\\..*" "" suite "${suite}")
  add_test(${NAME}.${suite} ${EXECUTABLE} --gtest_filter=${suite}.*)
  set_tests_properties(${NAME}.${suite} PROPERTIES WORKING_DIRECTORY ${FOLDER} LABELS "${LABELS}" TIMEOUT 1800)
endforeach()
