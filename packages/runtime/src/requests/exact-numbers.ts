import { HomeostatError, isExactNumber, type ExactNumber } from '@homeostat/api'

/** Whether a value holds a whole number that JavaScript may have rounded when it read it. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber)
}

/**
 * A copy of an object for an update, in which every number that was rounded when it was read has the server's exact
 * value again. `live` is the current object, read without loss; `name` is the name of the object in messages. A
 * number that matches none of the server's was set by the caller and stays. Throws a `HomeostatError` with the code
 * `CLIENT_INEXACT_NUMBER` where several of the server's numbers match.
 */
export function withExactNumbers(body: object, live: unknown, name: string): object {
  const known = new Map<number, Map<string, ExactNumber>>()
  collect(live, known)
  return restore(body, { live, path: '', inList: false }) as object

  function restore(value: unknown, place: Place): unknown {
    if (typeof value === 'number' && hasInexactNumber(value)) return exactly(value, place)
    if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
    if (Array.isArray(value)) return value.map((item, index) => restore(item, inside(place, index)))
    const entries = Object.entries(value).map(([key, item]) => [key, restore(item, inside(place, key))])
    return Object.fromEntries(entries) as object
  }

  function exactly(value: number, { live: same, path, inList }: Place): unknown {
    const candidates = [...(known.get(value)?.values() ?? [])]
    if (candidates.length <= 1) return candidates[0] ?? value
    // Items of a list may have moved; a field has not.
    if (!inList && isExactNumber(same) && Number(same.rawJSON) === value) return same
    const texts = candidates.map(({ rawJSON }) => rawJSON).join(' and ')
    throw new HomeostatError(
      'CLIENT_INEXACT_NUMBER',
      `${path} of ${name} cannot be written back exactly: ${texts} were read as the same number, ${value}. Use patch or apply, and send only the fields that you change.`,
    )
  }
}

/** The position of a value: its path, the server's value there, and whether the path leads through a list. */
interface Place {
  readonly live: unknown
  readonly path: string
  readonly inList: boolean
}

function inside({ live, path, inList }: Place, key: string | number): Place {
  const parent = typeof live === 'object' && live !== null && !isExactNumber(live) ? live : {}
  const below: unknown = Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined
  if (typeof key === 'number') return { live: below, path: `${path}[${key}]`, inList: true }
  return { live: below, path: path === '' ? key : `${path}.${key}`, inList }
}

/** Collects the numbers of an object that JavaScript cannot represent, by the number that it rounds them to. */
function collect(value: unknown, into: Map<number, Map<string, ExactNumber>>): void {
  if (typeof value !== 'object' || value === null) return
  if (!isExactNumber(value)) {
    for (const item of Object.values(value)) collect(item, into)
    return
  }
  const rounded = Number(value.rawJSON)
  const texts = into.get(rounded) ?? new Map<string, ExactNumber>()
  into.set(rounded, texts.set(value.rawJSON, value))
}
