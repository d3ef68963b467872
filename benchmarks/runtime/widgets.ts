import { setTimeout as sleep } from 'node:timers/promises'
import { customResourceDefinition } from 'homeostat'
import { Widget } from '../peers/ours/widget.ts'
import { startOfClock } from '../peers/tally.ts'
import type { Api } from './api.ts'

/** Where the objects are served, in all namespaces. */
export const WIDGETS_PATH = '/apis/benchmarks.homeostat.dev/v1/widgets'
/** Where they are created. */
export const NAMESPACE_PATH = '/apis/benchmarks.homeostat.dev/v1/namespaces/default/widgets'
const CREATED_AT_ONCE = 24
const FIELD_MANAGER = 'fieldManager=benchmark'

/** Defines the kind and creates the objects. Resolves with the size of one of them as served, in bytes. */
export async function fill(
  api: Api,
  count: number,
  signal: AbortSignal,
  progress: (created: number) => void,
): Promise<number> {
  await api.send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    customResourceDefinition(Widget),
  )
  await served(api, signal)
  let next = 0
  const createSome = async () => {
    while (next < count) {
      signal.throwIfAborted()
      const index = next++
      await api.send('POST', `${NAMESPACE_PATH}?${FIELD_MANAGER}`, widget(index))
      if (index % 1_000 === 999) progress(index + 1)
    }
  }
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, createSome))
  const one = await api.send('GET', `${NAMESPACE_PATH}/${nameOf(Math.floor(count / 2))}`)
  return Buffer.byteLength(one)
}

/**
 * Updates objects at an even pace, each write with the time at which it was sent, in microseconds. Resolves
 * when all have been answered, with how long each of them took until then, in microseconds.
 */
export async function update(
  api: Api,
  options: { count: number; perSecond: number; seconds: number; signal: AbortSignal },
): Promise<number[]> {
  const { count, perSecond, seconds, signal } = options
  const clock = startOfClock()
  const start = performance.now()
  const total = perSecond * seconds
  const writes: Promise<number>[] = []
  for (let sent = 0; sent < total; sent++) {
    const wait = start + (sent * 1_000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait, undefined, { signal })
    signal.throwIfAborted()
    // A step that shares no factor with a usual count: each object's turn comes late.
    const name = nameOf((sent * 7_919) % count)
    const writtenAt = Math.round((clock + performance.now()) * 1_000)
    const write = api
      .send(
        'PATCH',
        `${NAMESPACE_PATH}/${name}?${FIELD_MANAGER}`,
        { spec: { writtenAt } },
        'application/merge-patch+json',
      )
      .then(() => (clock + performance.now()) * 1_000 - writtenAt)
    // All are awaited in the end; until then a failure must not count as unhandled.
    write.catch(() => {})
    writes.push(write)
  }
  return Promise.all(writes)
}

/** Waits until a new kind answers. */
export async function served(api: Api, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await api.send('GET', `${WIDGETS_PATH}?limit=1`)
      return
    } catch (error) {
      if (attempt === 100) throw error
    }
    await sleep(100, undefined, { signal })
  }
}

/** The name of the object with this number. */
export function nameOf(index: number): string {
  return `widget-${String(index).padStart(6, '0')}`
}

/** One of the objects, as it is created. */
export function widget(index: number) {
  const name = nameOf(index)
  const labels = {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/instance': `${name}-production`,
    'app.kubernetes.io/component': 'frontend',
    'app.kubernetes.io/part-of': 'benchmark',
  }
  return {
    apiVersion: 'benchmarks.homeostat.dev/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', labels },
    spec: {
      index,
      writtenAt: 0,
      image: `registry.example.com/benchmarks/frontend:v1.${index % 100}.0`,
      replicas: 1 + (index % 5),
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      env: Array.from({ length: 8 }, (_, number) => ({
        name: `SETTING_NUMBER_${number}`,
        value: `the-value-of-the-setting-${number}-of-${name}-in-the-benchmark-suite`,
      })),
      ports: [
        { name: 'http', port: 8080, protocol: 'TCP' },
        { name: 'metrics', port: 9090, protocol: 'TCP' },
      ],
    },
  }
}
