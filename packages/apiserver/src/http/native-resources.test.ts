import type { ApiRequest } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeResources } from '../schema/generated/native-resources.ts'
import type { NativeResource } from '../schema/types/native-resource.ts'
import { TestEnvironment } from '../testing/index.ts'

/** Discovery lists these as Kubernetes does, though it takes a kubelet, or a network, to answer them. */
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
    '%s in %s can be listed, or be created where nothing is stored',
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
