import type { Duration } from '@homeostat/api'
import { pathOf, type ResourceName } from './resources.ts'
import type { Action, PodChange, PodChoice, RequestAction, Step } from './scenario.ts'

/** `deployments/web`: one object. */
export type Reference = `${ResourceName}/${string}`

function pathTo(reference: Reference): string {
  const slash = reference.indexOf('/')
  return `${pathOf(reference.slice(0, slash) as ResourceName)}${reference.slice(slash)}`
}

function request(method: RequestAction['method'], path: string, body?: unknown): RequestAction {
  return { act: 'request', method, path, ...(body === undefined ? {} : { body }) }
}

/** Several steps as one: nothing settles between them. */
export function together(...steps: readonly Step[]): Step {
  return {
    title: steps.map(({ title }) => title).join(', then '),
    actions: steps.flatMap(({ actions }): readonly Action[] => actions),
  }
}

/** One Pod after the other becomes ready: all at once, controllers would act on as many as they happen to see. */
export function readyOneByOne(count: number, which: PodChoice = {}): Step[] {
  return Array.from({ length: count }, () => ready({ ...which, count: 1 }))
}

export function create(resource: ResourceName, ...objects: readonly object[]): Step {
  const names = objects.map((object) => (object as { metadata: { name: string } }).metadata.name)
  return {
    title: `create ${resource}/${names.join(', ')}`,
    actions: objects.map((object) => request('POST', pathOf(resource), object)),
  }
}

/** A merge patch. */
export function patch(reference: Reference, body: unknown): Step {
  return {
    title: `patch ${reference} ${JSON.stringify(body)}`,
    actions: [request('PATCH', pathTo(reference), body)],
  }
}

export function scale(reference: Reference, replicas: number): Step {
  return {
    title: `scale ${reference} to ${replicas}`,
    actions: [request('PATCH', `${pathTo(reference)}/scale`, { spec: { replicas } })],
  }
}

export function remove(
  reference: Reference,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan' = 'Background',
): Step {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy }
  return {
    title: `delete ${reference} (${propagationPolicy})`,
    actions: [request('DELETE', pathTo(reference), body)],
  }
}

/** A client deletes all objects of a kind, whatever their names are. */
export function removeAll(resource: ResourceName): Step {
  return { title: `delete all ${resource}`, actions: [request('DELETE', pathOf(resource))] }
}

/** The template of a workload gets another image. */
export function setImage(reference: Reference, image: string): Step {
  const spec = { containers: [{ name: 'app', image }] }
  return { ...patch(reference, { spec: { template: { spec } } }), title: `set ${reference} to ${image}` }
}

function pods(verb: string, become: PodChange, which: PodChoice): Step {
  const words = Object.entries(which).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return {
    title: [verb, 'Pods', ...words].join(' '),
    actions: [{ act: 'pods', which, become }],
  }
}

/** A node takes Pods in and starts them, but they are not ready. */
export function run(which: PodChoice = {}): Step {
  return pods('run', 'running', which)
}

/** Pods become ready: where they do not run yet, a node takes them in first. */
export function ready(which: PodChoice = {}): Step {
  return pods('ready', 'ready', which)
}

export function unready(which: PodChoice = {}): Step {
  return pods('unready', 'unready', which)
}

export function succeed(which: PodChoice = {}): Step {
  return pods('succeed', 'succeeded', which)
}

export function fail(which: PodChoice = {}): Step {
  return pods('fail', 'failed', which)
}

/** The node is done with Pods that are being deleted. */
export function gone(which: PodChoice = {}): Step {
  return pods('end', 'gone', which)
}

/** A person deletes Pods. */
export function deletePods(which: PodChoice): Step {
  return pods('delete', 'deleted', which)
}

/** A person changes Pods. */
export function patchPods(which: PodChoice, body: unknown): Step {
  return pods(`patch ${JSON.stringify(body)} of`, { patch: body }, which)
}

export function pass(duration: Duration): Step {
  return { title: `let ${duration} pass`, actions: [{ act: 'pass', duration }] }
}

export function nextMinute(): Step {
  return { title: 'wait for the next minute', actions: [{ act: 'minute' }] }
}

/** Waits for the next minute if this one is almost over, so that what follows falls into one. */
export function earlyInMinute(): Step {
  return { title: 'be early in a minute', actions: [{ act: 'minute', ifLeft: 30_000 }] }
}
