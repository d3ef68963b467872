import { apiVersionOf, deepFreeze, type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import {
  hasInexactNumber,
  isNotFound,
  objectPath,
  type Requester,
  withExactNumbers,
} from '../requests/index.ts'
import type { WriteListener } from '../apply/index.ts'
import type { ClientCache } from './client-cache.ts'
import type { Patch, WriteOptions } from './interface/client.ts'
import { observeAnswer } from './observe-answer.ts'

/** The options that all writes of a client share. Options of a single write take precedence. */
export interface WriteDefaults extends CommonWriteOptions {
  readonly fieldManager: string
}

/** The write options that can be set for a whole client. */
export type CommonWriteOptions = Omit<WriteOptions, 'signal'>

/** An answer with its apiVersion and kind. */
export interface TypedAnswer {
  readonly apiVersion: string
  readonly kind: string
}

/** One write, with its kind and its object. */
export interface ObjectWrite {
  readonly verb: string
  readonly kind: AnyKind
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined }
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly body: unknown
  readonly options?: WriteOptions | undefined
  readonly query?: Record<string, string> | undefined
  readonly contentType?: string | undefined
  readonly subresource?: string | undefined
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** The subresource of ServiceAccounts that issues tokens. It changes no object. */
const TOKEN = 'token'

/** Sends writes, and reports their results to the cache. */
export class ObjectWriter {
  readonly #requester: Requester
  readonly #defaults: WriteDefaults
  readonly #cache: ClientCache | undefined
  readonly #listener: WriteListener

  constructor(
    requester: Requester,
    defaults: WriteDefaults,
    cache: ClientCache | undefined,
    listener: WriteListener,
  ) {
    this.#requester = requester
    this.#defaults = defaults
    this.#cache = cache
    this.#listener = listener
  }

  /** Sends a write. Resolves with the object, or for some subresources with a document of another kind. */
  async write<T extends TypedAnswer = KubernetesObject>(request: ObjectWrite): Promise<T> {
    const { onWrite } = this.#listener
    if (!onWrite || withDefaults(this.#defaults, request.options).dryRun) return this.#send<T>(request)
    const { verb, kind, key, subresource } = request
    const before = key.name === undefined ? undefined : this.#cache?.peek?.(kind, { ...key, name: key.name })
    const about = { verb, kind, key, subresource, before }
    try {
      const answer = await this.#send<T>(request)
      const after = isOfKind(answer, kind) ? answer : undefined
      onWrite.call(this.#listener, { ...about, after })
      return answer
    } catch (error) {
      onWrite.call(this.#listener, { ...about, error })
      throw error
    }
  }

  async #send<T extends TypedAnswer>(request: ObjectWrite): Promise<T> {
    const { options: given, ...rest } = request
    const { fieldManager, dryRun, fieldValidation } = withDefaults(this.#defaults, given)
    const object = deepFreeze(
      await this.#requester.json<T>({
        ...rest,
        query: { ...request.query, fieldManager, dryRun: dryRun ? 'All' : undefined, fieldValidation },
        signal: given?.signal,
      }),
    )
    if (this.#cache && !dryRun) {
      if (isOfKind(object, request.kind)) observeAnswer(this.#cache, request.kind, object)
      else if (request.subresource !== TOKEN && this.#cache.keeps(request.kind)) {
        await this.#observeObject(this.#cache, request)
      }
    }
    return object
  }

  /**
   * Updates the cache after a write whose answer does not contain the object: a scale, a binding, an eviction. A
   * failure to read the object is ignored, because the write has succeeded and the watch delivers the object later.
   */
  async #observeObject(cache: ClientCache, { kind, key, options }: ObjectWrite): Promise<void> {
    const { name, namespace } = key
    if (!name) return
    const path = objectPath(kind, { name, namespace })
    try {
      const live = {
        verb: 'get',
        kind,
        key: { name, namespace },
        method: 'GET',
        path,
        signal: options?.signal,
      } as const
      observeAnswer(cache, kind, deepFreeze(await this.#requester.json<KubernetesObject>(live)))
    } catch (error) {
      if (isNotFound(error)) cache.observeDelete(kind, { name, namespace }, undefined)
    }
  }

  /** Writes a whole object. Numbers that were rounded when they were read are written as the server holds them. */
  async replace<T extends TypedAnswer = KubernetesObject>(
    kind: AnyKind,
    key: ObjectKey,
    whole: object,
    options?: WriteOptions,
    subresource?: string,
  ): Promise<T> {
    const path = objectPath(kind, key, subresource)
    const body = hasInexactNumber(whole) ? await this.#exactly(kind, key, whole, options) : whole
    return this.write<T>({ verb: 'update', kind, key, method: 'PUT', path, body, options, subresource })
  }

  async #exactly(kind: AnyKind, key: ObjectKey, whole: object, options?: WriteOptions): Promise<object> {
    const { name, namespace } = key
    const path = objectPath(kind, { name, namespace })
    const read = { verb: 'get', kind, key: { name, namespace }, method: 'GET', path, exact: true } as const
    try {
      const live = await this.#requester.json<KubernetesObject>({ ...read, signal: options?.signal })
      const shown = namespace === undefined ? name : `${namespace}/${name}`
      return withExactNumbers(whole, live, `${kind.kind} ${shown}`)
    } catch (error) {
      // The answer to the write then says that there is none.
      if (isNotFound(error)) return whole
      throw error
    }
  }

  patch<T extends TypedAnswer = KubernetesObject>(
    kind: AnyKind,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
    subresource?: string,
  ): Promise<T> {
    return this.write<T>({
      verb: 'patch',
      kind,
      key,
      method: 'PATCH',
      path: objectPath(kind, key, subresource),
      body: patch.body,
      contentType: PATCH_TYPES[patch.type],
      options,
      subresource,
    })
  }
}

function isOfKind(answer: TypedAnswer, kind: AnyKind): answer is KubernetesObject {
  return answer.kind === kind.kind && answer.apiVersion === apiVersionOf(kind)
}

/** Options that are absent or `undefined` get the defaults. */
function withDefaults(defaults: WriteDefaults, given: WriteOptions = {}): WriteDefaults {
  return {
    fieldManager: given.fieldManager ?? defaults.fieldManager,
    dryRun: given.dryRun ?? defaults.dryRun,
    fieldValidation: given.fieldValidation ?? defaults.fieldValidation,
  }
}
