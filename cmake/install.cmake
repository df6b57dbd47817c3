# What `cmake --install` and the packages hold: the program, its libraries for host programs, pages for man, completions,
# documents and sources of examples. All of it is found beside the program, wherever the prefix is moved.

include(GNUInstallDirs)

# --- pages for man and completions

set(parcast_manual ${CMAKE_BINARY_DIR}/manual)
set(parcast_completions ${CMAKE_BINARY_DIR}/completions)
set(parcast_documented parcast-trace.5 parcast-machine.5 parcast-pamela.7) # docs/formats/NAME.md

add_custom_command(OUTPUT ${parcast_manual}/section1
  COMMAND ${CMAKE_COMMAND} -DPARCAST=$<TARGET_FILE:parcast> -DMANUAL=${parcast_manual} -DCOMPLETIONS=${parcast_completions}
          -P ${PROJECT_SOURCE_DIR}/cmake/package/manual.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${parcast_manual}/section1
  DEPENDS parcast ${PROJECT_SOURCE_DIR}/cmake/package/manual.cmake
  COMMENT "Writing the pages for man" VERBATIM)
set(parcast_pages ${parcast_manual}/section1)

# Those of the formats are made of documents, where that is possible.
find_program(PARCAST_LOWDOWN lowdown)
find_program(PARCAST_PYTHON python3)
if(PARCAST_LOWDOWN AND PARCAST_PYTHON)
  foreach(page IN LISTS parcast_documented)
    string(REGEX MATCH "^parcast-([a-z]+)[.]([57])$" matched ${page})
    set(document ${PROJECT_SOURCE_DIR}/docs/formats/${CMAKE_MATCH_1}.md)
    set(folder ${parcast_manual}/man${CMAKE_MATCH_2})
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${folder}/${page}.gz
      COMMAND ${PARCAST_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/package/document_page.py ${PARCAST_LOWDOWN} ${document}
              parcast-${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${parcast_date} ${PROJECT_VERSION} > ${folder}/${page}
      COMMAND gzip -9nf ${folder}/${page}
      DEPENDS ${document} ${PROJECT_SOURCE_DIR}/cmake/package/document_page.py
      COMMENT "Writing ${page}" VERBATIM)
    list(APPEND parcast_pages ${folder}/${page}.gz)
  endforeach()
else()
  message(STATUS "No lowdown or no python3: ${parcast_documented} are not made")
endif()
add_custom_target(manual ALL DEPENDS ${parcast_pages})

install(DIRECTORY ${parcast_manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.gz")
install(FILES ${parcast_completions}/parcast DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# Debian's zsh looks into a folder of its own, for files of packages.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(parcast_zsh zsh/vendor-completions)
else()
  set(parcast_zsh zsh/site-functions)
endif()
install(FILES ${parcast_completions}/_parcast DESTINATION ${CMAKE_INSTALL_DATADIR}/${parcast_zsh})
install(FILES ${parcast_completions}/parcast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# --- documents, examples, and the module for Python

install(FILES README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN decisions EXCLUDE PATTERN site EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
if(EXISTS ${PROJECT_SOURCE_DIR}/python/parcast)
  install(DIRECTORY python/parcast DESTINATION lib/python3/dist-packages PATTERN __pycache__ EXCLUDE PATTERN "*_test.py" EXCLUDE)
endif()

include(cmake/package.cmake)
