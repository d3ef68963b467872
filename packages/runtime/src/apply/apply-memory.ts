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

/** Beyond this many objects the one applied longest ago is forgotten: it costs a request, no more. */
const MOST_OBJECTS = 10_000

/**
 * What was applied and what the server made of it: where the two are not the same text (a quantity in
 * another form, a default inside a value), only this tells that applying it again would change nothing.
 * It holds for the process; a new one sends the apply once more.
 */
export class ApplyMemory {
  readonly #remembered: Map<string, AppliedDocument>

  /** Keeps it in a map that all clients of the server share. */
  constructor(remembered: Map<string, AppliedDocument>) {
    this.#remembered = remembered
  }

  /** The document was applied, and this came back. */
  remember(kind: AnyKind, answer: KubernetesObject, desired: object, applier: Applier): void {
    const answered = ownedText(answer, applier)
    const key = memoryKey(kind, answer, applier)
    this.#remembered.delete(key)
    if (answered === undefined) return
    this.#remembered.set(key, { desired: appliedText(desired), answered })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_OBJECTS && oldest !== undefined) this.#remembered.delete(oldest)
  }

  /** Whether this very document was the last one applied, and all that it owns is still as it then became. */
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

/** A document without the version and the object that it is meant for: they are conditions, and nothing that it applies. */
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

/** What stands at the owned places, in the shape of the fields. */
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
