import type { english } from './english.ts'

export type Messages = typeof english
