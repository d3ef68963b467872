import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ca, client } from '../../test/certificates.ts'
import type { ConfigError } from './config-error.ts'
import { loadConfig, type LoadConfigOptions } from './load-config.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'homeostat-config-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function write(name: string, content: string): string {
  const path = join(directory, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** A kubeconfig with one of each; `cluster` and `user` are lines of YAML. */
function kubeconfig(
  options: { cluster?: string; user?: string; context?: string; current?: string } = {},
): string {
  const indent = (lines: string): string => lines.replaceAll(/^/gm, '    ')
  return `apiVersion: v1
kind: Config
current-context: ${options.current ?? 'dev'}
contexts:
- name: dev
  context:
${indent(options.context ?? 'cluster: here\nuser: me\nnamespace: team')}
clusters:
- name: here
  cluster:
${indent(options.cluster ?? 'server: https://127.0.0.1:6443')}
users:
- name: me
  user:
${indent(options.user ?? 'token: s3cret')}
`
}

function load(options: LoadConfigOptions) {
  return loadConfig({ env: {}, home: join(directory, 'no-home'), ...options })
}

function failing(options: LoadConfigOptions): ConfigError {
  try {
    load(options)
  } catch (error) {
    return error as ConfigError
  }
  throw new Error('it was accepted')
}

describe('where the configuration comes from', () => {
  it('is the file given, before everything else', () => {
    const given = write('given', kubeconfig({ cluster: 'server: https://given:6443' }))
    const other = write('other', kubeconfig())
    const env = { KUBECONFIG: other, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
    expect(load({ kubeconfig: given, env }).server).toBe('https://given:6443')
  })

  it('is KUBECONFIG before the files of a Pod', () => {
    const file = write('config', kubeconfig())
    const env = { KUBECONFIG: file, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
    expect(load({ env }).source).toBe(`context "dev" of ${file}`)
  })

  it('is the ServiceAccount of a Pod, before the home directory', () => {
    write('home/.kube/config', kubeconfig())
    write('sa/token', 'pod-token\n')
    write('sa/ca.crt', ca)
    write('sa/namespace', 'operators\n')
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const config = load({ env, home: join(directory, 'home'), serviceAccount: join(directory, 'sa') })
    expect(config).toMatchObject({
      server: 'https://[fd00::1]:443',
      tls: { ca },
      tokenFile: join(directory, 'sa/token'),
      namespace: 'operators',
    })
  })

  it('is the home directory at last', () => {
    write('home/.kube/config', kubeconfig())
    expect(load({ home: join(directory, 'home') })).toMatchObject({ token: 's3cret', namespace: 'team' })
  })

  it('is missing: the error names the places that were searched', () => {
    const error = failing({})
    expect(error).toMatchObject({ code: 'CONFIG_NOT_FOUND' })
    expect(error.message).toMatch(/KUBECONFIG is not set.*KUBERNETES_SERVICE_HOST.*\.kube\/config/)
  })
})

describe('several files in KUBECONFIG', () => {
  it('are merged: of entries with the same name the first wins, and missing files are ignored', () => {
    const first = write('first', kubeconfig({ cluster: 'server: https://first:6443' }))
    const second = write(
      'second',
      kubeconfig({ cluster: 'server: https://second:6443', current: 'prod' })
        .replaceAll('name: dev', 'name: prod')
        .replaceAll('name: here', 'name: there')
        .replaceAll('cluster: here', 'cluster: there'),
    )
    const env = { KUBECONFIG: [join(directory, 'gone'), first, second].join(delimiter) }
    expect(load({ env }).server).toBe('https://first:6443')
    expect(load({ env, context: 'prod' }).server).toBe('https://second:6443')
  })

  it('that are all missing are an error that names them', () => {
    const error = failing({ env: { KUBECONFIG: '/no/one:/no/two' } })
    expect(error).toMatchObject({ code: 'CONFIG_FILE_MISSING' })
    expect(error.message).toContain('/no/one, /no/two do not exist')
  })
})

describe('credentials', () => {
  it('stand in the file as base64', () => {
    const file = write(
      'config',
      kubeconfig({
        cluster: `server: https://127.0.0.1:6443/\ncertificate-authority-data: ${base64(ca)}\ntls-server-name: api`,
        user: `client-certificate-data: ${base64(client.cert)}\nclient-key-data: ${base64(client.key)}`,
      }),
    )
    expect(load({ kubeconfig: file })).toMatchObject({
      server: 'https://127.0.0.1:6443',
      tls: { ca, cert: client.cert, key: client.key, serverName: 'api', insecureSkipVerify: false },
    })
  })

  it('stand in files beside it', () => {
    write('pki/ca.pem', ca)
    write('pki/me.pem', client.cert)
    write('pki/me.key', client.key)
    const file = write(
      'config',
      kubeconfig({
        cluster: 'server: https://127.0.0.1:6443\ncertificate-authority: pki/ca.pem',
        user: 'client-certificate: pki/me.pem\nclient-key: pki/me.key',
      }),
    )
    expect(load({ kubeconfig: file }).tls).toMatchObject({ ca, cert: client.cert, key: client.key })
  })

  it('are a token file, relative to the kubeconfig, and a user to impersonate', () => {
    const file = write('config', kubeconfig({ user: 'tokenFile: token\nas: jane\nas-groups: [ops, dev]' }))
    expect(load({ kubeconfig: file })).toMatchObject({
      tokenFile: join(directory, 'token'),
      impersonate: { user: 'jane', groups: ['ops', 'dev'] },
    })
  })

  it('are a program, with a path relative to the kubeconfig, and its arguments and variables', () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: './bin/login',
      args: ['--cluster', 'dev'],
      env: [{ name: 'PROFILE', value: 'me' }],
      installHint: 'Get it from example.com.',
      provideClusterInfo: true,
    }
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }]
    const file = write(
      'config',
      kubeconfig({
        cluster: `server: https://127.0.0.1:6443\ncertificate-authority-data: ${base64(ca)}\nextensions: ${JSON.stringify(extensions)}`,
        user: `exec: ${JSON.stringify(exec)}`,
      }),
    )
    expect(load({ kubeconfig: file }).exec).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: join(directory, 'bin/login'),
      args: ['--cluster', 'dev'],
      env: { PROFILE: 'me' },
      installHint: 'Get it from example.com.',
      interactiveMode: 'IfAvailable',
      cluster: {
        server: 'https://127.0.0.1:6443',
        'certificate-authority-data': base64(ca),
        config: { audience: 'a' },
      },
      source: `user "me" of ${file}`,
    })
  })

  it('do not come from a program where the file has a token', () => {
    const user = 'token: t\nexec: {command: aws, apiVersion: client.authentication.k8s.io/v1beta1}'
    expect(load({ kubeconfig: write('config', kubeconfig({ user })) })).toMatchObject({
      token: 't',
      exec: undefined,
    })
  })

  it('name a user to impersonate in full', () => {
    const user = 'token: t\nas: jane\nas-uid: u1\nas-groups: [ops]\nas-user-extra: {scopes: [a, b]}'
    expect(load({ kubeconfig: write('config', kubeconfig({ user })) }).impersonate).toEqual({
      user: 'jane',
      uid: 'u1',
      groups: ['ops'],
      extra: { scopes: ['a', 'b'] },
    })
  })

  it('are not needed', () => {
    const file = write('config', kubeconfig({ context: 'cluster: here' }))
    expect(load({ kubeconfig: file })).toMatchObject({
      server: 'https://127.0.0.1:6443',
      namespace: 'default',
    })
  })
})

describe('a proxy', () => {
  it('is the kubeconfig’s, before the environment’s', () => {
    const cluster = 'server: https://api.example.com\nproxy-url: http://mine:3128'
    const own = write('own', kubeconfig({ cluster }))
    const none = write('none', kubeconfig({ cluster: 'server: https://api.example.com' }))
    const env = { HTTPS_PROXY: 'theirs:3128' }
    expect(load({ kubeconfig: own, env }).proxy).toBe('http://mine:3128')
    expect(load({ kubeconfig: none, env }).proxy).toBe('http://theirs:3128')
    expect(load({ kubeconfig: none, env: { ...env, NO_PROXY: 'example.com' } }).proxy).toBeUndefined()
  })

  it('of the environment that cannot be used is an error without its password', () => {
    const file = write('config', kubeconfig({ cluster: 'server: https://api.example.com' }))
    const error = failing({ kubeconfig: file, env: { HTTPS_PROXY: 'socks5://me:hunter2@proxy' } })
    expect(error).toMatchObject({ code: 'CONFIG_UNSUPPORTED' })
    expect(error.message).not.toContain('hunter2')
  })
})

describe('an error names the file, the entry and the remedy:', () => {
  it.each<[string, string, string, RegExp]>([
    ['a file that is not YAML', '{ nope', 'CONFIG_SYNTAX', /config is not valid YAML: .*Correct the file/],
    [
      'a file that holds something else',
      'just text',
      'CONFIG_INVALID',
      /is not a kubeconfig: its content is not a mapping/,
    ],
    ['another document', 'kind: Pod', 'CONFIG_INVALID', /its kind is "Pod", not Config/],
    ['an object in place of a list', 'contexts: {}', 'CONFIG_INVALID', /contexts must be a list/],
    ['an entry without a name', 'users: [{}]', 'CONFIG_INVALID', /users\[0\] has no name/],
    [
      'no current context',
      'contexts: [{name: a}]',
      'CONFIG_ENTRY_MISSING',
      /no current-context.*use-context.*\(available: a\)/,
    ],
    [
      'an unknown context',
      kubeconfig({ current: 'gone' }),
      'CONFIG_ENTRY_MISSING',
      /has no context "gone".*available: dev/,
    ],
    [
      'an unknown cluster',
      kubeconfig({ context: 'cluster: gone\nuser: me' }),
      'CONFIG_ENTRY_MISSING',
      /context "dev" of .*config names the cluster "gone", which does not exist \(available: here\)/,
    ],
    [
      'an unknown user',
      kubeconfig({ context: 'cluster: here\nuser: gone' }),
      'CONFIG_ENTRY_MISSING',
      /names the user "gone", which does not exist \(available: me\)/,
    ],
    [
      'no server',
      kubeconfig({ cluster: 'tls-server-name: x' }),
      'CONFIG_INVALID',
      /cluster "here" of .*config has no server/,
    ],
    [
      'a server that is not an address',
      kubeconfig({ cluster: 'server: 127.0.0.1:6443' }),
      'CONFIG_INVALID',
      /server "127.0.0.1:6443", which is not an address. Write it as https/,
    ],
    [
      'bad base64',
      kubeconfig({ cluster: 'server: https://x\ncertificate-authority-data: "%%%"' }),
      'CONFIG_INVALID',
      /cluster "here" of .*certificate-authority-data that is not base64/,
    ],
    [
      'base64 that is not a certificate',
      kubeconfig({
        user: `client-certificate-data: ${base64('hello')}\nclient-key-data: ${base64('hello')}`,
      }),
      'CONFIG_INVALID',
      /user "me" of .* has a client-certificate-data that contains no PEM/,
    ],
    [
      'a certificate without a key',
      kubeconfig({ user: `client-certificate-data: ${base64(client.cert)}` }),
      'CONFIG_INVALID',
      /user "me" of .* has a client-certificate but no client-key/,
    ],
    [
      'a file that is named and missing',
      kubeconfig({ cluster: 'server: https://x\ncertificate-authority: gone.pem' }),
      'CONFIG_FILE_MISSING',
      /gone\.pem \(certificate-authority of cluster "here"\) does not exist/,
    ],
    [
      'a credential program without a command',
      kubeconfig({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1}' }),
      'CONFIG_INVALID',
      /user "me" of .* has an exec without a command/,
    ],
    [
      'a credential program of an old version',
      kubeconfig({ user: 'exec: {command: aws, apiVersion: client.authentication.k8s.io/v1alpha1}' }),
      'CONFIG_INVALID',
      /user "me" of .* runs "aws" \(exec\) with the apiVersion ".*v1alpha1". Set it to client.authentication.k8s.io\/v1/,
    ],
    [
      'a credential program that does not say whether it asks',
      kubeconfig({ user: 'exec: {command: aws, apiVersion: client.authentication.k8s.io/v1}' }),
      'CONFIG_INVALID',
      /runs "aws" \(exec\) without an interactiveMode. Set it to Never, IfAvailable, Always/,
    ],
    [
      'a credential program with a variable without a name',
      kubeconfig({
        user: 'exec: {command: aws, apiVersion: client.authentication.k8s.io/v1beta1, env: [{value: x}]}',
      }),
      'CONFIG_INVALID',
      /has an exec.env\[0\] without a name/,
    ],
    [
      'groups to impersonate without a user',
      kubeconfig({ user: 'token: x\nas-groups: [ops]' }),
      'CONFIG_INVALID',
      /user "me" of .* has as-groups, .* but no as. Name the user/,
    ],
    [
      'an auth-provider',
      kubeconfig({ user: 'auth-provider: {name: gcp}' }),
      'CONFIG_UNSUPPORTED',
      /user "me" of .*auth-provider/,
    ],
    [
      'a SOCKS proxy',
      kubeconfig({ cluster: 'server: https://x\nproxy-url: socks5://me:s3cret@proxy:1080' }),
      'CONFIG_UNSUPPORTED',
      /the proxy-url of cluster "here" of .* is a SOCKS proxy \(socks5:\/\/proxy:1080\), .*Use an HTTP proxy/,
    ],
    [
      'a proxy that is not an address',
      kubeconfig({ cluster: 'server: https://x\nproxy-url: proxy' }),
      'CONFIG_INVALID',
      /the proxy-url of cluster "here" of .* is not the address of a proxy. Write it as/,
    ],
    [
      'a number for a token',
      kubeconfig({ user: 'token: 123' }),
      'CONFIG_INVALID',
      /token that is not a string. Put it in quotes/,
    ],
  ])('%s', (_, content, code, message) => {
    const file = write('config', content)
    const error = failing({ kubeconfig: file })
    expect(error).toMatchObject({ name: 'ConfigError', code })
    expect(error.message).toMatch(message)
    expect(error.message).toContain(directory)
  })

  it('a missing file', () => {
    const error = failing({ kubeconfig: join(directory, 'gone') })
    expect(error).toMatchObject({ code: 'CONFIG_FILE_MISSING' })
    expect(error.message).toMatch(/gone does not exist. Check the path/)
  })

  it('a directory in place of a file', () => {
    expect(failing({ kubeconfig: directory })).toMatchObject({ code: 'CONFIG_FILE_UNREADABLE' })
  })

  it('a Pod without a ServiceAccount', () => {
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
    const error = failing({ env, serviceAccount: join(directory, 'none') })
    expect(error.message).toMatch(/no ServiceAccount token.*automountServiceAccountToken/)
  })

  it('never shows a secret', () => {
    const error = failing({ kubeconfig: write('config', kubeconfig({ user: 'token: [hunter2]' })) })
    expect(error.message).not.toContain('hunter2')
  })
})
