/** JSON as it is sent and answered. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Changes of an object: values by JSON pointer. `null` removes the value. */
export type Changes = Readonly<Record<string, Json>>

/**
 * One question to a server, and the answer of a real kube-apiserver. An object of a kind is made from the file's `base`
 * by `set`: a `create` is a dry run, so that questions leave nothing behind; all others first make an
 * object from `base` and `from`, and then write the answer of the server, changed by `set`.
 */
export interface Question {
  /** `create`, `update`, or the subresource that is written. */
  readonly ask: string
  readonly from?: Changes
  readonly set?: Changes
  /** The fields that are written to the status of the object before an update. */
  readonly was?: Changes
  code?: number
  /** The server's changes to the object that was sent. */
  made?: Changes
  /** The Status that it answered, without the fields that every failure has. */
  failed?: Json
}

/** The questions about one kind. */
export interface Questions {
  readonly path: string
  readonly base: Json
  readonly questions: Question[]
}

/** An answer of either server. */
export interface Answer {
  readonly code: number
  readonly body: Json
}

/** Sends one request to a server. */
export type Send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) => Promise<Answer>

/** The recorded parts of an answer. */
export type Kept = Pick<Question, 'code' | 'made' | 'failed'>

/** Asks a server one question. `name` is the name of an object that has to be made. */
export async function ask(
  send: Send,
  { path, base }: Questions,
  question: Question,
  name: string,
): Promise<Kept> {
  if (question.ask === 'create') {
    const body = changed(base, question.set)
    return kept(body, await send('POST', `${path}?dryRun=All`, body))
  }
  const first = changed(changed(base, { '/metadata/name': name }), question.from)
  let made = await send('POST', path, first)
  if (made.code >= 300) return { code: made.code, failed: { 'could not be made': failureOf(made.body) } }
  if (question.was) made = await send('PUT', `${path}/${name}/status`, changed(made.body, question.was))
  if (made.code >= 300) return { code: made.code, failed: { 'had no such status': failureOf(made.body) } }
  const body = changed(withoutManagers(made.body), question.set)
  const at = `${path}/${name}`
  const answer = await send('PUT', question.ask === 'update' ? at : `${at}/${question.ask}`, body)
  await remove(send, at)
  return kept(body, answer)
}

/** Deletes an object and removes its finalizers, which no controller here would remove. */
async function remove(send: Send, path: string): Promise<void> {
  await send('DELETE', `${path}?gracePeriodSeconds=0`)
  const { code, body } = await send('GET', path)
  if (code === 200) await send('PUT', path, changed(body, { '/metadata/finalizers': null }))
}

function kept(sent: Json, { code, body }: Answer): Kept {
  if (code >= 300) return { code, failed: failureOf(body) }
  const { uid } = metadataOf(body)
  const name = (value: Json): Json =>
    typeof uid === 'string' ? (JSON.parse(JSON.stringify(value).replaceAll(uid, '{uid}')) as Json) : value
  const made: Record<string, Json> = {}
  compare(settled(name(sent)), settled(name(body)), '', made)
  return { code, made }
}

/** The object with changes; a list is extended by the pointer `…/-`. */
function changed(object: Json, changes: Changes = {}): Json {
  const copy = structuredClone(object)
  for (const [pointer, value] of Object.entries(changes)) {
    const keys = pointer.split('/').slice(1).map(unescapeKey)
    const last = keys.pop() ?? ''
    let target = copy as Record<string, Json>
    for (const key of keys) target = (target[key] ??= {}) as Record<string, Json>
    if (Array.isArray(target) && last === '-') target.push(value)
    else if (value !== null) target[last] = value
    else if (Array.isArray(target)) target.splice(Number(last), 1)
    else delete target[last]
  }
  return copy
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The values in the answer that were not sent, by pointer; `null` where the server removed a value. */
function compare(
  sent: Json | undefined,
  answer: Json | undefined,
  at: string,
  made: Record<string, Json>,
): void {
  if (answer === undefined) made[at] = null
  else if (isRecord(sent) && isRecord(answer)) {
    for (const key of [...new Set([...Object.keys(sent), ...Object.keys(answer)])].sort()) {
      compare(sent[key], answer[key], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, made)
    }
  } else if (Array.isArray(sent) && Array.isArray(answer) && sent.length === answer.length) {
    for (const [index, item] of answer.entries())
      compare(sent[index] as Json, item as Json, `${at}/${index}`, made)
  } else if (JSON.stringify(sent) !== JSON.stringify(answer)) {
    made[at] = answer === null ? 'null' : given(at, answer)
  }
}

/** Replaces values that servers choose at random or by the clock with names. */
function given(at: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => given(at, item as Json))
  if (isRecord(value)) {
    const keys = Object.keys(value).sort()
    return Object.fromEntries(keys.map((key) => [key, given(`${at}/${key}`, value[key] as Json)]))
  }
  if (/\/clusterIPs?(\/\d+)?$/.test(at) && /^10\.[\d.]+$/.test(text(value))) return '{address}'
  if (/[nN]odePort$/.test(at) && typeof value === 'number') return '{port}'
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? '{time}' : value
}

/** The object without the fields that differ between any two answers. */
function settled(object: Json): Json {
  const { metadata, ...rest } = object as Record<string, Json>
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    finalizers,
    ...kept
  } = isRecord(metadata) ? metadata : {}
  const own = Array.isArray(finalizers) ? finalizers.filter((one) => !PROTECTION.test(String(one))) : []
  if (isRecord(rest['spec']) && Array.isArray(rest['spec']['taints'])) {
    const { taints, ...spec } = rest['spec']
    const others = (taints as readonly Json[]).filter((taint) => !JSON.stringify(taint).includes(NOT_READY))
    rest['spec'] = others.length > 0 ? { ...spec, taints: others } : spec
  }
  return { ...rest, metadata: own.length > 0 ? { ...kept, finalizers: own } : kept }
}

/** Finalizers and a taint that plugins of the real server add. Only controllers would remove them, and none runs here. */
const PROTECTION = /^kubernetes\.io\/(pv|pvc|vac)-protection$/
const NOT_READY = 'node.kubernetes.io/not-ready"'

function withoutManagers(object: Json): Json {
  const { metadata, ...rest } = object as Record<string, Json>
  const { managedFields: _, ...kept } = metadata as Record<string, Json>
  return { ...rest, metadata: kept }
}

function metadataOf(object: Json): Record<string, Json> {
  const metadata = isRecord(object) ? object['metadata'] : undefined
  return isRecord(metadata) ? metadata : {}
}

/** A Status without the fields that every failure has, and without values and differences in Go's notation. */
function failureOf(body: Json): Json {
  if (!isRecord(body)) return body
  const { kind: _, apiVersion: __, metadata: ___, status: ____, code: _____, message, ...rest } = body
  const details = isRecord(rest['details']) ? rest['details'] : {}
  const causes = Array.isArray(details['causes']) ? (details['causes'] as readonly Cause[]) : []
  const words = causes.map(({ reason, field, message: text }) => [reason ?? '', field ?? '', inWords(text)])
  const derived = messageOf(details, causes)
  return {
    ...rest,
    ...(message === derived || causes.length > 1 ? {} : { message: inWords(text(message)) }),
    ...(rest['details'] === undefined
      ? {}
      : { details: { ...withoutUid(details), ...(words.length > 0 && { causes: words }) } }),
  }
}

interface Cause {
  readonly reason?: string
  readonly field?: string
  readonly message: string
}

/** The message of an invalid object, made from its causes. */
function messageOf(details: Record<string, Json>, causes: readonly Cause[]): string {
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  const kind = details['group'] ? `${text(details['kind'])}.${text(details['group'])}` : text(details['kind'])
  const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
  return `${kind} ${JSON.stringify(details['name'] ?? '')} is invalid: ${list}`
}

function withoutUid(all: Record<string, Json>): Record<string, Json> {
  const { uid: _, ...details } = all
  return details
}

/** Values that messages show as Go's own types, and differences as Go prints them, are not compared. */
function inWords(message: string): string {
  const [first = ''] = message.split(/\n(?=@@|[ \u00a0]*[a-zA-Z.]+\{)/)
  return first
    .replace(/value: [[{].*"[A-Z][A-Za-z]*":.*[}\]](: |$)/s, 'value: {…}$1')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{uid}')
    .replaceAll(/10\.\d+\.\d+\.\d+\/\d+/g, '{range}')
    .replaceAll(/10\.96\.\d+\.\d+/g, '{address}')
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
