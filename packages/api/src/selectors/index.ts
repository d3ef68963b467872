/** Selecting objects by their labels and fields. */
export {}
