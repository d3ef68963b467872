import { SimulatedClock, type ApiRequest, type ApiResponse, type KubernetesObject } from '@homeostat/api'
import { expect, it } from 'vitest'
import { configMap, ConfigMap, failure, failureStatus, json } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { directTransport } from '../transport/direct-transport.ts'
import { InformerCache } from './informer-cache.ts'
import type { ObjectEvent } from './informer.ts'

type Change = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }

/** A server of ConfigMaps whose watches at random lag behind, break off, split lines and lose history. */
class FlakyApi {
  readonly objects = new Map<string, KubernetesObject>()
  readonly history: Change[] = []
  readonly #random: () => number
  readonly #wake = new Set<() => void>()
  #uids = 0
  /** Up to which revision watches show changes. */
  shown = 0
  /** Below which revision changes are forgotten. */
  forgotten = 0
  faults = true
  watchLists = true

  constructor(random: () => number) {
    this.#random = random
  }

  get revision(): number {
    return this.history.length
  }

  put(name: string, data: Record<string, string>): KubernetesObject {
    const old = this.objects.get(name)
    const uid = old?.metadata.uid ?? `uid-${++this.#uids}`
    const object = configMap(name, String(this.revision + 1), { uid, data })
    this.objects.set(name, object)
    this.history.push({ type: old ? 'MODIFIED' : 'ADDED', object })
    return object
  }

  remove(name: string): KubernetesObject | undefined {
    const old = this.objects.get(name)
    if (!old) return undefined
    this.objects.delete(name)
    const metadata = { ...old.metadata, resourceVersion: String(this.revision + 1) }
    this.history.push({ type: 'DELETED', object: { ...old, metadata } })
    return old
  }

  show(revision: number): void {
    this.shown = Math.max(this.shown, revision)
    for (const wake of this.#wake) wake()
  }

  readonly handler = async (request: ApiRequest): Promise<ApiResponse> => {
    const { query, method } = request
    const name = request.path.split('/configmaps/')[1]
    if (this.faults && method === 'GET' && this.#random() < 0.1) return failure(500, 'InternalError')
    if (query.get('watch')) return this.#watch(request)
    if (method === 'PATCH') {
      const { data } = JSON.parse(new TextDecoder().decode(request.body)) as { data: Record<string, string> }
      return json(this.put(name!, data))
    }
    if (method === 'DELETE') {
      const old = this.remove(name!)
      if (!old) return failure(404, 'NotFound', { name })
      return json({ kind: 'Status', apiVersion: 'v1', status: 'Success', details: { uid: old.metadata.uid } })
    }
    this.show(this.revision)
    const metadata = { resourceVersion: String(this.revision) }
    return json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: [...this.objects.values()] })
  }

  #watch({ query, signal }: ApiRequest): ApiResponse {
    if (query.get('sendInitialEvents') && !this.watchLists) return failure(422, 'Invalid')
    const from = query.get('resourceVersion')
    if (from !== null && Number(from) < this.forgotten) return failure(410, 'Expired')
    return { status: 200, headers: {}, body: this.#stream(from, signal!) }
  }

  async *#stream(from: string | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const encode = (value: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`)
    let at = Number(from ?? 0)
    if (from === null) {
      at = this.revision
      this.show(at)
      for (const object of Array.from(this.objects.values())) yield encode({ type: 'ADDED', object })
      const annotations = { 'k8s.io/initial-events-end': 'true' }
      yield encode({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(at), annotations } } })
    }
    while (!signal.aborted) {
      while (at < this.shown) {
        const line = encode(this.history[at]!)
        if (this.faults && this.#random() < 0.08) {
          const fault = this.#random()
          if (at < this.forgotten) yield encode({ type: 'ERROR', object: failureStatus(410, 'Expired') })
          else if (fault < 0.4) yield line.slice(0, Math.floor(this.#random() * line.length))
          else if (fault < 0.7) throw new Error('connection reset')
          return
        }
        at++
        const cut = Math.floor(this.#random() * line.length)
        yield line.slice(0, cut)
        yield line.slice(cut)
      }
      if (this.#random() < 0.1) {
        yield encode({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(at) } } })
      }
      let wake = (): void => {}
      await new Promise<void>((resolve) => {
        wake = resolve
        this.#wake.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      })
      this.#wake.delete(wake)
    }
  }
}

/** Keeps a copy from events alone, and notes each event that contradicts the earlier ones. */
function replica(cache: InformerCache, problems: string[]): Map<string, KubernetesObject> {
  const copy = new Map<string, KubernetesObject>()
  cache.informer(ConfigMap).listen((event) => {
    const object = event.object as KubernetesObject
    const { name } = object.metadata
    const known = copy.get(name)
    if (!follows(event, known)) problems.push(`${event.type} ${describe(object)} after ${describe(known)}`)
    if (event.type === 'deleted') copy.delete(name)
    else copy.set(name, object)
  })
  return copy
}

function follows(event: ObjectEvent, known: KubernetesObject | undefined): boolean {
  const { metadata } = event.object
  if (event.type === 'added') return known === undefined
  if (!known || known.metadata.uid !== metadata.uid) return false
  return event.type !== 'updated' || (event.before === known && versionOf(event.object) > versionOf(known))
}

function versionOf(object: { readonly metadata: { readonly resourceVersion: string } }): number {
  return Number(object.metadata.resourceVersion)
}

function describe(object: KubernetesObject | undefined): string {
  return object ? `${object.metadata.name} ${object.metadata.uid} @${versionOf(object)}` : 'nothing'
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'converges through every fault, reports no contradictory event, and is never behind own writes (seed %i)',
  async (seed) => {
    const clock = new SimulatedClock({ seed })
    const random = (): number => clock.random()
    const api = new FlakyApi(random)
    api.watchLists = seed % 2 === 0
    const transport = directTransport(api.handler, { clock })
    await using cache = new InformerCache({
      transport,
      clock,
      firstList: seed % 3 === 0 ? 'list' : 'watch-list',
    })
    const client = createClient({ transport, clock, cache })
    const problems: string[] = []
    const copy = replica(cache, problems)
    await clock.advance('1m')
    await cache.informer(ConfigMap).whenSynced()

    /**
     * The last write of this process to each name: the lowest version that a read may show, or the uid that it
     * deleted.
     */
    const wrote = new Map<string, { version: number } | { gone: string }>()
    for (let step = 0; step < 400; step++) {
      const name = `n${Math.floor(random() * 6)}`
      const key = { namespace: 'default', name }
      const dice = random()
      if (dice < 0.2) api.put(name, { by: 'others', step: String(step) })
      else if (dice < 0.3) api.remove(name)
      else if (dice < 0.5) {
        const object = await client.patch(ConfigMap, key, { type: 'merge', body: { data: { by: 'us' } } })
        wrote.set(name, { version: Number(object.metadata.resourceVersion) })
      } else if (dice < 0.6) {
        const uid = api.objects.get(name)?.metadata.uid
        if (await client.delete(ConfigMap, key)) wrote.set(name, { gone: uid! })
      } else if (dice < 0.9) api.show(Math.floor(api.shown + random() * (api.revision - api.shown + 1)))
      else if (dice < 0.93) api.forgotten = api.shown
      else await clock.advance(Math.floor(random() * 20_000))
      if (random() < 0.7) await clock.settle()

      const informer = cache.informer(ConfigMap)
      const listed = informer.list()
      for (const [written, last] of wrote) {
        const read = informer.get({ namespace: 'default', name: written }) as KubernetesObject | undefined
        if (listed.find((object) => object.metadata.name === written) !== read)
          problems.push(`list and get differ on ${written}`)
        if (isBehind(api, written, read, last))
          problems.push(`step ${step}: ${describe(read)} after ${JSON.stringify(last)}`)
      }
    }

    api.faults = false
    api.show(api.revision)
    await clock.advance('2m')
    api.show(api.revision)
    await clock.settle()
    expect(problems).toEqual([])
    const truth = [...api.objects.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    expect(await client.list(ConfigMap)).toEqual(truth)
    expect([...copy.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(truth)
  },
)

/** Whether a read is older than what this process wrote last: a version, or a deletion. */
function isBehind(
  api: FlakyApi,
  name: string,
  read: KubernetesObject | undefined,
  last: { version: number } | { gone: string },
): boolean {
  if ('gone' in last) return read?.metadata.uid === last.gone
  if (read) return versionOf(read) < last.version
  // The object is missing: it must have been deleted since.
  return api.objects.get(name)?.metadata.uid === api.history[last.version - 1]!.object.metadata.uid
}
