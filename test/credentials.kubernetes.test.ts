import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { connect, createClient, isForbidden, loadConfig, type ClusterConfig } from 'homeostat'
import { ConfigMap, SelfSubjectReview } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'homeostat-credentials-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** The configuration of the real server, with what a user entry of a kubeconfig says instead of its token. */
function configured(user: object): ClusterConfig {
  const { server, tls } = loadConfig({ kubeconfig: inject('kubernetes').kubeconfig })
  const file = join(directory, 'config')
  const cluster = { server, 'certificate-authority-data': Buffer.from(tls.ca!).toString('base64') }
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    clusters: [{ name: 'x', cluster }],
    users: [{ name: 'x', user }],
  }
  writeFileSync(file, JSON.stringify(content))
  return loadConfig({ kubeconfig: file })
}

function token(): string {
  return loadConfig({ kubeconfig: inject('kubernetes').kubeconfig }).token!
}

async function whoAmI(config: ClusterConfig) {
  const clock = new SystemClock()
  await using transport = connect(config, { clock })
  const { status } = await createClient({ transport, clock }).create(SelfSubjectReview, { metadata: {} })
  return status.userInfo
}

test('a program gives the token', async () => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: token() },
  }
  writeFileSync(join(directory, 'login.cjs'), `console.log(${JSON.stringify(JSON.stringify(credential))})`)
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [join(directory, 'login.cjs')],
    interactiveMode: 'Never',
  }
  expect(await whoAmI(configured({ exec }))).toMatchObject({ username: 'admin' })
})

test('an administrator impersonates another user, and has the rights of that user', async () => {
  const config = configured({
    token: token(),
    as: 'jane',
    'as-uid': 'u1',
    'as-groups': ['ops', 'dev'],
    'as-user-extra': { 'example.com/scopes': ['a', 'b'] },
  })
  expect(await whoAmI(config)).toMatchObject({
    username: 'jane',
    uid: 'u1',
    groups: ['ops', 'dev', 'system:authenticated'],
    extra: { 'example.com/scopes': ['a', 'b'] },
  })
  const clock = new SystemClock()
  await using transport = connect(config, { clock })
  await expect(createClient({ transport, clock }).list(ConfigMap)).rejects.toSatisfy(isForbidden)
})
