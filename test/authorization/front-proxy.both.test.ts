import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CertificateAuthority,
  type Certificate,
} from '../../packages/apiserver/src/certificates/certificates.ts'
import { lines, startOperated, type OperatedServer } from '../operations/operated-server.ts'

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

let folder: string
let server: OperatedServer
const certificates: Record<string, Certificate | undefined> = {}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-front-proxy-'))
  // Both authorities have the same name: only the signature tells them apart.
  const [clients, proxies] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()])
  certificates['the proxy'] = await proxies.forClient({ name: 'proxy', groups: ['system:masters'] })
  certificates['another proxy'] = await proxies.forClient({ name: 'other', groups: [] })
  certificates['a client'] = await clients.forClient({ name: 'proxy', groups: ['ops'] })
  certificates['a stranger'] = await (
    await CertificateAuthority.create()
  ).forClient({ name: 'proxy', groups: [] })
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  server = await startOperated(
    [
      `--client-ca-file=${file('clients.crt', clients.certificate)}`,
      `--requestheader-client-ca-file=${file('proxies.crt', proxies.certificate)}`,
      '--requestheader-allowed-names=proxy,second',
      '--requestheader-username-headers=X-Remote-User,X-Other-User',
      '--requestheader-uid-headers=X-Remote-Uid',
      '--requestheader-group-headers=X-Remote-Group,X-Other-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-,X-Other-',
    ],
    {},
    {
      clientAuthorities: clients.certificate,
      frontProxy: {
        authorities: proxies.certificate,
        allowedNames: ['proxy', 'second'],
        usernameHeaders: ['X-Remote-User', 'X-Other-User'],
        uidHeaders: ['X-Remote-Uid'],
        groupHeaders: ['X-Remote-Group', 'X-Other-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-', 'X-Other-'],
      },
    },
  )
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** Asks who the sender is. */
async function whoIs(
  client: string | undefined,
  headers: Record<string, string | string[]>,
): Promise<object> {
  const shown = client === undefined ? undefined : certificates[client]
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const outgoing = request(
    `${server.url}${WHO}`,
    {
      method: 'POST',
      agent: false,
      rejectUnauthorized: false,
      cert: shown?.certificate,
      key: shown?.key,
      headers: { 'content-type': 'application/json', ...headers },
    },
    (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
    },
  )
  outgoing.on('error', reject)
  outgoing.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}')
  const { status, text } = await promise
  const { message, status: found } = JSON.parse(text)
  const userInfo = found?.userInfo
  if (userInfo?.extra?.['authentication.kubernetes.io/credential-id']) {
    userInfo.extra['authentication.kubernetes.io/credential-id'] = ['DIGEST']
  }
  return { status, message, userInfo }
}

const jane = { 'X-Remote-User': 'jane' }

describe('a request of', () => {
  test.for<readonly [string, string | undefined, Record<string, string | string[]>]>([
    ['the proxy names a user', 'the proxy', jane],
    [
      'the proxy names groups and attributes',
      'the proxy',
      {
        ...jane,
        'X-Remote-Uid': 'u-1',
        'X-Remote-Group': ['a', 'b,c'],
        'X-Other-Group': 'd',
        'X-Remote-Extra-Example.com%2fLevel': ['1', '2'],
        'X-Remote-Extra-Scopes': 'x',
      },
    ],
    ['the proxy names a user in another header', 'the proxy', { 'X-Other-User': 'joe' }],
    ['the proxy names two users', 'the proxy', { ...jane, 'X-Other-User': 'joe' }],
    ['the proxy names an empty user', 'the proxy', { 'X-Remote-User': '', 'X-Remote-Group': 'a' }],
    ['the proxy names no user', 'the proxy', {}],
    ['the proxy names a master', 'the proxy', { ...jane, 'X-Remote-Group': 'system:masters' }],
    ['the proxy names the anonymous user', 'the proxy', { 'X-Remote-User': 'system:anonymous' }],
    ['the proxy comes with a wrong token', 'the proxy', { ...jane, authorization: 'Bearer wrong' }],
    ['the proxy names no user and has a wrong token', 'the proxy', { authorization: 'Bearer wrong' }],
    ['a proxy with another name', 'another proxy', jane],
    ['a client with the name of the proxy', 'a client', jane],
    ['a client without headers', 'a client', {}],
    ['a stranger with the name of the proxy', 'a stranger', jane],
    ['no certificate', undefined, jane],
  ])('%s', async ([title, client, headers]) => {
    const file = new URL(`recorded/front-proxy/${title.replaceAll(' ', '-')}.json`, import.meta.url)
    await expect(lines(await whoIs(client, headers))).toMatchFileSnapshot(file.pathname)
  })
})

test('a user whom the proxy names may act as another one', async () => {
  const headers = { ...jane, 'X-Remote-Group': 'system:masters', 'Impersonate-User': 'joe' }
  expect(await whoIs('the proxy', headers)).toMatchObject({ status: 201, userInfo: { username: 'joe' } })
})

test('a ConfigMap says what extension API servers must trust', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
  const { data } = JSON.parse((await server.ask('GET', path)).text)
  const listed = (key: string): string[] => JSON.parse(data[`requestheader-${key}`])
  expect(listed('username-headers')).toEqual(['X-Remote-User', 'X-Other-User'])
  expect(listed('uid-headers')).toEqual(['X-Remote-Uid'])
  expect(listed('group-headers')).toEqual(['X-Remote-Group', 'X-Other-Group'])
  expect(listed('extra-headers-prefix')).toEqual(['X-Remote-Extra-', 'X-Other-'])
  expect(listed('allowed-names')).toEqual(expect.arrayContaining(['proxy', 'second']))
  expect(data['requestheader-client-ca-file']).toMatch(/^-----BEGIN CERTIFICATE-----/)
})
