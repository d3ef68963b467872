import {
  checkOptionNames,
  HomeostatError,
  optionNames,
  type AnyKind,
  type ObjectKey,
  type ObjectOf,
} from '@homeostat/api'
import type { IndexFunction } from '../cache/index.ts'
import type { CacheFields, IndexOf } from '../client/index.ts'
import {
  forObject,
  forOwner,
  fromMap,
  fromValue,
  type AnyRequest,
  type Handler,
  type KindHandler,
  type MappedRequest,
  type Mapping,
} from '../handler/index.ts'
import type { Predicate } from '../predicate/index.ts'
import type { Request, ResultField } from '../reconcile/index.ts'
import type { ExternalEvent, ObjectSource, Source } from '../source/index.ts'
import type { Access, DeclaresAccess, PolicyRule, WriteVerb } from './access.ts'
import { checkOptions } from './check-options.ts'
import type {
  CheckedReconcile,
  Controller,
  ControllerOptions,
  Index,
  Reconcile,
  Watch,
} from './controller.ts'

/** Options of a watch. */
export interface WatchOptions<K extends AnyKind> {
  /** Which events matter. Default: all. */
  predicate?: Predicate<K> | undefined
}

export interface OwnsOptions<K extends AnyKind> extends WatchOptions<K> {
  /**
   * Whether every owner of the controller's kind is reconciled, not only the one that controls the object. Default:
   * false.
   */
  everyOwner?: boolean | undefined
}

const FOR_OPTIONS = optionNames<WatchOptions<AnyKind>>('controller.for', { predicate: true })
const WATCH_OPTIONS = optionNames<WatchOptions<AnyKind>>('controller.watches', { predicate: true })
const OWNS_OPTIONS = optionNames<OwnsOptions<AnyKind>>('controller.owns', {
  predicate: true,
  everyOwner: true,
})

/** A source that a controller can watch: a kind, objects from elsewhere, a channel or a timer. */
export type Watchable = AnyKind | ObjectSource<any> | Source<ExternalEvent<any>>

/**
 * Turns the events of a watch into requests: a handler, or a function from the object (or the value of a channel) to
 * requests. `R` is what the function may return, `Owner` the kind whose objects a handler for owners names.
 */
export type WatchHandler<W, R extends ObjectKey, Owner extends string, I> =
  W extends Source<ExternalEvent<infer Value>>
    ? Handler<ExternalEvent<Value>, R, Owner> | Mapping<Value, R, I>
    : W extends ObjectSource<infer Other>
      ? KindHandler<Other, ObjectKey, Owner> | Mapping<ObjectOf<Other>, R, I>
      : W extends AnyKind
        ? KindHandler<W, ObjectKey, Owner> | Mapping<ObjectOf<W>, R, I>
        : never

/** The options of a watch; events from outside the cluster have none. */
export type OptionsOfWatch<W> =
  W extends Source<ExternalEvent<any>>
    ? undefined
    : W extends ObjectSource<infer Other>
      ? WatchOptions<Other>
      : W extends AnyKind
        ? WatchOptions<W>
        : never

/** Functions from an object to the values that it is found under, by the name of the index. */
export type IndexFunctions<K extends AnyKind, Name extends string> = {
  readonly [N in Name]: IndexFunction<ObjectOf<K>>
}

type KindName<K extends AnyKind> = ObjectOf<K>['kind'] & string

/** Builds a controller. Each call returns a new builder, so a common part can be used twice. */
export interface ControllerBuilder<I = CacheFields> {
  /** The kind that is reconciled: each object that is created, changed or deleted becomes a request. */
  for<K extends AnyKind>(kind: K, options?: WatchOptions<K>): ControllerForBuilder<K, I>
  watches<W extends Watchable>(
    what: W,
    handler: WatchHandler<NoInfer<W>, AnyRequest, string, I>,
    options?: OptionsOfWatch<NoInfer<W>>,
  ): ControllerBuilder<I>
  /**
   * Declares that requests carry more than the name of an object, such as its cluster: `requests<{ cluster: string;
   * … }>()`. The fields besides `namespace` and `name` are strings, which handlers and mappings set.
   */
  requests<R extends ObjectKey>(): ControllerOfBuilder<R, I>
  indexes<X extends AnyKind, Name extends string>(
    kind: X,
    functions: IndexFunctions<X, Name>,
  ): ControllerBuilder<I | IndexOf<X, Name>>
  reads(...kinds: readonly AnyKind[]): ControllerBuilder<I>
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerBuilder<I>
  uses(...helpers: readonly DeclaresAccess[]): ControllerBuilder<I>
  rules(...rules: readonly PolicyRule[]): ControllerBuilder<I>
  options(options: ControllerOptions): ControllerBuilder<I>
  reconcile<F extends string = ResultField>(
    reconcile: CheckedReconcile<ObjectKey, I, F>,
    options?: ControllerOptions,
  ): Controller
}

/** Builds a controller with its own type of requests. */
export interface ControllerOfBuilder<R extends ObjectKey, I = CacheFields> {
  watches<W extends Watchable>(
    what: W,
    handler: WatchHandlerOf<NoInfer<W>, R, I>,
    options?: OptionsOfWatch<NoInfer<W>>,
  ): ControllerOfBuilder<R, I>
  indexes<X extends AnyKind, Name extends string>(
    kind: X,
    functions: IndexFunctions<X, Name>,
  ): ControllerOfBuilder<R, I | IndexOf<X, Name>>
  reads(...kinds: readonly AnyKind[]): ControllerOfBuilder<R, I>
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerOfBuilder<R, I>
  uses(...helpers: readonly DeclaresAccess[]): ControllerOfBuilder<R, I>
  rules(...rules: readonly PolicyRule[]): ControllerOfBuilder<R, I>
  options(options: ControllerOptions): ControllerOfBuilder<R, I>
  reconcile<F extends string = ResultField>(
    reconcile: CheckedReconcile<R, I, F>,
    options?: ControllerOptions,
  ): Controller
}

/** Like {@link WatchHandler}, for handlers that must return the controller's own type of requests. */
export type WatchHandlerOf<W, R extends ObjectKey, I> =
  W extends Source<ExternalEvent<infer Value>>
    ? Handler<ExternalEvent<Value>, R> | Mapping<Value, R, I>
    : W extends ObjectSource<infer Other>
      ? KindHandler<Other, R> | Mapping<ObjectOf<Other>, R, I>
      : W extends AnyKind
        ? KindHandler<W, R> | Mapping<ObjectOf<W>, R, I>
        : never

/** Builds a controller whose kind is known. */
export interface ControllerForBuilder<K extends AnyKind, I = CacheFields> {
  /** A kind whose objects are owned by the controller's objects: a change of one becomes a request for its owner. */
  owns<O extends AnyKind>(kind: O, options?: OwnsOptions<O>): ControllerForBuilder<K, I>
  /**
   * Another source to watch, and how its events become requests: by a handler, or by a function. The source may be
   * another kind, a kind of another cluster, kinds that change while the controller runs, a channel or a timer.
   */
  watches<W extends Watchable>(
    what: W,
    handler: WatchHandler<NoInfer<W>, MappedRequest<K>, KindName<K>, I>,
    options?: OptionsOfWatch<NoInfer<W>>,
  ): ControllerForBuilder<K, I>
  /**
   * Indexes objects of a kind by the values that a function returns: `.indexes(Job, { owner: (job) => … })`, and in
   * the reconcile `client.list(Job, { fields: { owner: 'a' } })`. The cache keeps the index for all controllers.
   */
  indexes<X extends AnyKind, Name extends string>(
    kind: X,
    functions: IndexFunctions<X, Name>,
  ): ControllerForBuilder<K, I | IndexOf<X, Name>>
  /**
   * Kinds that the reconcile reads although it does not watch them. `manager.rules()` includes the right to read
   * them.
   */
  reads(...kinds: readonly AnyKind[]): ControllerForBuilder<K, I>
  /**
   * How the reconcile writes a kind, by the names of the client's methods: `.writes(Pod, 'create')`, `.writes(At,
   * 'status.apply')`, `.writes(ConfigMap, 'createOrUpdate')`. `manager.rules()` derives RBAC rules from it, and the
   * API server refuses what they do not allow. An `OperatorTest` runs under these rules.
   */
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerForBuilder<K, I>
  /** Helpers that the reconcile calls and that know their own rights: `.uses(finalizers)` for a `FinalizerRegistry`. */
  uses(...helpers: readonly DeclaresAccess[]): ControllerForBuilder<K, I>
  /** RBAC rules, for rights that kinds and methods cannot express: kinds that are found at run time, `impersonate`. */
  rules(...rules: readonly PolicyRule[]): ControllerForBuilder<K, I>
  options(options: ControllerOptions): ControllerForBuilder<K, I>
  /** The controller, as a value. `options` add to those given before. */
  reconcile<F extends string = ResultField>(
    reconcile: CheckedReconcile<Request<K>, I, F>,
    options?: ControllerOptions,
  ): Controller
}

const NAME = /^[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?$/

/**
 * Begins a controller. Its name appears in logs and metrics, and is the field manager of all its writes: keep the
 * name when the controller's code moves.
 */
export function controller(name: string): ControllerBuilder {
  if (!NAME.test(name)) {
    throw new HomeostatError(
      'CONTROLLER_NAME_INVALID',
      `${JSON.stringify(name)} is not a valid name for a controller: use up to 63 lower-case letters, digits, -, _ and ., with a letter or digit at both ends`,
    )
  }
  return new Builder({ name, watches: [], indexes: [], access: [], rules: [], options: {} })
}

type Parts = Omit<Controller, 'reconcile'>

/** Lists select by these fields without an index, so an index of that name would never be used. */
function checkIndexName(controller: string, kind: AnyKind, name: string): void {
  if (name !== '' && name !== 'metadata.name' && name !== 'metadata.namespace') return
  throw new HomeostatError(
    'INDEX_NAME_INVALID',
    `the controller ${controller} cannot index ${kind.kind} by ${JSON.stringify(name)}: ${name === '' ? 'an index needs a name' : 'lists can select by that field without an index. Give the index another name'}`,
  )
}

class Builder {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  for(kind: AnyKind, options: WatchOptions<any> = {}): any {
    checkOptionNames(options, FOR_OPTIONS)
    if (this.#parts.kind) {
      throw new HomeostatError(
        'CONTROLLER_FOR_TWICE',
        `the controller ${this.#parts.name} is already for ${this.#parts.kind.kind}: use .owns() or .watches() for ${kind.kind}`,
      )
    }
    return this.#and({ role: 'for', kind, handler: forObject(), predicate: options.predicate }, kind)
  }

  owns(kind: AnyKind, options: OwnsOptions<any> = {}): any {
    checkOptionNames(options, OWNS_OPTIONS)
    const owner = this.#parts.kind
    if (!owner) {
      throw new HomeostatError(
        'CONTROLLER_OWNS_BEFORE_FOR',
        `the controller ${this.#parts.name} cannot own ${kind.kind} objects before its own kind is known: call .for() first`,
      )
    }
    const handler = forOwner(owner, { everyOwner: options.everyOwner })
    return this.#and({ role: 'owns', kind, handler, predicate: options.predicate })
  }

  watches(
    what: AnyKind | ObjectSource<any> | Source<any>,
    handler: Handler<any> | Mapping<any>,
    options: WatchOptions<any> = {},
  ): any {
    checkOptionNames(options, WATCH_OPTIONS)
    if ('start' in what) {
      const byValue = typeof handler === 'function' ? fromValue(handler) : handler
      return this.#and({ role: 'source', source: what, handler: byValue })
    }
    const byObject = typeof handler === 'function' ? fromMap(handler) : handler
    if ('watch' in what) {
      return this.#and({ role: 'objects', source: what, handler: byObject, predicate: options.predicate })
    }
    return this.#and({ role: 'watches', kind: what, handler: byObject, predicate: options.predicate })
  }

  requests(): any {
    return this
  }

  indexes(kind: AnyKind, functions: Readonly<Record<string, IndexFunction<any>>>): any {
    const { name: controller, indexes, access } = this.#parts
    const added = Object.entries(functions).map(([name, valuesOf]): Index => ({ kind, name, valuesOf }))
    for (const { name } of added) checkIndexName(controller, kind, name)
    return new Builder({
      ...this.#parts,
      indexes: [...indexes, ...added],
      access: [...access, { kind, verbs: ['read'] }],
    })
  }

  reads(...kinds: readonly AnyKind[]): any {
    const read = kinds.map((kind): Access => ({ kind, verbs: ['read'] }))
    return new Builder({ ...this.#parts, access: [...this.#parts.access, ...read] })
  }

  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): any {
    return new Builder({ ...this.#parts, access: [...this.#parts.access, { kind, verbs }] })
  }

  uses(...helpers: readonly DeclaresAccess[]): any {
    const used = helpers.flatMap(({ access }) => access)
    return new Builder({ ...this.#parts, access: [...this.#parts.access, ...used] })
  }

  rules(...rules: readonly PolicyRule[]): any {
    return new Builder({ ...this.#parts, rules: [...this.#parts.rules, ...rules] })
  }

  options(options: ControllerOptions): any {
    checkOptions(`the controller ${this.#parts.name}`, options)
    return new Builder({ ...this.#parts, options: { ...this.#parts.options, ...options } })
  }

  reconcile(reconcile: Reconcile<any>, options: ControllerOptions = {}): Controller {
    const { name, watches } = this.#parts
    checkOptions(`the controller ${name}`, options)
    if (watches.length === 0) {
      throw new HomeostatError(
        'CONTROLLER_WITHOUT_SOURCE',
        `the controller ${name} would never be called: declare what it reconciles with .for() or .watches()`,
      )
    }
    return Object.freeze({ ...this.#parts, options: { ...this.#parts.options, ...options }, reconcile })
  }

  #and(watch: Watch, kind = this.#parts.kind): Builder {
    return new Builder({ ...this.#parts, kind, watches: [...this.#parts.watches, watch] })
  }
}
