import { formatKey, type Clock } from '@homeostat/api'
import type { FieldsWritten, WrittenField } from '../apply/index.ts'

/** Fields of one object that this controller and another writer change back and forth. */
export interface Contest {
  /** The other manager; `undefined` where managed fields do not name one. */
  readonly manager: string | undefined
  /** Such as `spec.replicas`. */
  readonly fields: readonly string[]
  /** How often the controller has changed the first of them back. */
  readonly times: number
  /** How long the object should be left alone after this, in milliseconds: twice as long as the last time. */
  readonly delay: number
  /** Whether to report it now: the first time, and then every five minutes. */
  readonly due: boolean
}

/** The state of one field that one other manager also writes. */
interface Field {
  /** The values that it was set to, as hashes. */
  readonly values: Set<number>
  /** When it was changed back, on the monotonic scale: within the last minute, where no manager is known. */
  recent: number[]
  times: number
  last: number
  isContested: boolean
  reportedAt: number
}

/** A field that was taken back from one manager this many times is contested. Fewer may be single edits by a user. */
const TAKEN_BACK = 4
/** Without a known manager, this many repeats within a minute count as a contest. */
const REPEATED = 5
const REPEATED_WITHIN = 60_000
/** After this long without a change, the count starts again. */
const FORGOTTEN_AFTER = 30 * 60_000
const FIRST_DELAY = 1000
const REPORT_INTERVAL = 5 * 60_000
const MOST_FIELDS = 2000

/**
 * Notices when a controller sets a field again and again because something else changes it each time: another manager
 * that managed fields name, or else a webhook, a server default, or a writer that removes the field. One healed edit
 * is not a contest, and neither is a field that gets new values. Values are neither kept nor reported: they may be
 * secret.
 */
export class ContestedFields {
  readonly #clock: Clock
  /** In the order of the last writes, the most recent last. */
  readonly #fields = new Map<string, Field>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The contests that a write is part of, one for each other manager. */
  written(write: FieldsWritten): readonly Contest[] {
    const now = this.#clock.monotonic()
    const { cluster = '', key, kind } = write
    const object = `${cluster}\n${kind.plural}.${kind.group}/${formatKey(key)}`
    const contested = new Map<string | undefined, { path: string; field: Field }[]>()
    for (const written of write.fields) {
      const { owner, path } = written
      const field = this.#record(`${object}\n${path}\n${owner ?? ''}`, now)
      if (!isChangedBack(field, written, now)) continue
      contested.set(owner, [...(contested.get(owner) ?? []), { path, field }])
    }
    return [...contested].map(([manager, found]) => {
      const due = found.some(({ field }) => now - field.reportedAt >= REPORT_INTERVAL)
      if (due) for (const { field } of found) field.reportedAt = now
      const { times } = found[0]!.field
      const delay = FIRST_DELAY * 2 ** Math.min(times - (manager === undefined ? REPEATED : TAKEN_BACK), 10)
      return { manager, fields: found.map(({ path }) => path), times, delay, due }
    })
  }

  #record(id: string, now: number): Field {
    const known = this.#fields.get(id)
    this.#fields.delete(id)
    const field = known && now - known.last < FORGOTTEN_AFTER ? known : newField()
    this.#fields.set(id, field)
    for (const oldest of this.#fields.keys()) {
      if (this.#fields.size <= MOST_FIELDS) break
      this.#fields.delete(oldest)
    }
    return field
  }
}

/** Counts the write, and says whether the field is contested. */
function isChangedBack(field: Field, { owner, value }: WrittenField, now: number): boolean {
  field.last = now
  if (owner !== undefined) {
    field.times++
    return field.times >= TAKEN_BACK
  }
  field.recent = field.recent.filter((time) => now - time < REPEATED_WITHIN)
  if (field.recent.length === 0 && field.values.size >= REPEATED) field.values.clear()
  const hashed = hash(JSON.stringify(value) ?? 'undefined')
  if (!field.values.has(hashed)) {
    field.values.add(hashed)
    return false
  }
  field.recent.push(now)
  field.times++
  field.isContested ||= field.recent.length >= REPEATED
  return field.isContested
}

function newField(): Field {
  const never = Number.NEGATIVE_INFINITY
  return { values: new Set(), recent: [], times: 0, last: never, isContested: false, reportedAt: never }
}

/** FNV-1a: enough to distinguish values, without revealing them. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
