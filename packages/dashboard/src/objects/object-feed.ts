import type { AnyKind, Clock } from '@homeostat/api'
import { InformerCache, silentLogger, type Client, type Informer, type Transport } from 'homeostat'
import { hideSecrets, type KindName, type RecordedObject, type Recorder } from '../recording/index.ts'
import { relatedKinds } from './related-kinds.ts'

/** How long to wait before the server is asked again for a kind that it did not serve. */
const LOOK_AGAIN = 2000

/** Watches objects of the kinds that are shown, and records their changes. */
export class ObjectFeed implements AsyncDisposable {
  readonly #cache: InformerCache
  readonly #client: Client
  readonly #clock: Clock
  readonly #recorder: Recorder
  readonly #sharedInformer: (kind: AnyKind) => Informer | undefined
  readonly #listening: Disposable[] = []
  readonly #watched = new Set<string>()
  readonly #end = new AbortController()

  constructor(options: {
    readonly transport: Transport
    readonly client: Client
    readonly clock: Clock
    readonly recorder: Recorder
    /** Watches only objects of these namespaces. Default: all. */
    readonly namespaces?: readonly string[] | undefined
    /** An informer that runs anyway, in place of a watch of its own. Default: there are none. */
    readonly sharedInformer?: ((kind: AnyKind) => Informer | undefined) | undefined
  }) {
    const { transport, client, clock, recorder, namespaces, sharedInformer } = options
    this.#cache = new InformerCache({ transport, clock, namespaces, logger: silentLogger })
    this.#sharedInformer = sharedInformer ?? (() => undefined)
    this.#client = client
    this.#clock = clock
    this.#recorder = recorder
  }

  /**
   * Also watches these kinds, and the kinds of objects that belong to theirs, such as the Pods of a Deployment. A kind
   * that is not served yet is watched as soon as it is.
   */
  watch(kinds: readonly KindName[]): void {
    for (const name of relatedKinds(kinds)) {
      const id = `${name.apiVersion} ${name.kind}`
      if (this.#watched.has(id)) continue
      this.#watched.add(id)
      void this.#start(name)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    for (const each of this.#listening) each[Symbol.dispose]()
    await this.#cache.stop()
  }

  async #start({ apiVersion, kind: name }: KindName): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      const kind = await this.#client.kinds.find(apiVersion, name).catch(() => undefined)
      if (signal.aborted) return
      if (kind) {
        const informer = this.#sharedInformer(kind) ?? this.#cache.informer(kind)
        const listening = informer.listen((event) => {
          if (event.type === 'deleted') this.#recorder.add({ type: 'gone', uid: event.object.metadata.uid })
          else if (event.type !== 'resync') this.#changed({ ...event.object, apiVersion, kind: name })
        })
        this.#listening.push(listening)
        return
      }
      await this.#clock.sleep(LOOK_AGAIN, { signal }).catch(() => undefined)
    }
  }

  #changed(object: RecordedObject): void {
    this.#recorder.add({ type: 'object', object: hideSecrets(object) })
  }
}
