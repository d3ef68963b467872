import type { english } from './english.ts'

/** A text, or a function that makes one, for each name. */
export type Messages = typeof english
