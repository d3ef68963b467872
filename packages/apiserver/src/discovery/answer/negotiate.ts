/** The forms of an answer besides the object itself. */
type Conversion = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** The media type of an answer, and its form. */
export interface Accepted {
  readonly mediaType: (typeof MEDIA_TYPES)[number]
  /** Undefined for the object as it is. */
  readonly as?: Conversion | undefined
  /** The version of `meta.k8s.io` that the form is of. */
  readonly version: 'v1' | 'v1beta1'
}

/** The media types of answers, in the order of preference, as a 406 lists them. */
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
 * The alternatives of an Accept header, the preferred first: by `q`, then as they were given. A missing header
 * accepts everything. Entries that cannot be parsed are left out. An entry with `q=0` comes last, as in Kubernetes.
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

/** Whether a clause accepts a media type. */
export function accepts(clause: AcceptClause, mediaType: string): boolean {
  const [type, subtype] = mediaType.split('/')
  return (
    clause.type === '*' || (clause.type === type && (clause.subtype === '*' || clause.subtype === subtype))
  )
}

/** The form that nearly every client requests. */
const JSON_AS_IT_IS: Accepted = { mediaType: 'application/json', version: 'v1' }

/**
 * The first form of an Accept header that the server has for objects; undefined where it has none, for a 406.
 * `kubectl get` asks for a Table in two versions, and accepts plain JSON last. `tables` says whether the document has
 * a table, and `protobuf` whether it has a form in protobuf; its metadata always has one.
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
