import { HomeostatError, type ApiHandler, type ApiRequest, type Clock } from '@homeostat/api'
import { callJson } from '@homeostat/apiserver/testing'
import { RESOURCES, type ResourceName } from './resources.ts'

/** One change of one object, as a watch told it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: ResourceName
  readonly object: any
}

/** The kinds whose controllers say which generation they have acted upon. */
const TELLS_GENERATION = new Set(['Deployment', 'ReplicaSet', 'StatefulSet'])

/** Records the changes of the objects of one scenario. */
export class Recording {
  readonly namespace: string
  readonly #clock: Clock
  readonly #kinds: ReadonlySet<string>
  readonly #objects = new Map<string, any>()
  #changes: Change[] = []
  #lastAt: number

  constructor(namespace: string, kinds: readonly ResourceName[], clock: Clock) {
    this.namespace = namespace
    this.#kinds = new Set(kinds)
    this.#clock = clock
    this.#lastAt = clock.monotonic()
  }

  /** For how long nothing has happened, or the scenario has done nothing, in milliseconds. */
  get quietFor(): number {
    return this.#clock.monotonic() - this.#lastAt
  }

  /** The objects of a kind as they are, from the oldest. */
  objects(kind: string): any[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind)
  }

  /** Whether the status of an object does not speak of the object as it is. */
  get isBehind(): boolean {
    return [...this.#objects.values()].some(({ kind, metadata, status }) => {
      if (kind === 'Namespace') return metadata.deletionTimestamp && !status.conditions
      return TELLS_GENERATION.has(kind) && status?.observedGeneration !== metadata.generation
    })
  }

  /** Counts as something that happens. */
  touch(): void {
    this.#lastAt = this.#clock.monotonic()
  }

  hear(change: Change): void {
    const { uid } = change.object.metadata
    const object = { ...change.object, kind: RESOURCES[change.resource].kind }
    if (change.type === 'DELETED') this.#objects.delete(uid)
    else this.#objects.set(uid, object)
    if (!this.#kinds.has(change.resource)) return
    this.#changes.push({ ...change, object })
    this.touch()
  }

  /** The changes since the last time, in the order of the server. */
  take(): Change[] {
    const changes = this.#changes
    this.#changes = []
    const version = ({ object }: Change): number => Number(object.metadata.resourceVersion)
    return changes.sort((a, b) => version(a) - version(b))
  }
}

/** Watches each kind in all namespaces, and tells each scenario of its own objects. */
export class Recorder {
  readonly #clock: Clock
  readonly #abort = new AbortController()
  readonly #recordings = new Set<Recording>()

  private constructor(clock: Clock) {
    this.#clock = clock
  }

  static async start(send: ApiHandler, clock: Clock): Promise<Recorder> {
    const recorder = new Recorder(clock)
    const names = Object.keys(RESOURCES) as ResourceName[]
    await Promise.all(names.map((name) => recorder.#watch(send, name)))
    return recorder
  }

  record(namespace: string, kinds: readonly ResourceName[]): Recording {
    const recording = new Recording(namespace, kinds, this.#clock)
    this.#recordings.add(recording)
    return recording
  }

  forget(recording: Recording): void {
    this.#recordings.delete(recording)
  }

  close(): void {
    this.#abort.abort()
  }

  async #watch(send: ApiHandler, resource: ResourceName): Promise<void> {
    const path = `${RESOURCES[resource].base}/${resource}`
    const list = await callJson(send, 'GET', path)
    if (list.code !== 200) throw new HomeostatError('NO_LIST', `GET ${path} answered ${list.code}`)
    const query = { watch: 'true', resourceVersion: String(list.body.metadata.resourceVersion) }
    const request: ApiRequest = {
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      headers: { accept: 'application/json', 'user-agent': 'workloads/1.0' },
      signal: this.#abort.signal,
    }
    const { body } = await send(request)
    if (body instanceof Uint8Array) throw new HomeostatError('NO_WATCH', `no watch of ${path} was opened`)
    void this.#read(body, resource).catch((error: unknown) => {
      if (!this.#abort.signal.aborted) throw error
    })
  }

  async #read(chunks: AsyncIterable<Uint8Array>, resource: ResourceName): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { type: string; object: any }
        if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
          this.#tell({ type, resource, object })
      }
    }
  }

  #tell(change: Change): void {
    const { namespace, name } = change.object.metadata as { namespace?: string; name: string }
    for (const recording of this.#recordings) {
      // Objects without a namespace bear its name, alone or before a dash.
      const own = namespace ?? (`${name}-`.startsWith(`${recording.namespace}-`) ? recording.namespace : '')
      if (own === recording.namespace) recording.hear(change)
    }
  }
}
