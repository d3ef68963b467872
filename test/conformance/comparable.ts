import type { StatusCause } from '@homeostat/api'
import type { Answer } from './answer.ts'
import type { RequestStep, Step } from './scenario.ts'

/** The result of a step, without the parts that differ on each server. */
export interface Comparable {
  readonly code?: number
  /** Those that are not the usual ones. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: unknown
  readonly events?: readonly unknown[]
  readonly ended?: boolean
}

/** The headers of nearly every answer. */
const USUAL: Readonly<Record<string, string>> = {
  'audit-id': 'present',
  'cache-control': 'no-cache, private',
  'content-type': 'application/json',
}

/**
 * Makes the answers of one scenario comparable: identities become `UID 1`, versions of objects `V1` in their order,
 * versions of lists and bookmarks what they are not older than, and times `TIME`. What is equal stays equal, so that it
 * shows whether two answers speak of the same object and version.
 */
export function comparable(
  answers: readonly { step: Step; answer: Answer }[],
  namespace: string,
  tellTimes: boolean,
): Comparable[] {
  const shown = answers.map(({ step, answer }) => sorted(inOrder(shownOf(step, answer))))
  const rewrite = new Rewriting(namespace, shown, tellTimes)
  return shown.map((answer) => rewrite.value(answer) as Comparable)
}

function shownOf(step: Step, answer: Answer): Comparable {
  if ('events' in answer) return { events: answer.events, ...(answer.ended && { ended: true }) }
  const { code, body } = answer
  const headers = unusual(answer.headers)
  const shown = step.step === 'request' ? shownBody(step, code, body) : body
  return {
    code,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(shown !== undefined && { body: shown }),
  }
}

function unusual(headers: Readonly<Record<string, string>>): Record<string, string | null> {
  const found: Record<string, string | null> = {}
  for (const name of Object.keys(USUAL)) if (headers[name] === undefined) found[name] = null
  for (const [name, value] of Object.entries(headers)) if (USUAL[name] !== value) found[name] = value
  return found
}

function shownBody(step: RequestStep, code: number, body: unknown): unknown {
  const shown = step.show && code > 0 && code < 400 ? shownPart(step.show, body) : body
  if (!step.ignore || !isStructure(shown)) return shown
  const copy = structuredClone(shown)
  for (const path of step.ignore) forget(copy, path.split('.'))
  return copy
}

function shownPart(show: (body: any) => unknown, body: unknown): unknown {
  try {
    return show(body)
  } catch (error) {
    return `what was to be shown is not there: ${String(error)}`
  }
}

function forget(value: unknown, [first, ...rest]: readonly string[]): void {
  if (!isStructure(value) || first === undefined) return
  if (rest.length === 0) delete value[first]
  else forget(value[first], rest)
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Kubernetes goes through maps in no certain order, and so reports what is wrong in them. */
function inOrder(answer: Comparable): Comparable {
  const body = answer.body as any
  const causes: StatusCause[] = body?.details?.causes ?? []
  if (causes.length < 2) return answer
  const sentence = ({ field, message }: StatusCause): string => `${field}: ${message}`
  const ordered = causes.toSorted((a, b) => (sentence(a) < sentence(b) ? -1 : 1))
  const details = { ...body.details, causes: ordered }
  const text: unknown = body.message
  if (body.reason !== 'Invalid' || typeof text !== 'string') return { ...answer, body: { ...body, details } }
  const all = ordered.map(sentence)
  const [subject] = text.split(' is invalid: ')
  const message = all.every((one) => text.includes(one)) ? `${subject} is invalid: [${all.join(', ')}]` : text
  return { ...answer, body: { ...body, message, details } }
}

/** Fields in the order of the alphabet, so that what is numbered is numbered alike. */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T
  if (!isStructure(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  ) as T
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Identities that a scenario makes up stay as they are. */
const MADE_UP = /^(.)\1{7}-/
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
/** A whole object in a message: the order of its fields means nothing. */
const OBJECT = /Invalid value: "\{(?:\\.|[^"\\])*"/g
/** Where messages speak of versions. */
const VERSION_IN_TEXT =
  /((?:ResourceVersion in (?:the precondition|record)[ (:]*)|(?:resource version: )|(?:current: )|(?:too old resource version: \d+ \())(\d+)/g
const ADDRESSES = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort'])
const AGE = /^\d+s$/

/** Rewrites the answers of one scenario, and remembers what it called things. */
class Rewriting {
  readonly #namespace: string
  readonly #tellTimes: boolean
  readonly #uids = new Map<string, string>()
  /** The versions of all objects, from the oldest. */
  readonly #versions: readonly number[]
  readonly #times: readonly string[]

  constructor(namespace: string, answers: readonly Comparable[], tellTimes: boolean) {
    this.#namespace = namespace
    this.#tellTimes = tellTimes
    const versions = new Set<number>()
    for (const answer of answers) collectVersions(answer, versions)
    this.#versions = [...versions].sort((a, b) => a - b)
    const times = JSON.stringify(answers).match(TIME) ?? []
    this.#times = [...new Set(times.map((time) => time.slice(0, 19)))].sort()
  }

  value(value: unknown, key = '', parent: Record<string, unknown> = {}, grandparent: unknown = {}): unknown {
    if (key === 'resourceVersion' && typeof value === 'string' && /^\d+$/.test(value)) {
      return isOfList(parent, grandparent) ? this.#atLeast(Number(value)) : this.#version(Number(value))
    }
    if (key === 'continue' && value) return 'CONTINUE'
    if (ADDRESSES.has(key) && value !== 'None' && value !== '' && value !== 0) return 'ADDRESS'
    if (key === 'cells') {
      return (value as unknown[]).map((cell) =>
        typeof cell === 'string' && AGE.test(cell) ? 'AGE' : this.value(cell),
      )
    }
    // The sentences that describe columns are documentation, which kubectl does not print.
    if (key === 'columnDefinitions' && Array.isArray(value)) {
      return value.map((column: object) => ({ ...column, description: undefined }))
    }
    if (key === 'managedFields' && Array.isArray(value) && !this.#tellTimes) {
      // They stand in the order of their times, which a second that passes in between would change.
      return value.map((entry) => this.value(entry)).sort((a, b) => (entryText(a) < entryText(b) ? -1 : 1))
    }
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item, '', {}, parent))
    if (!isStructure(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [
        this.text(name),
        this.value(child, name, value, key === 'metadata' ? parent : {}),
      ]),
    )
  }

  text(text: string): string {
    return text
      .replaceAll(OBJECT, 'Invalid value: OBJECT')
      .replaceAll(this.#namespace, '{ns}')
      .replaceAll(UID, (uid) => this.#uid(uid))
      .replaceAll(TIME, (time, fraction: string | undefined) => this.#time(time, fraction))
      .replaceAll(TOKEN, 'TOKEN')
      .replaceAll(VERSION_IN_TEXT, (_, before: string, version: string) => {
        // The versions of other writers are not compared.
        const known = before === 'current: ' ? -1 : this.#versions.indexOf(Number(version))
        return `${before.replace(/\d+ \($/, 'VERSION (')}${known < 0 ? 'VERSION' : `V${known + 1}`}`
      })
  }

  #uid(uid: string): string {
    if (MADE_UP.test(uid)) return uid
    const name = this.#uids.get(uid) ?? `UID ${this.#uids.size + 1}`
    this.#uids.set(uid, name)
    return name
  }

  #time(time: string, fraction: string | undefined): string {
    const name = fraction ? 'TIME.FRACTION' : 'TIME'
    return this.#tellTimes ? `${name} ${this.#times.indexOf(time.slice(0, 19)) + 1}` : name
  }

  #version(version: number): string {
    return `V${this.#versions.indexOf(version) + 1}`
  }

  #atLeast(version: number): string {
    return `>=V${this.#versions.filter((one) => one <= version).length}`
  }
}

function entryText(entry: any): string {
  return [entry.operation, entry.manager, entry.apiVersion, entry.subresource].join(' ')
}

function collectVersions(value: unknown, found: Set<number>, key = '', parent: unknown = {}): void {
  if (Array.isArray(value)) {
    for (const item of value) collectVersions(item, found)
    return
  }
  if (!isStructure(value)) return
  const version = value['resourceVersion']
  if (key === 'metadata' && typeof version === 'string' && !isOfList(value, parent))
    found.add(Number(version))
  for (const [name, child] of Object.entries(value)) collectVersions(child, found, name, value)
}

/** Whether metadata belong to a list, a table or a bookmark, whose version other writes move too. */
function isOfList(metadata: Record<string, unknown>, owner: unknown): boolean {
  if (!isStructure(owner)) return false
  const annotations = metadata['annotations'] as Record<string, unknown> | undefined
  if (annotations?.['k8s.io/initial-events-end']) return true
  if (metadata['name'] === undefined) return true
  return 'items' in owner || owner['kind'] === 'Table' || 'columnDefinitions' in owner
}
