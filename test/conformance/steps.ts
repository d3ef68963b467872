import type { ApiRequest, Duration } from '@homeostat/api'
import type { EventsStep, PassStep, RequestOptions, RequestStep, WatchStep } from './scenario.ts'

/** Any request. */
export function send(
  method: ApiRequest['method'],
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): RequestStep {
  return { step: 'request', method, path, body, ...options }
}

export function get(path: string, options?: RequestOptions): RequestStep {
  return send('GET', path, undefined, options)
}

/** Waits until a server's cache has come to a version, so that what is read at version 0 is known. */
export function seen(collection: string, version: string): RequestStep {
  return get(`${collection}?resourceVersion=${version}`, { show: ({ kind }) => kind as unknown })
}

export function create(path: string, body: unknown, options?: RequestOptions): RequestStep {
  return send('POST', path, body, options)
}

export function replace(path: string, body: unknown, options?: RequestOptions): RequestStep {
  return send('PUT', path, body, options)
}

/** A deletion, perhaps with DeleteOptions. */
export function remove(path: string, deleteOptions?: object, options?: RequestOptions): RequestStep {
  const body = deleteOptions && { kind: 'DeleteOptions', apiVersion: 'v1', ...deleteOptions }
  return send('DELETE', path, body, options)
}

export function merge(path: string, body: unknown, options?: RequestOptions): RequestStep {
  return patch('application/merge-patch+json', path, body, options)
}

export function strategic(path: string, body: unknown, options?: RequestOptions): RequestStep {
  return patch('application/strategic-merge-patch+json', path, body, options)
}

export function jsonPatch(path: string, body: unknown, options?: RequestOptions): RequestStep {
  return patch('application/json-patch+json', path, body, options)
}

/** A server-side apply by the manager `one`, or by the one that the path's query names. */
export function apply(path: string, body: unknown, options?: RequestOptions): RequestStep {
  const query = /[?&]fieldManager=/.test(path) ? '' : `${path.includes('?') ? '&' : '?'}fieldManager=one`
  return patch('application/apply-patch+yaml', `${path}${query}`, body, options)
}

/** A patch of any media type. */
export function patch(type: string, path: string, body: unknown, options: RequestOptions = {}): RequestStep {
  return send('PATCH', path, body, { ...options, headers: { 'content-type': type, ...options.headers } })
}

/** Opens a watch under a name. The path's query says how. */
export function watch(name: string, path: string, headers: Record<string, string> = {}): WatchStep {
  return { step: 'watch', name, path: `${path}${path.includes('?') ? '&' : '?'}watch=true`, headers }
}

/** The next events of a watch: at least so many, and whatever else comes at once. */
export function events(name: string, count: number): EventsStep {
  return { step: 'events', name, count, end: false }
}

/** The last events of a watch, which the server then ends. */
export function lastEvents(name: string, count: number): EventsStep {
  return { step: 'events', name, count, end: true }
}

/** Lets time pass, for times that are told in seconds and for what a server does later. */
export function pass(duration: Duration): PassStep {
  return { step: 'pass', duration }
}
