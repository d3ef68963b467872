import {
  formatKey,
  isJsonObject,
  keyOf,
  type AnyKind,
  type FieldsV1,
  type KubernetesObject,
} from '@homeostat/api'
import type { AppliedDocument } from '../transport/index.ts'
import { appliedEntry, type Applier } from './apply-matches.ts'

/** Beyond this many objects the one applied longest ago is forgotten, which costs only one more request. */
const MOST_OBJECTS = 10_000

/**
 * Remembers what was applied and what the server stored for it. Where the two differ (a quantity in another form, a
 * default inside a value), only this memory tells that applying the same document again would change nothing. It
 * lasts as long as the process; a new process sends the apply once more.
 */
export class ApplyMemory {
  readonly #remembered: Map<string, AppliedDocument>

  /** `remembered` is a map that all clients of the server share. */
  constructor(remembered: Map<string, AppliedDocument>) {
    this.#remembered = remembered
  }

  /** Remembers the server's answer to an applied document. */
  remember(kind: AnyKind, answer: KubernetesObject, desired: object, applier: Applier): void {
    const answered = ownedText(answer, applier)
    const key = memoryKey(kind, answer, applier)
    this.#remembered.delete(key)
    if (answered === undefined) return
    this.#remembered.set(key, { desired: appliedText(desired), answered })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_OBJECTS && oldest !== undefined) this.#remembered.delete(oldest)
  }

  /**
   * Whether this document was the last one applied, and the fields that it owns still have the values that the server
   * then stored.
   */
  holds(kind: AnyKind, live: KubernetesObject, desired: object, applier: Applier): boolean {
    const remembered = this.#remembered.get(memoryKey(kind, live, applier))
    return (
      remembered !== undefined &&
      remembered.desired === appliedText(desired) &&
      remembered.answered === ownedText(live, applier)
    )
  }

  forget(kind: AnyKind, object: KubernetesObject, applier: Applier): void {
    this.#remembered.delete(memoryKey(kind, object, applier))
  }
}

function memoryKey(kind: AnyKind, object: KubernetesObject, applier: Applier): string {
  return `${kind.group}/${kind.version}/${kind.plural}/${applier.subresource ?? ''} ${formatKey(keyOf(object))} ${applier.manager}`
}

/** A document without its uid and resourceVersion: they are conditions, not applied fields. */
function appliedText(desired: object): string {
  const { metadata }: Partial<KubernetesObject> = desired
  if (metadata === undefined) return canonical(desired)
  const { resourceVersion: _, uid: __, ...applied } = metadata
  return canonical({ ...desired, metadata: applied })
}

/** The object's identity, which fields of it the manager owns, and what they hold. */
function ownedText(object: KubernetesObject, applier: Applier): string | undefined {
  const fields = appliedEntry(object, applier)?.fieldsV1
  if (!fields) return undefined
  return canonical([object.metadata.uid, fields, project(object, fields)])
}

/** The values of the owned fields, with the structure of the field set. */
function project(value: unknown, fields: FieldsV1): unknown {
  const members = Object.entries(fields).filter(([path]) => path !== '.')
  if (members.length === 0) return value
  return members.map(([path, inner]) => {
    const child = childOf(value, path)
    return child === undefined ? null : project(child, inner)
  })
}

function childOf(value: unknown, path: string): unknown {
  if (path.startsWith('f:')) {
    const name = path.slice(2)
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  if (!Array.isArray(value)) return undefined
  if (path.startsWith('i:')) return value[Number(path.slice(2))]
  const wanted: unknown = JSON.parse(path.slice(2))
  if (path.startsWith('v:')) return value.find((item) => canonical(item) === canonical(wanted))
  return value.find(
    (item) =>
      isJsonObject(item) &&
      isJsonObject(wanted) &&
      Object.keys(wanted).every((key) => item[key] === wanted[key]),
  )
}

/** JSON whose text does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  )
}
