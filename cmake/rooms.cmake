# parcast_room(NAME [USES rooms...] [LINKS targets...]): a room without a .cpp is header only.
# Sources are found by pattern, so a new file needs no line here. Rooms of the module in a report (web/module)
# compile without exceptions and type information; check_rooms.py keeps threads, files and streams out of them.

include(cmake/unity.cmake)
include(GNUInstallDirs)

set(parcast_warnings -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough)
set(parcast_portable_rooms core program machine timeline semantics simulate answer analysis view)

# At -O3 GCC 12 warns of overlaps (GCC bug 105651) and of uninitialised members in std::string that cannot happen; at the -O1 of
# the dev preset, where warnings are errors, both warnings are on. Sources compiled at once shadow names of each other.
list(APPEND parcast_warnings $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict$<SEMICOLON>-Wno-maybe-uninitialized>)
if(PARCAST_UNITY)
  list(APPEND parcast_warnings -Wno-shadow -Wshadow=local)
endif()

function(parcast_compile_options target)
  target_compile_options(${target} PRIVATE ${parcast_warnings})
  if(PARCAST_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PARCAST_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PARCAST_SANITIZE} -fno-omit-frame-pointer)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
    target_link_options(${target} PRIVATE -fsanitize=${PARCAST_SANITIZE})
  endif()
  if(PARCAST_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# parcast_test(NAME sources... LINKS targets...): a GoogleTest program, each of its cases a ctest.
function(parcast_test name)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  parcast_compile_options(${name})
  parcast_unity(${name} ${CMAKE_CURRENT_SOURCE_DIR} ${arg_UNPARSED_ARGUMENTS})
  gtest_discover_tests(${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
endfunction()

# parcast_fuzz(SOURCE LIBRARY): the fuzz target of NAME_fuzz.cpp for libFuzzer, run by `./dev fuzz`; in test
# builds a test that feeds it the inputs kept in tests/fuzz/NAME_fuzz/.
function(parcast_fuzz source library)
  get_filename_component(name ${source} NAME_WE)
  if(PARCAST_FUZZERS)
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    add_dependencies(fuzzers ${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${library})
    parcast_compile_options(${name})
  endif()
  set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/${name})
  if(PARCAST_TESTS AND EXISTS ${corpus})
    add_executable(${name}_corpus ${source} ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cpp)
    target_include_directories(${name}_corpus PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name}_corpus PRIVATE ${library})
    parcast_compile_options(${name}_corpus)
    add_test(NAME fuzz_corpus.${name} COMMAND ${name}_corpus ${corpus})
    set_tests_properties(fuzz_corpus.${name} PROPERTIES TIMEOUT 60)
  endif()
endfunction()

function(parcast_room name)
  cmake_parse_arguments(arg "" "" "USES;LINKS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  list(TRANSFORM arg_USES PREPEND parcast_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz|bench)\\.cpp$")
  if(NOT sources)
    add_library(parcast_${name} INTERFACE)
    target_include_directories(parcast_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(parcast_${name} INTERFACE ${arg_USES})
  else()
    add_library(parcast_${name} STATIC ${sources})
    target_include_directories(parcast_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(parcast_${name} PUBLIC ${arg_USES} PRIVATE ${arg_LINKS})
    parcast_compile_options(parcast_${name})
    parcast_unity(parcast_${name} ${folder} ${sources})
    if(name IN_LIST parcast_portable_rooms)
      target_compile_options(parcast_${name} PRIVATE -fno-exceptions -fno-rtti)
    endif()
  endif()
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(PARCAST_TESTS AND tests)
    parcast_test(${name}_test ${tests} LINKS parcast_${name})
  endif()
  file(GLOB_RECURSE fuzz_targets CONFIGURE_DEPENDS ${folder}/*_fuzz.cpp)
  foreach(source IN LISTS fuzz_targets)
    parcast_fuzz(${source} parcast_${name})
  endforeach()
endfunction()

# A library is linked beside its place and takes it at once: a program that has it loaded keeps the old file, and one that
# starts meanwhile never loads half a file.
set(CMAKE_C_CREATE_SHARED_MODULE
  "<CMAKE_C_COMPILER> <CMAKE_SHARED_MODULE_C_FLAGS> <LANGUAGE_COMPILE_FLAGS> <LINK_FLAGS> <CMAKE_SHARED_MODULE_CREATE_C_FLAGS> -o <TARGET>.new <OBJECTS> <LINK_LIBRARIES>"
  "<CMAKE_COMMAND> -E rename <TARGET>.new <TARGET>")

# parcast_preloaded(TARGET): a module that ld.so loads into host programs. It depends on libc alone.
function(parcast_preloaded target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE ${parcast_warnings}
    -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden -ftls-model=initial-exec
    # The host unwinds through our frames when it cancels a thread or throws out of a std::call_once routine.
    -fasynchronous-unwind-tables
    # Real<decltype(function)> drops the attributes (nonnull) of libc's declarations, as it should.
    -Wno-ignored-attributes
    # libc declares arguments nonnull, but a host may pass a null pointer, and gets EFAULT for it.
    -fno-delete-null-pointer-checks -Wno-nonnull-compare
    # A fortified build would redirect the names that we define.
    -U_FORTIFY_SOURCE
    # In every preset as users run it, so that the tests see what the optimiser makes of it: at -O3 programs once got no
    # environment, and at the -O1 of the dev preset nobody saw it. glibc declares the array of poll() write-only.
    -O3 -Wno-maybe-uninitialized)
  if(PARCAST_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # The C driver links no libstdc++. initfirst: our constructor runs before those of the other libraries.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_link_options(${target} PRIVATE -static-libgcc -Wl,-z,initfirst -Wl,-z,now -Wl,-z,defs)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/parcast)
endfunction()
