# SPDX-License-Identifier: MIT
#
# What `make install` puts where: program, libraries, headers, pkg-config file,
# CMake package, man pages, shell completions.

include(CMakePackageConfigHelpers)

install(TARGETS omegapac_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS omegapac omegapac_static EXPORT omegapac-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/omegapac ${PROJECT_BINARY_DIR}/include/omegapac
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(pc_requires "")
set(pc_libs "-lm -pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND pc_libs " -l${library}")
endforeach()
if(gmp AND GMP_BY_PKG_CONFIG)
    set(pc_requires gmp)
elseif(gmp)
    string(PREPEND pc_libs "-lgmp ")
endif()
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/omegapac.pc.in ${PROJECT_BINARY_DIR}/omegapac.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/omegapac.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/omegapac)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/omegapac-config.cmake.in
    ${PROJECT_BINARY_DIR}/omegapac-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/omegapac-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/omegapac-config.cmake
    ${PROJECT_BINARY_DIR}/omegapac-config-version.cmake DESTINATION ${package})
if(gmp)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake DESTINATION ${package})
endif()
install(EXPORT omegapac-targets NAMESPACE omegapac:: DESTINATION ${package})

install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_BINARY_DIR}/share/omegapac.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME omegapac)
install(FILES ${PROJECT_BINARY_DIR}/share/_omegapac
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# What users read, with the examples that it speaks of; not what is for those who change the source.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg"
    PATTERN design.md EXCLUDE PATTERN decisions EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
    PATTERN __pycache__ EXCLUDE)
