# The files of web/dist, as they are, between two labels each. Their paths come from the build.

    .section .rodata
    .balign 8
    .global parcast_page_begin, parcast_page_end
parcast_page_begin:
    .incbin PARCAST_PAGE
parcast_page_end:

    .balign 8
    .global parcast_module_begin, parcast_module_end
parcast_module_begin:
    .incbin PARCAST_MODULE
parcast_module_end:

    .balign 8
    .global parcast_model_module_begin, parcast_model_module_end
parcast_model_module_begin:
    .incbin PARCAST_MODEL_MODULE
parcast_model_module_end:

    .section .note.GNU-stack, "", %progbits
