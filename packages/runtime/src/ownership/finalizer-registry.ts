import { formatKey, HomeostatError, keyOf, type AnyKind, type ObjectOf } from '@homeostat/api'
import { type Client, mergeFrom } from '../client/index.ts'
import type { Access, DeclaresAccess } from '../controller/index.ts'
import type { ReconcileContext } from '../reconcile/index.ts'
import { isDone, type CleanUpResult } from './clean-up-result.ts'
import { containsFinalizer } from './finalizers.ts'

/**
 * Cleans up after an object that is being deleted. It may be called again after it succeeded. If it returns
 * `'pending'`, it is not done yet and has not failed: the finalizer stays, and the function is called again with
 * the next reconcile.
 */
export type FinalizeFunction<K extends AnyKind, C> = (object: ObjectOf<K>, context: C) => unknown

/** The state of an object's finalizers, and the current object. */
export interface FinalizeResult<K extends AnyKind> {
  readonly object: ObjectOf<K>
  /** Whether the object is being deleted: the reconcile has nothing more to do then. */
  readonly deleting: boolean
}

const NAME = /^[a-z0-9.-]+(\/[A-Za-z0-9][-A-Za-z0-9_.]*)?$/

/**
 * Finalizers by name, each with its function. An object gets the finalizers that it lacks; when it is being deleted,
 * each function is called, and its finalizer removed when it has succeeded. A finalizer whose function fails stays,
 * and blocks the deletion.
 */
export class FinalizerRegistry<K extends AnyKind, C = ReconcileContext> implements DeclaresAccess {
  readonly #kind: K
  readonly #finalizers = new Map<string, FinalizeFunction<K, C>>()

  constructor(kind: K) {
    this.#kind = kind
  }

  /**
   * The right to change the finalizers of its kind's objects, for `.uses(finalizers)`. The finalizers' functions
   * need further rights for what they do.
   */
  get access(): readonly Access[] {
    return [{ kind: this.#kind, verbs: ['patch'] }]
  }

  /** Throws a `HomeostatError` with code `FINALIZER_INVALID` for a name that is taken, or that a server refuses. */
  register<const R>(
    name: string,
    finalize: CleanUpResult<R> & ((object: ObjectOf<K>, context: C) => R),
  ): this {
    if (this.#finalizers.has(name) || !NAME.test(name) || !name.includes('.')) {
      const why = this.#finalizers.has(name)
        ? 'is already registered'
        : 'is not a valid name: use one such as example.com/clean-up'
      throw new HomeostatError('FINALIZER_INVALID', `the finalizer ${JSON.stringify(name)} ${why}`)
    }
    this.#finalizers.set(name, finalize)
    return this
  }

  /**
   * Brings the object's finalizers up to date. `context` is passed to the functions: most often it is the context
   * of the reconcile. Rejects with code `FINALIZER_FAILED` if some failed; the finalizers that succeeded have been
   * removed by then.
   */
  async finalize(client: Client, object: ObjectOf<K>, context: C): Promise<FinalizeResult<K>> {
    const { metadata }: Finalizing = object
    const { deletionTimestamp, finalizers: present = [] } = metadata
    if (deletionTimestamp) return { object: await this.#cleanUp(client, object, context), deleting: true }
    const missing = [...this.#finalizers.keys()].filter((name) => !present.includes(name))
    return { object: await this.#write(client, object, [...present, ...missing]), deleting: false }
  }

  /**
   * Cleans up after an object that stays, such as one that was switched off: calls the function of each finalizer
   * on it, and removes the finalizer when the function has succeeded. Call `finalize` again once the object needs
   * its finalizers. Returns the object as it is then, and rejects as `finalize` does.
   */
  async release(client: Client, object: ObjectOf<K>, context: C): Promise<ObjectOf<K>> {
    return this.#cleanUp(client, object, context)
  }

  async #cleanUp(client: Client, object: ObjectOf<K>, context: C): Promise<ObjectOf<K>> {
    const { metadata }: Finalizing = object
    const { finalizers: present = [] } = metadata
    const failures: { name: string; error: unknown }[] = []
    const done = new Set<string>()
    for (const [name, finalize] of this.#finalizers) {
      if (!containsFinalizer(object, name)) continue
      try {
        if (isDone(await finalize(object, context))) done.add(name)
      } catch (error) {
        failures.push({ name, error })
      }
    }
    const left = await this.#write(
      client,
      object,
      present.filter((name) => !done.has(name)),
    )
    const [first] = failures
    if (!first) return left
    throw new HomeostatError(
      'FINALIZER_FAILED',
      `${this.#kind.kind} ${formatKey(keyOf(object))} ${metadata.deletionTimestamp ? 'cannot be deleted yet' : 'keeps its finalizers'}: ${failures.map(({ name }) => name).join(', ')} failed`,
      { cause: first.error },
    )
  }

  /**
   * The patch replaces the whole list, so the optimistic lock protects a finalizer that another client adds
   * meanwhile.
   */
  async #write(client: Client, object: ObjectOf<K>, finalizers: readonly string[]): Promise<ObjectOf<K>> {
    const { metadata }: Finalizing = object
    if (finalizers.length === (metadata.finalizers ?? []).length) return object
    const after = { ...(object as object), metadata: { ...metadata, finalizers } }
    const patch = mergeFrom(object, after, { optimisticLock: true })
    return client.patch(this.#kind, keyOf(object as Finalizing), patch)
  }
}

interface Finalizing {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly deletionTimestamp?: string | undefined
    readonly finalizers?: readonly string[] | undefined
  }
}
