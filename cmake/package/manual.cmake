# cmake -DPARCAST=... -DMANUAL=... -DCOMPLETIONS=... -P manual.cmake: the pages of section 1, which say what `parcast help`
# says, and the completions. The verbs are those that the program names.

function(write_output file)
  execute_process(COMMAND ${PARCAST} ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${MANUAL}/man1 ${COMPLETIONS})
execute_process(COMMAND ${PARCAST} help OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  parcast [a-z-]+" verbs "${overview}")
list(TRANSFORM verbs REPLACE "^.* " "")
file(GLOB old ${MANUAL}/man1/*)
if(old)
  file(REMOVE ${old})
endif()
write_output(${MANUAL}/man1/parcast.1 help --man)
foreach(verb IN LISTS verbs)
  write_output(${MANUAL}/man1/parcast-${verb}.1 help ${verb} --man)
endforeach()
file(GLOB pages ${MANUAL}/man1/*.1)
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)

# Whatever the builder configured.
write_output(${COMPLETIONS}/parcast completion bash --no-config)
write_output(${COMPLETIONS}/_parcast completion zsh --no-config)
write_output(${COMPLETIONS}/parcast.fish completion fish --no-config)
