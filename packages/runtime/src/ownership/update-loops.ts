import { formatKey, type AnyKind, type Clock, type ObjectKey } from '@homeostat/api'

/** A field that is set to a value again and again, because something else changes it back each time. */
export interface UpdateLoop {
  readonly kind: string
  readonly object: ObjectKey
  /** Such as `spec.template.spec.containers.web.image`. */
  readonly field: string
  /** How often it was set to what it had been set to before, in the last minute. */
  readonly times: number
}

/** What is known of one field: when it was set, and to which values, as hashes. */
interface Field {
  readonly values: Set<number>
  times: number[]
  reportedAt: number
}

const WINDOW = 60_000
/** So often in a minute is no chance. */
const MANY = 5
/** The same loop is told again after this time. */
const SILENCE = 600_000
const MOST_FIELDS = 2000

const observers = new WeakMap<object, UpdateLoops>()

/** What watches the updates of this client, if anything does. */
export function updateLoopsOf(client: object): UpdateLoops | undefined {
  return observers.get(client)
}

/**
 * Notices when `createOrUpdate` sets a field to a value that it had set before, several times within a
 * minute: a server, a webhook or another controller puts it back each time. A field that goes on to new
 * values is no loop. Values are not kept, nor told: they may be secret.
 */
export class UpdateLoops {
  readonly #clock: Clock
  readonly #report: (loop: UpdateLoop) => void
  readonly #fields = new Map<string, Field>()

  constructor(clock: Clock, report: (loop: UpdateLoop) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** Watches the updates that are made through this client, and gives it back. */
  watch<C extends object>(client: C): C {
    observers.set(client, this)
    return client
  }

  /** Fields of an object are about to be set. */
  updates(kind: AnyKind, object: ObjectKey, fields: readonly string[], wanted: readonly unknown[]): void {
    for (const [index, field] of fields.entries()) {
      this.#set(kind, object, field, hash(JSON.stringify(wanted[index]) ?? 'undefined'))
    }
  }

  #set(kind: AnyKind, object: ObjectKey, field: string, value: number): void {
    const now = this.#clock.monotonic()
    const known = this.#field(`${kind.plural}.${kind.group}/${formatKey(object)}\n${field}`, now)
    if (!known.values.has(value)) {
      known.values.add(value)
      return
    }
    known.times.push(now)
    if (known.times.length < MANY || now - known.reportedAt < SILENCE) return
    known.reportedAt = now
    this.#report({ kind: kind.kind, object, field, times: known.times.length })
  }

  /** The field's record without what is too old; the fields that changed last stand last. */
  #field(id: string, now: number): Field {
    const known = this.#fields.get(id)
    this.#fields.delete(id)
    const times = known?.times.filter((time) => now - time < WINDOW) ?? []
    const values = known && (times.length > 0 || known.values.size < MANY) ? known.values : new Set<number>()
    const field = { values, times, reportedAt: known?.reportedAt ?? Number.NEGATIVE_INFINITY }
    this.#fields.set(id, field)
    for (const oldest of this.#fields.keys()) {
      if (this.#fields.size <= MOST_FIELDS) break
      this.#fields.delete(oldest)
    }
    return field
  }
}

/** FNV-1a: enough to tell values apart, and nothing can be read from it. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
