import { SimulatedClock } from '@homeostat/api'
import { onTestFinished } from 'vitest'
import type { Delta } from '../src/watch/delta.ts'
import { watchKind, type WatchKindOptions } from '../src/watch/watch-kind.ts'
import { directTransport } from '../src/transport/direct-transport.ts'
import { configMap, ConfigMap, json, type ScriptedApi, ScriptedStream } from './scripted-api.ts'

/** Watches ConfigMaps on a scripted server, and collects the deltas. The watch ends with the test. */
export function watch(api: ScriptedApi, options: Partial<WatchKindOptions> = {}) {
  const clock = new SimulatedClock()
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const deltas: Delta[] = []
  // A server over a network, unless a test says otherwise.
  const transport = directTransport(api.handler, { clock, inProcess: false })
  const done = (async () => {
    for await (const delta of watchKind({
      transport,
      kind: ConfigMap,
      clock,
      signal: abort.signal,
      firstList: 'watch-list',
      ...options,
    })) {
      deltas.push(delta)
    }
  })()
  const told = (): string[] => deltas.map(describeDelta)
  return { clock, abort, deltas, told, done }
}

function describeDelta(delta: Delta): string {
  switch (delta.type) {
    case 'listed':
      return `listed ${delta.objects.map((object) => object.metadata.name).join(' ')} @${delta.resourceVersion}`
    case 'bookmark':
      return `bookmark @${delta.resourceVersion}`
    case 'missing':
    case 'failed':
      return delta.type
    default:
      return `${delta.type} ${delta.object.metadata.name} @${delta.object.metadata.resourceVersion}`
  }
}

/** The answer to a list of ConfigMaps. */
export function listOf(objects: object[], resourceVersion: string, next?: string) {
  return json({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion, continue: next },
    items: objects,
  })
}

/** A stream that has listed one object, `a`, at version 10. */
export function listedStream(): ScriptedStream {
  return new ScriptedStream().event('ADDED', configMap('a', '5')).bookmark('10', { listEnd: true })
}
