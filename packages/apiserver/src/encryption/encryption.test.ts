import { createCipheriv } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../server.ts'
import { readEncryption } from './read-encryption.ts'
import { ValueEncryption } from './value-encryption.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const OTHER = Buffer.alloc(16, 2).toString('base64')
const VALUE = 'the-hidden-value'

const configuration = (resources: readonly string[], ...providers: readonly object[]) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'EncryptionConfiguration',
  resources: [{ resources, providers }],
})
const aescbc = (...keys: readonly [name: string, secret: string][]) => ({
  aescbc: { keys: keys.map(([name, secret]) => ({ name, secret })) },
})
const aesgcm = (name: string, secret: string) => ({ aesgcm: { keys: [{ name, secret }] } })
const identity = { identity: {} }

describe('a data folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'homeostat-encryption-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const call = async (server: ApiServer, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const response = await server.handler({
      method,
      path: `/api/v1/namespaces/default/${path}`,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: body && new TextEncoder().encode(JSON.stringify(body)),
    })
    return JSON.parse(new TextDecoder().decode(response.body as Uint8Array))
  }
  const secret = (name: string) => ({ metadata: { name }, stringData: { password: VALUE } })
  /** Starts a server, writes a Secret and a ConfigMap, and returns the data of the Secrets. */
  const run = async (encryption: unknown, name?: string): Promise<readonly string[]> => {
    await using server = await ApiServer.start({ dataDir: folder, encryption })
    if (name !== undefined) {
      await call(server, 'POST', 'secrets', secret(name))
      await call(server, 'POST', 'configmaps', { metadata: { name }, data: { text: 'in-the-open' } })
      // While the server runs: its log is there too.
      expect(filesHold('in-the-open')).toBe(true)
      if (encryption !== undefined) expect(filesHold(VALUE)).toBe(false)
    }
    const { items } = await call(server, 'GET', 'secrets')
    return items.map(({ data }: any) => Buffer.from(data.password, 'base64').toString())
  }
  /** Whether any file holds a text, as it is or in Base64. */
  const filesHold = (text: string): boolean => {
    const all = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
    return all.includes(text) || all.includes(Buffer.from(text).toString('base64').slice(0, -4))
  }

  it.each([
    ['aescbc', aescbc(['key1', KEY])],
    ['aesgcm', aesgcm('key1', OTHER)],
  ])('holds no Secret in plain text with %s', async (name, provider) => {
    const encryption = configuration(['secrets'], provider, identity)
    expect(await run(encryption, 'a')).toEqual([VALUE])
    expect(filesHold(`k8s:enc:${name}:v1:key1:`)).toBe(true)
    expect(filesHold(VALUE)).toBe(false)
    expect(await run(encryption)).toEqual([VALUE])
  })

  it('is encrypted at the start where it was not before, and decrypted again', async () => {
    await run(undefined, 'a')
    expect(filesHold(VALUE)).toBe(true)
    const encryption = configuration(['secrets'], aescbc(['key1', KEY]), identity)
    expect(await run(encryption)).toEqual([VALUE])
    expect(filesHold(VALUE)).toBe(false)
    expect(await run(configuration(['secrets'], identity, aescbc(['key1', KEY])))).toEqual([VALUE])
    expect(await run(undefined)).toEqual([VALUE])
  })

  it('is encrypted again with a new key, and then does not need the old one', async () => {
    await run(configuration(['secrets'], aescbc(['key1', KEY])), 'a')
    expect(await run(configuration(['secrets'], aescbc(['key2', OTHER], ['key1', KEY])))).toEqual([VALUE])
    expect(filesHold(':key1:')).toBe(false)
    expect(await run(configuration(['secrets'], aescbc(['key2', OTHER])), 'b')).toEqual([VALUE, VALUE])
  })

  it.each([
    ['another name', aescbc(['key2', KEY]), 'no matching key was found for the provided AES transformer'],
    ['another provider', aesgcm('key1', KEY), 'no matching prefix found'],
    ['no key', identity, 'identity transformer tried to read encrypted data'],
  ])('is not opened with %s', async (_, provider, problem) => {
    await run(configuration(['secrets'], aescbc(['key1', KEY])), 'a')
    const start = run(configuration(['secrets'], provider))
    await expect(start).rejects.toMatchObject({
      code: 'ENCRYPTION_FAILED',
      message: expect.stringContaining(`unable to transform key "/registry/secrets/default/a": ${problem}.`),
    })
    // And nothing has changed.
    expect(await run(configuration(['secrets'], aescbc(['key1', KEY])))).toEqual([VALUE])
  })

  it('is not opened without a configuration, or with the wrong secret of a key', async () => {
    await run(configuration(['secrets'], aesgcm('key1', KEY)), 'a')
    await expect(run(undefined)).rejects.toThrow('identity transformer tried to read encrypted data')
    const wrong = Buffer.alloc(32, 9).toString('base64')
    await expect(run(configuration(['secrets'], aesgcm('key1', wrong)))).rejects.toThrow(
      'cipher: message authentication failed',
    )
  })

  it('is needed for encryption', async () => {
    const encryption = configuration(['secrets'], identity)
    await expect(ApiServer.start({ encryption })).rejects.toMatchObject({ code: 'ENCRYPTION_CONFIGURATION' })
  })
})

describe('a value', () => {
  const bytes = new TextEncoder().encode('{"a":1}')
  const encryptionOf = (...of: Parameters<typeof configuration>) =>
    new ValueEncryption(readEncryption(configuration(...of)))

  it('is readable as kube-apiserver writes it', () => {
    const vector = Buffer.alloc(16, 7)
    const cipher = createCipheriv('aes-256-cbc', Buffer.alloc(32, 1), vector)
    const value = Buffer.concat([
      Buffer.from('k8s:enc:aescbc:v1:key1:'),
      vector,
      cipher.update(bytes),
      cipher.final(),
    ])
    const { json, isStale } = encryptionOf(['secrets'], aescbc(['key1', KEY])).decrypt(
      '/secrets',
      'a/b',
      value,
    )
    expect(new TextDecoder().decode(json)).toBe('{"a":1}')
    expect(isStale).toBe(false)
  })

  it('cannot be moved to another object with aesgcm', () => {
    const encryption = encryptionOf(['*.*'], aesgcm('key1', KEY))
    const value = encryption.encrypt('/secrets', 'a/b', bytes)
    expect(() => encryption.decrypt('/secrets', 'a/c', value)).toThrow('message authentication failed')
  })

  it.each([
    ['secrets', '/secrets', true],
    ['secrets', '/configmaps', false],
    ['secrets', 'example.com/secrets', false],
    ['deployments.apps', 'apps/deployments', true],
    ['*.apps', 'apps/replicasets', true],
    ['*.apps', '/pods', false],
    ['*.', '/pods', true],
    ['*.', 'apps/deployments', false],
    ['*.*', 'example.com/widgets', true],
  ])('of the rule %s in %s', (resource, collection, isEncrypted) => {
    const value = encryptionOf([resource], aescbc(['k', KEY])).encrypt(collection, 'a', bytes)
    expect(value === bytes).toBe(!isEncrypted)
  })
})

describe('a configuration', () => {
  const problem = (value: unknown): string => {
    try {
      readEncryption(value)
      return ''
    } catch (error) {
      return (error as Error).message.replace('the encryption configuration is wrong: ', '')
    }
  }

  it.each([
    [
      configuration([], identity),
      'resources[0].resources: Required value: at least one resources[0].resources is required',
    ],
    [
      configuration(['secrets']),
      'resources[0].providers: Required value: at least one resources[0].providers is required',
    ],
    [configuration(['*'], identity), "use '*.' to encrypt all the resources from core API group"],
    [configuration(['Secrets'], identity), 'resource name should not contain capital letters'],
    [configuration(['secrets', 'secrets'], identity), 'the same resource cannot be specified multiple times'],
    [configuration(['secrets', '*.'], identity), 'using overlapping resources'],
    [configuration(['secrets'], {}), 'provider does not contain any of the expected providers'],
    [configuration(['secrets'], { ...identity, ...aescbc(['a', KEY]) }), 'more than one provider specified'],
    [configuration(['secrets'], { aescbc: {} }), 'at least one keys is required'],
    [
      configuration(['secrets'], aescbc(['', KEY])),
      'keys[0].name: Required value: name is a mandatory field for a key',
    ],
    [configuration(['secrets'], aescbc(['a', '?'])), '"REDACTED": secrets must be base64 encoded'],
    [
      configuration(['secrets'], aescbc(['a', 'c2hvcnQ='])),
      'secret is not of the expected length, got 5, expected one of [16 24 32]',
    ],
    [configuration(['secrets'], { kms: {} }), 'does not have the provider kms: use aescbc or aesgcm'],
    [configuration(['secrets'], { secretbox: {} }), 'does not have the provider secretbox'],
    [{ kind: 'Secret' }, 'got unexpected config type'],
  ])('is refused: %#', (value, text) => {
    expect(problem(value)).toContain(text)
    expect(problem(value)).not.toContain('c2hvcnQ')
  })

  it('may not name a resource that an earlier rule covers', () => {
    const value = configuration(['*.*'], identity)
    value.resources.push({ resources: ['secrets'], providers: [identity] })
    expect(problem(value)).toBe('resource "secrets" is masked by earlier rule "*.*"')
  })
})
