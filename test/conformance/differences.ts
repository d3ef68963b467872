import type { Comparable } from './comparable.ts'

/** One step whose answer is not the real server's. */
export interface Difference {
  /** `topic/title#3`: the third answer of a scenario. */
  readonly at: string
  /** One line for each part that differs: `body.reason: "Invalid", not "BadRequest"`. */
  readonly lines: readonly string[]
}

/** Where what one server answered is not what the other did, step by step. */
export function differences(
  name: string,
  ours: readonly Comparable[],
  real: readonly Comparable[],
): Difference[] {
  const found: Difference[] = []
  for (let index = 0; index < Math.max(ours.length, real.length); index++) {
    const lines: string[] = []
    compare(ours[index], real[index], '', lines)
    if (lines.length > 0) found.push({ at: `${name}#${index + 1}`, lines })
  }
  return found
}

function compare(ours: unknown, real: unknown, path: string, lines: string[]): void {
  if (Object.is(ours, real)) return
  if (isStructure(ours) && isStructure(real) && Array.isArray(ours) === Array.isArray(real)) {
    const [a, b] = path.endsWith('metadata.finalizers') ? [inOrder(ours), inOrder(real)] : [ours, real]
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(a[key], b[key], path === '' ? key : `${path}.${key}`, lines)
    }
    return
  }
  lines.push(`${path}: ${inWords(ours)}, not ${inWords(real)}`)
}

/** A server that adds a finalizer keeps them as a set, and writes them in no certain order. */
function inOrder(finalizers: object): Record<string, unknown> {
  const names = Object.values(finalizers) as string[]
  return Object.fromEntries(names.toSorted((a, b) => (a < b ? -1 : 1)).entries())
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
