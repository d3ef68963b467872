import type { AnyKind } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { nameOf, referenceTo, type ObjectReference, type PlainObject, type Step } from '../stories/index.ts'
import { collectionOf, pathOf, readObject } from './state.ts'

const HEADERS = { 'user-agent': 'user', 'content-type': 'application/json' }

/** Writes objects as the user of a story and other clients do. Throws {@link StepRefused} where the server refuses a write. */
export class StoryUser {
  readonly #environment: TestEnvironment
  readonly #kinds: readonly AnyKind[]
  #written: string | undefined

  constructor(environment: TestEnvironment, kinds: readonly AnyKind[]) {
    this.#environment = environment
    this.#kinds = kinds
  }

  /** The version of the object that was written since the last call. */
  takeVersion(): string | undefined {
    const written = this.#written
    this.#written = undefined
    return written
  }

  async create({ object, controlledBy }: Extract<Step, { step: 'create' }>): Promise<void> {
    const { namespace } = object.metadata
    if (namespace !== undefined && namespace !== 'default') await this.#ensureNamespace(namespace)
    const reference = referenceTo(object)
    const owners = controlledBy && { ownerReferences: [await this.#ownerReference(controlledBy)] }
    const metadata = { ...object.metadata, ...owners }
    await this.#send('POST', collectionOf(this.#kinds, reference), { ...object, metadata })
  }

  async #ownerReference(owner: ObjectReference): Promise<object> {
    const { metadata } = await readObject(this.#environment, this.#kinds, owner)
    const { apiVersion, kind, name } = owner
    return { apiVersion, kind, name, uid: metadata.uid, controller: true }
  }

  async #ensureNamespace(name: string): Promise<void> {
    const path = '/api/v1/namespaces'
    if ((await this.#environment.call('GET', `${path}/${name}`)).code === 200) return
    await this.#environment.prepare('POST', path, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }

  /** Replaces everything but metadata and status, as `kubectl replace` does. */
  async change(object: PlainObject): Promise<void> {
    const reference = referenceTo(object)
    const current = await readObject(this.#environment, this.#kinds, reference)
    if (!current) throw new StepRefused(`${nameOf(reference)} is gone`)
    const { metadata, status } = current
    await this.#send('PUT', pathOf(this.#kinds, reference), {
      ...object,
      metadata,
      ...(status && { status }),
    })
  }

  /** Writes one field of an object. */
  async edit({ object, path, value }: Extract<Step, { step: 'edit' }>): Promise<void> {
    const current = await readObject(this.#environment, this.#kinds, object)
    if (!current) throw new StepRefused(`${nameOf(object)} is gone`)
    await this.#send('PUT', pathOf(this.#kinds, object), withField(current, path, value))
  }

  async delete(object: ObjectReference): Promise<void> {
    await this.#send('DELETE', pathOf(this.#kinds, object))
  }

  async #send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    const { code, body: answer } = await this.#environment.call(method, path, { body, headers: HEADERS })
    this.#written = answer.metadata?.resourceVersion
    if (code < 300 || (method === 'DELETE' && code === 404)) return
    throw new StepRefused(answer.message ?? `HTTP ${code}`)
  }
}

/** The server refused a step of a user or of another client. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused'
}

function withField(object: any, [key, ...rest]: readonly (string | number)[], value: unknown): any {
  if (key === undefined) return value
  const copy = Array.isArray(object) ? [...object] : { ...object }
  const inner = withField(copy[key] ?? {}, rest, value)
  if (inner === undefined && Array.isArray(copy)) copy.splice(Number(key), 1)
  else if (inner === undefined) delete copy[key]
  else copy[key] = inner
  return copy
}
