import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { Tree } from '../json-tree.ts'

export const APPLY = 'application/apply-patch+yaml'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const MERGE = 'application/merge-patch+json'
export const NAMESPACED = '/api/v1/namespaces/{ns}'
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export const container = { name: 'c', image: 'i' }
export const labels = { a: 'b' }
export const template = { metadata: { labels }, spec: { containers: [container] } }

export function found(kind: string, verb: string, ...requests: readonly FuzzRequest[]): FuzzCase {
  return { kind, verb, requests }
}

export function create(path: string, body: Tree, query = 'dryRun=All'): FuzzRequest {
  return { method: 'POST', path: `${path}?${query}`, body }
}

/** A request that stores an object, for the requests after it. */
export function store(path: string, body: Tree): FuzzRequest {
  return { method: 'POST', path, body }
}

export function patch(path: string, type: string, body: Tree): FuzzRequest {
  return { method: 'PATCH', path: `${path}?dryRun=All`, type, body }
}
