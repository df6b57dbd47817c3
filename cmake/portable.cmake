# A program without shared libraries, for every Linux on x86-64: libc, libstdc++ and all others are linked into it. The
# libraries for host programs stay shared; they need no symbol that came after glibc 2.31 (tests/install).
#
# Debian has static archives of most libraries. Of three it has none: they are built of its source packages, which
# `./dev package` unpacks into the folder PARCAST_LIBRARY_SOURCES.

set(PARCAST_LIBRARY_SOURCES "" CACHE PATH "Folder with the unpacked source packages fmtlib, simdjson and cpp-httplib")

function(parcast_source_of result package file)
  file(GLOB found ${PARCAST_LIBRARY_SOURCES}/${package}-*/${file})
  if(NOT found)
    message(FATAL_ERROR "PARCAST_PORTABLE: no ${file} of the source package ${package} in PARCAST_LIBRARY_SOURCES "
                        "(\"${PARCAST_LIBRARY_SOURCES}\"). `./dev package` gets them.")
  endif()
  list(GET found 0 first)
  set(${result} ${first} PARENT_SCOPE)
endfunction()

# parcast_archive(TARGET SOURCE): the imported shared library TARGET becomes an archive of SOURCE.
function(parcast_archive target source)
  string(MAKE_C_IDENTIFIER "portable_${target}" name)
  add_library(${name} STATIC ${source})
  target_compile_options(${name} PRIVATE -w)
  get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  target_include_directories(${name} SYSTEM PRIVATE ${includes})
  foreach(suffix IN LISTS configurations)
    set_property(TARGET ${target} PROPERTY IMPORTED_LOCATION_${suffix} ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.a)
  endforeach()
  add_dependencies(${target} ${name})
endfunction()

# parcast_use_archives(TARGET NAMES...): those of Debian's packages, in the order of the command line.
function(parcast_use_archives target)
  set(archives "")
  foreach(name IN LISTS ARGN)
    find_library(archive_${name} lib${name}.a REQUIRED)
    list(APPEND archives ${archive_${name}})
  endforeach()
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${archives})
endfunction()

parcast_source_of(fmt_source fmtlib src/format.cc)
parcast_source_of(simdjson_source simdjson singleheader/simdjson.cpp)
parcast_source_of(httplib_header cpp-httplib httplib.h)
parcast_archive(fmt::fmt ${fmt_source})
parcast_archive(simdjson::simdjson ${simdjson_source})
parcast_use_archives(PkgConfig::zstd zstd)
parcast_use_archives(PkgConfig::xxhash xxhash)
parcast_use_archives(PkgConfig::libdw dw elf z lzma bz2)
parcast_use_archives(PkgConfig::libelf elf z)
find_library(archive_z libz.a REQUIRED)
set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION ${archive_z} IMPORTED_LOCATION_RELEASE ${archive_z})

# This one is a header alone as its authors make it; neither TLS nor compression is used.
cmake_path(GET httplib_header PARENT_PATH httplib_folder)
set_target_properties(PkgConfig::cpp-httplib PROPERTIES INTERFACE_LINK_LIBRARIES "" INTERFACE_COMPILE_OPTIONS ""
                      INTERFACE_INCLUDE_DIRECTORIES ${httplib_folder})

# libdw would load libdebuginfod, and a second libc with it, which a static program does not survive.
add_library(portable_loading OBJECT ${CMAKE_CURRENT_LIST_DIR}/portable/no_loading.c)

# Linked into a program, makes it static.
add_library(portable INTERFACE)
target_sources(portable INTERFACE $<TARGET_OBJECTS:portable_loading>)
target_link_options(portable INTERFACE -static)
