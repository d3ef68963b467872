/** The forms that an answer can be turned into besides the object itself. */
type Conversion = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** How an answer is to look: its media type, and the form that it is turned into, if any. */
export interface Accepted {
  readonly mediaType: (typeof MEDIA_TYPES)[number]
  /** Undefined for the object as it is. */
  readonly as?: Conversion | undefined
  /** The version of `meta.k8s.io` that the form is of. */
  readonly version: 'v1' | 'v1beta1'
}

/** What an answer can be written as, in the order of preference: the words of a 406. */
export const MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const

/** One alternative of an Accept header: its type, and its parameters with names in lower case. */
export interface AcceptClause {
  readonly type: string
  readonly subtype: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * The alternatives of an Accept header, the preferred first: by `q`, then as they were given. A missing header means
 * that anything will do. Entries that cannot be parsed are left out; an entry with `q=0` comes last, as Kubernetes
 * takes it.
 */
export function parseAccept(accept: string | undefined): AcceptClause[] {
  if (!accept?.trim()) return [{ type: '*', subtype: '*', parameters: {} }]
  return accept
    .split(',')
    .map(parseClause)
    .filter((clause) => clause !== undefined)
    .sort((a, b) => b.quality - a.quality)
}

function parseClause(text: string): (AcceptClause & { quality: number }) | undefined {
  const [range = '', ...rest] = text.split(';').map((part) => part.trim())
  const [type, subtype] = range.split('/')
  if (!type || !subtype) return undefined
  const entries = rest.flatMap((part) => {
    const equals = part.indexOf('=')
    if (equals <= 0) return []
    const name = part.slice(0, equals).trim().toLowerCase()
    const value = part
      .slice(equals + 1)
      .trim()
      .replaceAll('"', '')
    return [[name, value] as const]
  })
  const parameters: AcceptClause['parameters'] = Object.fromEntries(entries)
  const quality = parameters.q === undefined ? 1 : Number(parameters.q)
  return { type, subtype, parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

/** Whether a clause takes a media type. */
export function accepts(clause: AcceptClause, mediaType: string): boolean {
  const [type, subtype] = mediaType.split('/')
  return (
    clause.type === '*' || (clause.type === type && (clause.subtype === '*' || clause.subtype === subtype))
  )
}

/** What nearly every client asks for. */
const JSON_AS_IT_IS: Accepted = { mediaType: 'application/json', version: 'v1' }

/**
 * What of an Accept header can be served for objects: `kubectl get` asks for a Table in two versions and
 * takes plain JSON as the last resort. Undefined when nothing of it can be: answer 406 then. `tables` says whether
 * what is answered has a table at all, and `protobuf` whether it has a form in protobuf: its metadata always has.
 */
export function negotiate(
  accept: string | undefined,
  { tables = true, protobuf = true } = {},
): Accepted | undefined {
  if (accept === 'application/json') return JSON_AS_IT_IS
  for (const clause of parseAccept(accept)) {
    const mediaType = MEDIA_TYPES.find((mediaType) => accepts(clause, mediaType))
    const { as, g: group, v: version, stream, sv } = clause.parameters
    if (!mediaType || (stream && stream !== 'watch') || sv) continue
    const inProtobuf = mediaType === 'application/vnd.kubernetes.protobuf'
    if (as === undefined && group === undefined && version === undefined) {
      if (inProtobuf && !protobuf) continue
      return { mediaType, version: 'v1' }
    }
    if (group === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1') && isConversion(as)) {
      if (as === 'Table' && (!tables || inProtobuf)) continue
      return { mediaType, as, version }
    }
  }
  return undefined
}

function isConversion(as: string | undefined): as is Conversion {
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
}
