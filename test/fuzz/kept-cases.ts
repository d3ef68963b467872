import type { FuzzCase } from './fuzz-case.ts'

/** Cases in which our server once answered otherwise than the real one. */
export function keptCases(): FuzzCase[] {
  return []
}
