import { isExactNumber, isJsonObject, parseJson } from '@homeostat/api'
import { withoutSpace } from './key-in-path.ts'

/** An answer as a server gave it. */
export interface RawAnswer {
  readonly code: number
  readonly warning: string
  readonly text: string
}

/** An answer without what no two servers share. */
export interface ComparableAnswer {
  readonly code: number
  readonly failure?: ComparableFailure
  readonly object?: unknown
  readonly warnings: readonly string[]
}

export interface ComparableFailure {
  readonly reason: unknown
  /** Empty where the causes say the same. */
  readonly message: string
  readonly details: unknown
  /** `reason field: message`, sorted, each once: Kubernetes goes through maps in no certain order. */
  readonly causes: readonly string[]
}

/** Makes an answer comparable. Times from `since` on were made by a server; a name that begins with `generateName` ends at random. */
export function comparableAnswer(
  { code, warning, text: whole }: RawAnswer,
  { since, generateName = '' }: { since: number; generateName?: string | undefined },
): ComparableAnswer {
  const text = generateName === '' ? whole : withoutChance(whole, generateName)
  const body = parsed(text)
  const warnings =
    warning === ''
      ? []
      : warning
          .split(/, (?=299 - )/)
          .map(words)
          .sort()
  const status = isJsonObject(body) && body['kind'] === 'Status' && body['apiVersion'] === 'v1'
  if (status && body['status'] === 'Failure') return { code, failure: failureOf(body), warnings }
  if (isJsonObject(body) && Array.isArray(body['items'])) return { code, object: 'a list', warnings }
  return { code, object: new Rewriting(since).value(body, ''), warnings }
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A server makes a name of at most so many bytes of a `generateName`, and of five random letters. */
const LONGEST_START = 58

function withoutChance(text: string, generateName: string): string {
  const start = JSON.stringify(Buffer.from(generateName).subarray(0, LONGEST_START).toString()).slice(1, -1)
  const pattern = `${start.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}[bcdfghjklmnpqrstvwxz2456789]{5}`
  // An identity may hold what looks like a generated name.
  return text.replaceAll(UID, 'UID').replaceAll(new RegExp(pattern, 'g'), `${start}CHANCE`)
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function failureOf(body: Record<string, unknown>): ComparableFailure {
  const { causes = [], uid: _, ...details } = isJsonObject(body['details']) ? body['details'] : {}
  const lines = (causes as { reason?: string; field?: string; message?: string }[]).map(
    ({ reason, field, message }) => `${reason} ${field && withoutSpace(field)}: ${words(message ?? '')}`,
  )
  return {
    reason: body['reason'],
    message: lines.length > 0 && body['reason'] === 'Invalid' ? '' : words(String(body['message'])),
    details: new Rewriting(0).value(details, ''),
    causes: [...new Set(lines)].sort(),
  }
}

/** A whole object in a message: the order of its fields means nothing. */
const OBJECT = /Invalid value: "\{(?:\\.|[^"\\])*"/g

/** A message without identities, versions, addresses, and Go's own view of values. */
function words(message: string): string {
  const [first = ''] = message.split(/\n(?=@@|[ \u00a0]*[a-zA-Z.]+\{)/)
  return (
    first
      .replaceAll(OBJECT, 'Invalid value: OBJECT')
      // A text of a type of its own is shown as JSON, any other as Go shows texts.
      .replaceAll(/\\u00(3c|3e|26)/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll(/\\x([0-9a-f]{2})/g, '\\u00$1')
      .replaceAll('\u202e', '\\u202e')
      .replaceAll('\u2028', '\\u2028')
      // Values of Go's own types are shown in Go's own order, with fields that JSON does not have.
      .replace(
        /(Invalid|Duplicate) value: (?:[[{].*[}\]]|null|"[^"]*"): (field is immutable|must be|`selector`|minAvailable|PEM)/s,
        '$1 value: VALUE: $2',
      )
      .replace(/(Invalid|Duplicate) value: [[{].*[}\]](?=: |$)/s, '$1 value: VALUE')
      .replace(/Object 'Kind' is missing in '.*'/s, "Object 'Kind' is missing in OBJECT")
      .replaceAll(UID, 'UID')
      .replaceAll(/10\.96\.\d+\.\d+/g, 'ADDRESS')
      .replaceAll(/nodePort:\d{5}/gi, 'nodePort:PORT')
      .replaceAll(
        /(resource version: |ResourceVersion in (?:the precondition|record)[ (:]*)\d+/g,
        '$1VERSION',
      )
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z)( m=\S+)?/g, 'TIME')
  )
}

class Rewriting {
  readonly #since: number

  constructor(since: number) {
    this.#since = since
  }

  value(value: unknown, key: string): unknown {
    if (isExactNumber(value)) return `exactly ${value.rawJSON}`
    if (Array.isArray(value)) {
      const items = value.map((item) => this.value(item, key))
      return key === 'managedFields' || key === 'finalizers' ? items.sort(inOrder) : items
    }
    if (isJsonObject(value)) {
      const entries = Object.keys(value)
        .filter((name) => !(key === 'metadata' && (name === 'uid' || name === 'resourceVersion')))
        .map((name) => [name, this.value(value[name], name)] as const)
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    return typeof value === 'string' ? this.#text(value, key) : this.#number(value, key)
  }

  #text(text: string, key: string): string {
    if (/^\d{4}-\d\d-\d\dT/.test(text) && Date.parse(text) >= this.#since) return 'TIME'
    if (/^clusterIPs?$/.test(key) && text.startsWith('10.96.')) return 'ADDRESS'

    if (key === 'token' && text.startsWith('eyJ')) return 'TOKEN'
    return text.replaceAll(UID, 'UID')
  }

  #number(value: unknown, key: string): unknown {
    return /nodePort$/i.test(key) && Number(value) >= 30_000 ? 'PORT' : value
  }
}

function inOrder(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
