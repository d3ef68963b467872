/** JSON, merge and strategic merge patches. */
export {}
