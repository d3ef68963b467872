import { messagesOfPackage, packageOfApiVersion } from '../generated/protobuf-messages.ts'

/** The type of a field that is not a message: text, bytes, a boolean, whole numbers of 32 and 64 bits, a fraction. */
type ScalarKind = 's' | 'y' | 'b' | 'i' | 'l' | 'd'

/** A field of a message, and how JSON writes it. The kind `@` is a message. */
export type MessageField = FieldForm &
  (
    | { readonly kind: ScalarKind; readonly message: undefined }
    | { readonly kind: '@'; readonly message: MessageType }
  )

interface FieldForm {
  /** The name in JSON; empty for an inlined message. */
  readonly name: string
  /** The name in Go, which messages about malformed bodies use. */
  readonly goName: string
  readonly number: number
  readonly label: 'one' | 'list' | 'map'
  /** Whether a zero value differs from an absent one. */
  readonly pointer: boolean
  /** Whether JSON leaves it out when it is empty, zero or false. */
  readonly omitEmpty: boolean
  readonly omitZero: boolean
}

const FIELD = /^([^/:]*)(?:\/(\w+))?:(\d+)(\??)(~?)(\^?)([*%]?)(?:([sybild])|@(?:([\w/]+)\.)?(\w+))$/

/**
 * A message of Kubernetes. It is parsed from its line in the generated table when it is first used. A line
 * has the name and the fields. Before the name stands `=` if JSON writes the message as the list that it
 * wraps. `clusterIP:3~s` is field 3, a text that is left out when empty. A name in Go follows after a slash,
 * unless it is the JSON name with a capital. `?` is a pointer, `~` omitempty, `^` omitzero, `*` a list, `%` a
 * map with text keys, and `@` a message; a message of another package has the package before its name.
 */
export class MessageType {
  /** `core/v1.Pod`. */
  readonly fullName: string
  /** `Pod`. */
  readonly name: string
  /** Whether JSON writes it as the list that it wraps. */
  readonly isList: boolean
  readonly #package: string
  readonly #line: string
  #fields: readonly MessageField[] | undefined
  #fieldsFromLast: readonly MessageField[] | undefined
  #indexes: readonly number[] | undefined

  constructor(inPackage: string, line: string) {
    this.isList = line.startsWith('=')
    const end = line.indexOf(' ')
    this.name = line.slice(this.isList ? 1 : 0, end < 0 ? undefined : end)
    this.fullName = `${inPackage}.${this.name}`
    this.#package = inPackage
    this.#line = end < 0 ? '' : line.slice(end + 1)
  }

  /** The fields in the order in which JSON writes them. */
  get fields(): readonly MessageField[] {
    return (this.#fields ??=
      this.#line === '' ? [] : this.#line.split(' ').map((text) => parseField(text, this.#package)))
  }

  /** The field at a place in `fields`. */
  fieldAt(index: number): MessageField {
    const field = this.fields[index]
    if (!field) throw new Error(`the message ${this.fullName} has no field at ${index}`)
    return field
  }

  /** The type of the message in the field at a place in `fields`. */
  messageAt(index: number): MessageType {
    const { name, message } = this.fieldAt(index)
    if (!message) throw new Error(`the field ${name} of ${this.fullName} is not a message`)
    return message
  }

  /** The fields by their numbers, the last first. */
  get fieldsFromLast(): readonly MessageField[] {
    return (this.#fieldsFromLast ??= this.fields.toSorted((a, b) => b.number - a.number))
  }

  /** The place of a field in `fields` by its number; -1 where there is none. */
  indexOf(number: number): number {
    if (!this.#indexes) {
      const indexes: number[] = []
      for (const [index, field] of this.fields.entries()) indexes[field.number] = index
      this.#indexes = indexes
    }
    return this.#indexes[number] ?? -1
  }
}

function parseField(text: string, inPackage: string): MessageField {
  const parts = FIELD.exec(text)
  if (!parts) throw new Error(`the table of messages has the field ${text}, which cannot be parsed`)
  const [, name = '', goName, number, pointer, omitEmpty, omitZero, label, scalar, otherPackage, type] = parts
  const form: FieldForm = {
    name,
    goName: goName ?? name.charAt(0).toUpperCase() + name.slice(1),
    number: Number(number),
    label: label === '*' ? 'list' : label === '%' ? 'map' : 'one',
    pointer: pointer !== '',
    omitEmpty: omitEmpty !== '',
    omitZero: omitZero !== '',
  }
  if (isScalarKind(scalar)) return { ...form, kind: scalar, message: undefined }
  const message = messageType(otherPackage ?? inPackage, type ?? '')
  if (!message)
    throw new Error(`the table of messages has the field ${text}, but not the message of its type`)
  return { ...form, kind: '@', message }
}

function isScalarKind(kind: string | undefined): kind is ScalarKind {
  return kind !== undefined && 'sybild'.includes(kind)
}

const packages = new Map<string, ReadonlyMap<string, MessageType>>()

function messageType(inPackage: string, name: string): MessageType | undefined {
  let types = packages.get(inPackage)
  if (!types) {
    const text = (Object.hasOwn(messagesOfPackage, inPackage) && messagesOfPackage[inPackage]) || ''
    const lines = text.split('\n').filter((line) => line !== '')
    types = new Map(lines.map((line) => new MessageType(inPackage, line)).map((type) => [type.name, type]))
    packages.set(inPackage, types)
  }
  return types.get(name)
}

/** The option types that every group has and that are the same in all. */
const IN_EVERY_GROUP = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
])
const UNVERSIONED = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList'])

/** The message of a native kind; undefined for all others. */
export function messageOfKind(apiVersion: string, kind: string): MessageType | undefined {
  const inPackage = Object.hasOwn(packageOfApiVersion, apiVersion) && packageOfApiVersion[apiVersion]
  if (!inPackage) return undefined
  const own = messageType(inPackage, kind)
  if (own) return own
  if (IN_EVERY_GROUP.has(kind)) return messageType('meta/v1', kind)
  return apiVersion === 'v1' && UNVERSIONED.has(kind) ? messageType('meta/v1', kind) : undefined
}

/** The envelope around every body. */
export function envelopeType(): MessageType {
  const type = messageType('runtime', 'Unknown')
  if (!type) throw new Error('the table of messages has no envelope')
  return type
}
