# Packages, which `./dev package` makes: a .deb for this Debian (preset package), and a tarball for every Linux with glibc
# (preset portable).

set(CPACK_PACKAGE_NAME parcast)
set(CPACK_PACKAGE_VENDOR "the parcast maintainers")
set(CPACK_PACKAGE_CONTACT "the parcast maintainers <maintainers@parcast.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "forecasts how parallel programs scale, from one run on one CPU")
set(CPACK_PACKAGE_DESCRIPTION
"parcast records an unmodified Linux program (C, C++, any language on
pthreads) on one CPU, replays it on 2, 8 or 64 CPUs in a simulator, and
predicts how far it scales. It names the lock and the line that stop it,
and the function to change first, with a range for each number.
.
Recording needs no privileges, no recompiling and no second CPU. Results
are text, JSON, a page for a browser, or traces for other tools.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, www-browser")
set(CPACK_ARCHIVE_FILE_NAME parcast-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_PACKAGE_FILE_NAME parcast-${PROJECT_VERSION}-linux-x86_64)
if(PARCAST_PORTABLE)
  set(CPACK_GENERATOR TGZ)
else()
  set(CPACK_GENERATOR DEB)
endif()

# What Debian wants in /usr/share/doc of every package.
set(parcast_debian ${CMAKE_BINARY_DIR}/debian)
execute_process(COMMAND date --rfc-email --utc --date=${parcast_date} OUTPUT_VARIABLE parcast_mail_date OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file(cmake/package/changelog.Debian.in ${parcast_debian}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${parcast_debian}/changelog COPYONLY)
execute_process(COMMAND gzip -9nkf changelog changelog.Debian WORKING_DIRECTORY ${parcast_debian})
install(FILES ${parcast_debian}/changelog.gz ${parcast_debian}/changelog.Debian.gz cmake/package/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(PARCAST_PORTABLE)
  # The licences of what is linked in ask for their texts.
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  foreach(package IN ITEMS libc6-dev libstdc++-12-dev libdw-dev libelf-dev zlib1g-dev liblzma-dev libbz2-dev libzstd-dev
                           libxxhash-dev libfmt-dev libsimdjson-dev libcpp-httplib-dev libcli11-dev nlohmann-json3-dev
                           libtomlplusplus-dev libboost-dev libprotozero-dev libexpected-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences RENAME ${package})
    endif()
  endforeach()
endif()
include(CPack)
