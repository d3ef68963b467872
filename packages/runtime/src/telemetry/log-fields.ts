const REDACTED = '[redacted]'
const DEEPEST = 8

/** Keys whose values are credentials wherever they stand, compared without case, `-` and `_`. */
const SECRET_KEYS = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'bearertoken',
  'password',
  'passwd',
  'passphrase',
  'apikey',
  'privatekey',
  'clientkey',
  'clientkeydata',
  'clientsecret',
])

/** The annotation in which kubectl keeps a copy of the applied object, including a Secret's data. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The fields of a line as plain JSON that is safe to write: credentials and the data of Secrets are left out, errors
 * are written with their code, message and causes, and circular references are cut.
 */
export function logFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return renderEntries(Object.entries(fields), [])
}

function render(value: unknown, within: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
      return value.replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`)
    case 'bigint':
    case 'symbol':
      return String(value)
    case 'function':
      return `[function ${value.name}]`
    case 'object':
      return value === null ? null : renderObject(value, within)
    default:
      return value
  }
}

function renderObject(value: object, within: readonly object[]): unknown {
  if (within.includes(value)) return '[circular]'
  if (within.length >= DEEPEST) return Array.isArray(value) ? '[list]' : '[object]'
  const path = [...within, value]
  if (value instanceof Error) return renderError(value, path)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item) => render(item, path))
  if (value instanceof Map) return renderEntries(value.entries(), path)
  if (value instanceof Set) return [...value].map((item) => render(item, path))
  const plain = isSecretObject(value) ? withoutData(value) : value
  return renderEntries(Object.entries(plain), path)
}

function renderEntries(
  entries: Iterable<[unknown, unknown]>,
  path: readonly object[],
): Record<string, unknown> {
  const rendered = new Map<string, unknown>()
  for (const [key, value] of entries) {
    const name = String(key)
    if (value !== undefined) rendered.set(name, isSecretKey(name) ? REDACTED : render(value, path))
  }
  return Object.fromEntries(rendered)
}

/** Errors with a code explain themselves; of other errors, the stack is written too. */
function renderError(error: Error, path: readonly object[]): object {
  const code = 'code' in error ? error.code : undefined
  return {
    name: error.name,
    ...(code !== undefined && { code: render(code, path) }),
    message: render(error.message, path),
    ...(code === undefined && error.stack && { stack: render(error.stack, path) }),
    ...(error instanceof AggregateError && { errors: error.errors.map((inner) => render(inner, path)) }),
    ...(error.cause !== undefined && { cause: render(error.cause, path) }),
  }
}

function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key.toLowerCase().replaceAll(/[-_]/g, ''))
}

function isSecretObject(value: object): boolean {
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown }
  return kind === 'Secret' && (apiVersion === undefined || apiVersion === 'v1')
}

function withoutData(secret: object): object {
  const { data, stringData, metadata, ...rest } = secret as Record<
    string,
    Record<string, unknown> | undefined
  >
  const annotations = metadata?.['annotations'] as Record<string, unknown> | undefined
  const copied = annotations?.[LAST_APPLIED] !== undefined
  return {
    ...rest,
    metadata: copied ? { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: REDACTED } } : metadata,
    data: data && hideValues(data),
    stringData: stringData && hideValues(stringData),
  }
}

function hideValues(data: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.keys(data).map((key) => [key, REDACTED]))
}
