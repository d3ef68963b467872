import type { ApiRequest } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeResources } from '../schema/generated/native-resources.ts'
import type { NativeResource } from '../schema/types/native-resource.ts'
import { TestEnvironment } from '../testing/index.ts'
import { messageOfKind } from '../wire/protobuf/message-type.ts'

/** Discovery lists these as in Kubernetes, although only a kubelet or a network can answer them. */
const OF_OTHERS = /^(nodes|pods|services)\/proxy$/

const METHODS: Readonly<Record<string, ApiRequest['method']>> = {
  create: 'POST',
  get: 'GET',
  list: 'GET',
  patch: 'PATCH',
  update: 'PUT',
}

let env: TestEnvironment
beforeAll(async () => {
  env = await TestEnvironment.start()
})
afterAll(() => env.close())

function collectionOf({ group, version, scope, plural }: NativeResource): string {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return scope === 'Namespaced' ? `${prefix}/namespaces/default/${plural}` : `${prefix}/${plural}`
}

/** Whether a path is served: also if the object does not exist or the body is not valid. */
async function isAnswered(verb: string, path: string): Promise<boolean> {
  const headers: Record<string, string> =
    verb === 'patch' ? { 'content-type': 'application/merge-patch+json' } : {}
  const body = METHODS[verb] === 'GET' ? {} : { body: {} }
  const answer = await env.call(METHODS[verb] ?? 'GET', path, { ...body, headers })
  if (answer.code === 405 || typeof answer.body === 'string') return false
  return !String(answer.body.message).includes('could not find the requested resource')
}

describe('what discovery lists', () => {
  test.for(nativeResources.map((resource) => [resource.plural, resource.version, resource] as const))(
    '%s in %s can be listed, or created where it is not stored',
    async ([, , resource]) => {
      const verb = resource.verbs.includes('list') ? 'list' : 'create'
      expect(await isAnswered(verb, collectionOf(resource))).toBe(true)
    },
  )

  const subresources = nativeResources.flatMap((resource) =>
    resource.discoveredSubresources.map((one) => [`${resource.plural}/${one.name}`, resource, one] as const),
  )

  test.for(subresources.filter(([name]) => !OF_OTHERS.test(name)))(
    '%s answers to every verb that it has',
    async ([, resource, { name, verbs }]) => {
      for (const verb of verbs) {
        expect([verb, await isAnswered(verb, `${collectionOf(resource)}/none/${name}`)]).toEqual([verb, true])
      }
    },
  )
})

/** The parts that a native kind needs besides its folder in `native/`; most are generated. */
describe('a native kind is complete', () => {
  const apiVersionOf = ({ group, version }: NativeResource): string =>
    group === '' ? version : `${group}/${version}`
  const groupVersions = [...new Set(nativeResources.map(apiVersionOf))]
  const stored = nativeResources.filter(({ storageVersionHash }) => storageVersionHash !== undefined)

  test.for(nativeResources.map((one) => [one.kind, apiVersionOf(one)] as const))(
    '%s of %s has a protobuf message',
    ([kind, apiVersion]) => expect(messageOfKind(apiVersion, kind)).toBeDefined(),
  )

  test.for(groupVersions)('%s has an OpenAPI document with all of its kinds', async (apiVersion) => {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`
    const { code, body } = await env.call('GET', `/openapi/v3/${path}`)
    expect(code).toBe(200)
    const described = Object.values<any>(body.components.schemas).flatMap((schema) =>
      (schema['x-kubernetes-group-version-kind'] ?? []).map(({ kind }: any) => kind),
    )
    const kinds = nativeResources.filter((one) => apiVersionOf(one) === apiVersion).map(({ kind }) => kind)
    expect(described).toEqual(expect.arrayContaining(kinds))
  })

  test.for(stored.map((one) => [one.plural, apiVersionOf(one), one] as const))(
    'the columns of the table of %s in %s have descriptions',
    async ([, , resource]) => {
      const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
      const { body } = await env.call('GET', collectionOf(resource), { headers })
      // Kubernetes itself does not describe one column, the handler of a RuntimeClass.
      const silent = body.columnDefinitions.filter(({ description }: any) => !description)
      expect(silent.map(({ name }: any) => name)).toEqual(resource.kind === 'RuntimeClass' ? ['Handler'] : [])
    },
  )

  test.for(groupVersions.filter((one) => !one.startsWith('apiregistration.k8s.io/')))(
    '%s has an APIService with a priority of its own, which definitions do not change',
    async (apiVersion) => {
      const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
      const path = `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group}`
      const { body } = await env.call('GET', path)
      expect(body.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'onstart' })
      expect(body.spec.groupPriorityMinimum).toBeGreaterThan(1000)
    },
  )
})
