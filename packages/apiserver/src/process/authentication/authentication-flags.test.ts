import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authenticationOptions } from './authentication-flags.ts'

const optionsOf = (
  flags: Readonly<Record<string, string>>,
  warn: (message: string) => void = () => undefined,
) => authenticationOptions((name) => flags[name], warn)
const OIDC = { 'oidc-issuer-url': 'https://i', 'oidc-client-id': 'me' }

test('without flags there is no configuration', async () => {
  expect(await optionsOf({})).toEqual({})
})

test('flags of OIDC describe an issuer', async () => {
  expect(
    await optionsOf({
      ...OIDC,
      'oidc-groups-claim': 'groups',
      'oidc-groups-prefix': 'g:',
      'oidc-required-claim': 'env=prod,team=a=b',
    }),
  ).toMatchObject({
    tokenAlgorithms: ['RS256'],
    authentication: {
      jwt: [
        {
          issuer: { url: 'https://i', audiences: ['me'] },
          claimMappings: {
            username: { claim: 'sub', prefix: 'https://i#' },
            groups: { claim: 'groups', prefix: 'g:' },
          },
          claimValidationRules: [
            { claim: 'env', requiredValue: 'prod' },
            { claim: 'team', requiredValue: 'a=b' },
          ],
        },
      ],
    },
  })
})

test.each([
  [{ 'oidc-username-claim': 'email' }, ''],
  [{ 'oidc-username-claim': 'name' }, 'https://i#'],
  [{ 'oidc-username-prefix': '-' }, ''],
  [{ 'oidc-username-prefix': 'x:' }, 'x:'],
])('%j puts %j before names', async (flags, prefix) => {
  expect(await optionsOf({ ...OIDC, ...flags })).toMatchObject({
    authentication: { jwt: [{ claimMappings: { username: { prefix } } }] },
  })
})

test('anonymous requests are refused', async () => {
  expect(await optionsOf({ 'anonymous-auth': 'false' })).toMatchObject({
    authentication: { anonymous: { enabled: false } },
  })
})

test.each([
  [{ 'authorization-mode': 'RBAC,AlwaysAllow' }, 1],
  [{ 'authorization-mode': 'AlwaysAllow', 'anonymous-auth': 'true' }, 1],
  [{ 'authorization-mode': 'AlwaysAllow', 'anonymous-auth': 'false' }, 0],
])('anonymous requests are refused where every user may do everything: %j', async (flags, count) => {
  const warnings: string[] = []
  expect(await optionsOf(flags, (message) => warnings.push(message))).toMatchObject({
    authentication: { anonymous: { enabled: false } },
  })
  const told = '--authorization-mode: AlwaysAllow turns off anonymous requests: send a token or a certificate'
  expect(warnings).toEqual(Array.from({ length: count }, () => told))
})

test('a configuration decides about anonymous requests also where every user may do everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-flags-'))
  try {
    const file = join(folder, 'config.yaml')
    const flags = { 'authentication-config': file, 'authorization-mode': 'AlwaysAllow' }
    writeFileSync(file, 'kind: AuthenticationConfiguration\nanonymous: { enabled: true }\n')
    expect(await optionsOf(flags)).toMatchObject({
      authentication: { value: { anonymous: { enabled: true } } },
    })
    for (const anonymous of ['', 'anonymous: null\n']) {
      writeFileSync(file, `kind: AuthenticationConfiguration\n${anonymous}`)
      expect(await optionsOf(flags)).toMatchObject({
        authentication: { value: { anonymous: { enabled: false } } },
      })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('flags that do not belong together are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-flags-'))
  try {
    const file = join(folder, 'config.yaml')
    writeFileSync(file, 'kind: AuthenticationConfiguration\nanonymous: { enabled: true }\n')
    const config = { 'authentication-config': file }
    await expect(optionsOf({ 'oidc-client-id': 'me' })).rejects.toThrow('must be specified together')
    await expect(optionsOf({ ...OIDC, ...config })).rejects.toThrow('mutually exclusive')
    await expect(optionsOf({ ...config, 'anonymous-auth': 'true' })).rejects.toThrow('cannot be set')
    expect(await optionsOf(config)).toMatchObject({
      authentication: { value: { anonymous: { enabled: true } } },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
