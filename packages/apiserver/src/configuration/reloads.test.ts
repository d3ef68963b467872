import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { expect, onTestFinished, test } from 'vitest'
import { ReloadableAuthentication } from '../authentication/reloadable-authentication.ts'
import { ApiServer } from '../server.ts'
import { callJson } from '../testing/index.ts'
import { FollowedConfiguration } from './followed-configuration.ts'

/** A configuration whose later versions a test gives. */
class GivenVersions extends FollowedConfiguration {
  readonly value: unknown
  readonly text = ''
  isFollowed = false
  #changed: ((text: string, read: () => Promise<unknown>) => Promise<void>) | undefined

  constructor(value: unknown) {
    super()
    this.value = value
  }

  follow(changed: (text: string, read: () => Promise<unknown>) => Promise<void>): Disposable {
    this.isFollowed = true
    this.#changed = changed
    return { [Symbol.dispose]: () => (this.isFollowed = false) }
  }

  async give(value: unknown): Promise<void> {
    await this.#changed?.('', () => Promise.resolve(value))
  }
}

function encryptionBy(...names: readonly string[]): unknown {
  const keys = names.map((name) => ({ name, secret: btoa(name.padEnd(32, '.')) }))
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }],
  }
}

test('after a change of keys, a write that changes nothing encrypts by the new key, once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'homeostat-reloads-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const versions = new GivenVersions(encryptionBy('old'))
  const server = await ApiServer.start({ dataDir, encryption: versions })
  const path = '/api/v1/namespaces/default'
  const revisionOf = async (name: string): Promise<unknown> => {
    const { body: object } = await callJson(server.handler, 'GET', `${path}/${name}`)
    const { body: written } = await callJson(server.handler, 'PUT', `${path}/${name}`, { body: object })
    return [object, written].map((one) => Number((one as Written).metadata.resourceVersion))
  }
  for (const kind of ['Secret', 'ConfigMap']) {
    const body = { apiVersion: 'v1', kind, metadata: { name: 'a' } }
    await callJson(server.handler, 'POST', `${path}/${kind.toLowerCase()}s`, { body })
  }
  await versions.give(encryptionBy('new', 'old'))
  const [before = 0, after = 0] = (await revisionOf('secrets/a')) as number[]
  expect(after).toBeGreaterThan(before)
  expect(await revisionOf('secrets/a')).toEqual([after, after])
  const [unencrypted] = (await revisionOf('configmaps/a')) as number[]
  expect(await revisionOf('configmaps/a')).toEqual([unencrypted, unencrypted])
  await versions.give(encryptionBy('new'))
  await server.close()
  expect(versions.isFollowed).toBe(false)
  const next = await ApiServer.start({ dataDir, encryption: encryptionBy('new') })
  const { code } = await callJson(next.handler, 'GET', `${path}/secrets/a`)
  expect(code).toBe(200)
  await next.close()
})

interface Written {
  readonly metadata: { readonly resourceVersion: string }
}

test('a server that does not start follows no configuration', async () => {
  const authentication = new GivenVersions({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [],
  })
  await expect(ApiServer.start({ authentication, serviceRange: 'nonsense' })).rejects.toThrow('nonsense')
  expect(authentication.isFollowed).toBe(false)
})

test('closing ends a change of issuers that do not answer', async () => {
  const clock = new SimulatedClock()
  const disposed: unknown[] = []
  const open = (configuration: unknown) => ({
    ready: new Promise(() => undefined),
    read: () => Promise.resolve(undefined),
    allowsAnonymous: () => true,
    [Symbol.dispose]: () => void disposed.push(configuration),
  })
  const authentication = new ReloadableAuthentication({ name: 'first' }, open, clock)
  const replaced = authentication.replace({ name: 'next' })
  authentication[Symbol.dispose]()
  await expect(replaced).rejects.toThrow('the server was closed')
  expect(disposed).toEqual([{ name: 'first' }, { name: 'next' }])
})
