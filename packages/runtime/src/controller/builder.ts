import { HomeostatError, type AnyKind, type KeyOf, type ObjectKey, type ObjectOf } from '@homeostat/api'
import {
  forObject,
  forOwner,
  fromMap,
  fromValue,
  type Handler,
  type KindHandler,
  type Mapping,
} from '../handler/index.ts'
import type { Predicate } from '../predicate/index.ts'
import type { Request } from '../reconcile/index.ts'
import type { ExternalEvent, ObjectSource, Source } from '../source/index.ts'
import type { Access, WriteVerb } from './access.ts'
import { checkOptions } from './check-options.ts'
import type { Controller, ControllerOptions, Reconcile, Watch } from './controller.ts'

/** Options of what is watched. */
export interface WatchOptions<K extends AnyKind> {
  /** Which events matter. Default: all. */
  predicate?: Predicate<K> | undefined
}

export interface OwnsOptions<K extends AnyKind> extends WatchOptions<K> {
  /** Whether any owner of our kind is meant, not only the one that controls the object. Default: false. */
  everyOwner?: boolean | undefined
}

/** A controller in the making. Each call gives a new one: a part in common can be used twice. */
export interface ControllerBuilder {
  /** The kind that is reconciled: a request for each object of it that comes, changes or goes. */
  for<K extends AnyKind>(kind: K, options?: WatchOptions<K>): ControllerForBuilder<K>
  watches<W extends AnyKind>(
    kind: W,
    handler: KindHandler<W> | Mapping<ObjectOf<W>>,
    options?: WatchOptions<W>,
  ): ControllerBuilder
  watches<W extends AnyKind>(
    source: ObjectSource<W>,
    handler: KindHandler<W> | Mapping<ObjectOf<W>>,
    options?: WatchOptions<W>,
  ): ControllerBuilder
  watches<T>(
    source: Source<ExternalEvent<T>>,
    handler: Handler<ExternalEvent<T>> | Mapping<T>,
  ): ControllerBuilder
  /**
   * Says that requests name more than an object, such as the cluster that it is in: `requests<{ cluster: string; … }>()`.
   * What they name besides `namespace` and `name` are strings. Handlers and mappings give them.
   */
  requests<R extends ObjectKey>(): ControllerOfBuilder<R>
  reads(...kinds: readonly AnyKind[]): ControllerBuilder
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerBuilder
  options(options: ControllerOptions): ControllerBuilder
  reconcile(reconcile: Reconcile, options?: ControllerOptions): Controller
}

/** A controller in the making whose requests are of a type of its own. */
export interface ControllerOfBuilder<R extends ObjectKey> {
  watches<W extends AnyKind>(
    what: W | ObjectSource<W>,
    handler: KindHandler<W, R> | Mapping<ObjectOf<W>, R>,
    options?: WatchOptions<W>,
  ): ControllerOfBuilder<R>
  watches<T>(
    source: Source<ExternalEvent<T>>,
    handler: Handler<ExternalEvent<T>, R> | Mapping<T, R>,
  ): ControllerOfBuilder<R>
  reads(...kinds: readonly AnyKind[]): ControllerOfBuilder<R>
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerOfBuilder<R>
  options(options: ControllerOptions): ControllerOfBuilder<R>
  reconcile(reconcile: Reconcile<R>, options?: ControllerOptions): Controller
}

/** A controller in the making whose kind is known. */
export interface ControllerForBuilder<K extends AnyKind> {
  /** A kind whose objects ours own: a change of one is a request for its owner. */
  owns<O extends AnyKind>(kind: O, options?: OwnsOptions<O>): ControllerForBuilder<K>
  /** Another kind, and which requests its objects mean: a handler, or a function from object to requests. */
  watches<W extends AnyKind>(
    kind: W,
    handler: KindHandler<W> | Mapping<ObjectOf<W>, KeyOf<K>>,
    options?: WatchOptions<W>,
  ): ControllerForBuilder<K>
  /** A kind of another cluster, or kinds that change while the controller runs. */
  watches<W extends AnyKind>(
    source: ObjectSource<W>,
    handler: KindHandler<W> | Mapping<ObjectOf<W>, KeyOf<K>>,
    options?: WatchOptions<W>,
  ): ControllerForBuilder<K>
  /** A channel or a timer, and which requests its events mean. */
  watches<T>(
    source: Source<ExternalEvent<T>>,
    handler: Handler<ExternalEvent<T>> | Mapping<T, KeyOf<K>>,
  ): ControllerForBuilder<K>
  /** Kinds that the reconcile reads although it does not watch them. It counts for `manager.rules()` alone. */
  reads(...kinds: readonly AnyKind[]): ControllerForBuilder<K>
  /**
   * How the reconcile writes a kind, by the names of the client's methods: `.writes(Pod, 'create')`,
   * `.writes(At, 'status.apply')`. It counts for `manager.rules()` alone: no write is checked against it.
   */
  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): ControllerForBuilder<K>
  options(options: ControllerOptions): ControllerForBuilder<K>
  /** The controller, as a value. `options` add to those given before. */
  reconcile(reconcile: Reconcile<Request<K>>, options?: ControllerOptions): Controller
}

const NAME = /^[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?$/

/**
 * Begins a controller. Its name stands in logs and metrics, and is the field manager of all that it
 * writes: keep it when the controller's code moves.
 */
export function controller(name: string): ControllerBuilder {
  if (!NAME.test(name)) {
    throw new HomeostatError(
      'CONTROLLER_NAME_INVALID',
      `${JSON.stringify(name)} is no name for a controller: use up to 63 lower-case letters, digits, -, _ and ., with a letter or digit at both ends`,
    )
  }
  return new Builder({ name, watches: [], access: [], options: {} })
}

type Parts = Omit<Controller, 'reconcile'>

class Builder {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  for(kind: AnyKind, options: WatchOptions<any> = {}): any {
    if (this.#parts.kind) {
      throw new HomeostatError(
        'CONTROLLER_FOR_TWICE',
        `the controller ${this.#parts.name} is for ${this.#parts.kind.kind} already: use owns or watches for ${kind.kind}`,
      )
    }
    return this.#and({ role: 'for', kind, handler: forObject(), predicate: options.predicate }, kind)
  }

  owns(kind: AnyKind, options: OwnsOptions<any> = {}): any {
    const owner = this.#parts.kind
    if (!owner) {
      throw new HomeostatError(
        'CONTROLLER_OWNS_BEFORE_FOR',
        `the controller ${this.#parts.name} cannot own ${kind.kind} objects before its own kind is known: call for first`,
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

  reads(...kinds: readonly AnyKind[]): any {
    const read = kinds.map((kind): Access => ({ kind, verbs: ['read'] }))
    return new Builder({ ...this.#parts, access: [...this.#parts.access, ...read] })
  }

  writes(kind: AnyKind, ...verbs: readonly WriteVerb[]): any {
    return new Builder({ ...this.#parts, access: [...this.#parts.access, { kind, verbs }] })
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
        `the controller ${name} would never be called: say with for or watches what it reconciles`,
      )
    }
    return Object.freeze({ ...this.#parts, options: { ...this.#parts.options, ...options }, reconcile })
  }

  #and(watch: Watch, kind = this.#parts.kind): Builder {
    return new Builder({ ...this.#parts, kind, watches: [...this.#parts.watches, watch] })
  }
}
