import { protobufMessages } from './protobuf-messages.ts'

/** What a field holds: text, bytes, true or false, whole numbers of 32 and 64 bits, a fraction, or a message. */
export type FieldKind = 's' | 'y' | 'b' | 'i' | 'l' | 'd' | '@'

/** A field of a message, and how JSON writes it. */
export interface MessageField {
  /** The name in JSON; empty where the inner message's fields stand among the outer one's. */
  readonly name: string
  /** The name in Go, which messages about malformed bodies use. */
  readonly goName: string
  readonly number: number
  readonly kind: FieldKind
  readonly label: 'one' | 'list' | 'map'
  /** Whether a zero value that is there differs from one that is not. */
  readonly pointer: boolean
  /** Whether JSON leaves it out when it is empty, zero or false. */
  readonly omitEmpty: boolean
  readonly omitZero: boolean
  /** The type of a message. */
  readonly message: MessageType | undefined
}

const FIELD = /^([^/:]*)(?:\/(\w+))?:(\d+)(\??)(~?)(\^?)([*%]?)(?:([sybild])|@(?:([\w/]+)\.)?(\w+))$/

/**
 * A message of Kubernetes. It is read from its line in the generated table when it is first used. A line is the name, after `=`
 * where JSON writes the message as the list that it wraps, and the fields: `clusterIP:3~s` is the field 3, left out when
 * empty, a text. A name in Go stands after a slash where it is not the one in JSON with a capital; `?` is a pointer, `~`
 * omitempty, `^` omitzero, `*` a list, `%` a map with keys of text, and `@` a message, of another package with its name.
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
  if (!parts) throw new Error(`the table of messages has the field ${text}, which cannot be read`)
  const [, name = '', goName, number, pointer, omitEmpty, omitZero, label, scalar, otherPackage, type] = parts
  return {
    name,
    goName: goName ?? name.charAt(0).toUpperCase() + name.slice(1),
    number: Number(number),
    kind: (scalar ?? '@') as FieldKind,
    label: label === '*' ? 'list' : label === '%' ? 'map' : 'one',
    pointer: pointer !== '',
    omitEmpty: omitEmpty !== '',
    omitZero: omitZero !== '',
    message: type === undefined ? undefined : messageType(otherPackage ?? inPackage, type),
  }
}

const packages = new Map<string, ReadonlyMap<string, MessageType>>()

function messageType(inPackage: string, name: string): MessageType | undefined {
  let types = packages.get(inPackage)
  if (!types) {
    const { messagesOfPackage } = protobufMessages.get()
    const text = Object.hasOwn(messagesOfPackage, inPackage) ? messagesOfPackage[inPackage]! : ''
    const lines = text.split('\n').filter((line) => line !== '')
    types = new Map(lines.map((line) => new MessageType(inPackage, line)).map((type) => [type.name, type]))
    packages.set(inPackage, types)
  }
  return types.get(name)
}

/** The options that every group has, and what is the same in all of them. */
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
  const { packageOfApiVersion } = protobufMessages.get()
  if (!Object.hasOwn(packageOfApiVersion, apiVersion)) return undefined
  const own = messageType(packageOfApiVersion[apiVersion]!, kind)
  if (own) return own
  if (IN_EVERY_GROUP.has(kind)) return messageType('meta/v1', kind)
  return apiVersion === 'v1' && UNVERSIONED.has(kind) ? messageType('meta/v1', kind) : undefined
}

/** The envelope that every body stands in. */
export function envelopeType(): MessageType {
  return messageType('runtime', 'Unknown')!
}
