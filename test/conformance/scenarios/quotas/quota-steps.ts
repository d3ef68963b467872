import { pod, pods } from '../../objects.ts'
import { scenario, type Scenario, type Step } from '../../scenario.ts'
import { create, get, merge, pass } from '../../steps.ts'

export const quotas = '/api/v1/~/resourcequotas'
export const claims = '/api/v1/~/persistentvolumeclaims'
export const deviceClaims = '/apis/resource.k8s.io/v1/~/resourceclaims'
export type Fields = Readonly<Record<string, unknown>>
export type Amounts = Readonly<Record<string, string>>

export const quota = (name: string, hard: Amounts, spec: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...spec },
})
/** Writes what a controller would find: without one, a quota has no status. */
export const counted = (name: string, hard: Amounts, used: Amounts): Step =>
  merge(`${quotas}/${name}/status`, { status: { hard, used } }, { show: () => 'done' })
const zero = (hard: Amounts): Amounts => Object.fromEntries(Object.keys(hard).map((key) => [key, '0']))
export const status = (name = 'q'): Step =>
  get(`${quotas}/${name}`, { show: ({ status: found }) => found as unknown })

/** A quota that was counted, writes, and what is used then. A server learns of the quota a moment later. */
export function limited(title: string, hard: Amounts, spec: Fields, ...steps: readonly Step[]): Scenario {
  return scenario(
    'B native kinds',
    `quota: ${title}`,
    create(quotas, quota('q', hard, spec), { show: () => 'done' }),
    counted('q', hard, zero(hard)),
    pass('1s'),
    ...steps,
    status(),
  )
}

export const only = { show: ({ metadata }: { metadata: { name: string } }) => metadata.name }
export const resources = (requests: Amounts, limits: Amounts = {}) => ({ resources: { requests, limits } })
export const container = (name: string, more: Fields = {}) => ({ name, image: 'web:1', ...more })
export const sized = (name: string, requests: Amounts, limits: Amounts = {}, spec: Fields = {}) =>
  pod(name, { containers: [container('web', resources(requests, limits))], ...spec })
export const make = (path: string, body: unknown): Step => create(path, body, only)
export const claim = (name: string, storage: string, spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
})
export const devices = (name: string, requests: readonly Fields[]) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name },
  spec: { devices: { requests } },
})
export const ends = (name: string, phase: string): Step =>
  merge(`${pods}/${name}/status`, { status: { phase } }, { show: () => 'done' })
