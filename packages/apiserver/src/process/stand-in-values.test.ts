import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'
import { authorizationOptions } from './authorization/authorization-flags.ts'
import { standInValues } from './stand-in-values.ts'

const valuesOf = (flags: Readonly<Record<string, string>>) => standInValues(new Map(Object.entries(flags)))

/**
 * kube-apiserver's messages for flags that it refuses. `npm run record flags` asks it again.
 */
const refused = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/recorded/refused-flags.json'), 'utf8'),
) as readonly { flag: string; value: string; error: string }[]

it.each(refused)(
  'refuses --$flag=$value with the message of kube-apiserver',
  async ({ flag, value, error }) => {
    const flags: Readonly<Record<string, string>> = { [flag]: value }
    const read = async () => [
      valuesOf(flags),
      await authorizationOptions(
        (name) => flags[name],
        () => {},
      ),
    ]
    await expect(read()).rejects.toMatchObject({ code: 'USAGE', message: error })
  },
)

describe('feature gates', () => {
  it('cause no warning for the default, and a warning for other values', () => {
    const gates = 'WatchList=true,kube:APIServerTracing=true,AllAlpha=true'
    expect(valuesOf({ 'feature-gates': gates }).warnings).toEqual([
      '--feature-gates: AllAlpha=true has no effect: AllAlpha stays off here',
    ])
  })

  it.each([
    ['WatchList=false', ['WatchList'], []],
    ['WatchList=false,WatchList=true', [], []],
    ['OpenAPIEnums=false', [], ['OpenAPIEnums=false has no effect: OpenAPIEnums stays on here']],
    [
      'WatchList=true,AllBeta=false',
      ['APIResponseCompression', 'StorageVersionHash'],
      ['AllBeta=false turns off only APIResponseCompression, StorageVersionHash, WatchList here'],
    ],
    ['AllBeta=true', [], ['AllBeta=true has no effect: AllBeta stays off here']],
  ])('turn off the features that can be off: %s', (gates, disabled, warnings) => {
    const values = valuesOf({ 'feature-gates': gates })
    expect(values.disabledFeatures).toEqual(disabled)
    expect(values.warnings).toEqual(warnings.map((warning) => `--feature-gates: ${warning}`))
  })
})

describe('admission plugins', () => {
  it('protect volumes in use by default, as in kube-apiserver, unless a flag turns that off', () => {
    expect(valuesOf({})).toMatchObject({ protectsVolumes: true, warnings: [] })
    const disabled = { 'disable-admission-plugins': 'StorageObjectInUseProtection' }
    expect(valuesOf(disabled)).toMatchObject({ protectsVolumes: false, warnings: [] })
  })

  it('taint new nodes by default, as in kube-apiserver, unless a flag turns that off', () => {
    expect(valuesOf({})).toMatchObject({ taintsNodes: true, warnings: [] })
    const disabled = { 'disable-admission-plugins': 'TaintNodesByCondition' }
    expect(valuesOf(disabled)).toMatchObject({ taintsNodes: false, warnings: [] })
  })

  it.each([
    ['enable', 'MutatingAdmissionWebhook,ValidatingAdmissionPolicy,PodTopologyLabels', []],
    ['disable', 'ValidatingAdmissionWebhook', ['ValidatingAdmissionWebhook is always on']],
    ['disable', 'DefaultTolerationSeconds', ['DefaultTolerationSeconds is always on']],
    ['enable', 'NodeRestriction', ['this server has no admission plugin NodeRestriction']],
  ])('of kube-apiserver are known by name: --%s-admission-plugins=%s', (verb, names, warnings) => {
    const flag = `${verb}-admission-plugins`
    expect(valuesOf({ [flag]: names }).warnings).toEqual(warnings.map((warning) => `--${flag}: ${warning}`))
  })
})

describe('the runtime configuration', () => {
  it.each([
    ['autoscaling/v1=false', ['autoscaling/v1'], []],
    ['autoscaling/v1=false,autoscaling/v1=true', [], []],
    ['autoscaling/v2', [], []],
    ['apps/v1beta1=false', [], []],
    [
      'apps/v1beta1=true',
      [],
      ['--runtime-config: apps/v1beta1=true has no effect: this server does not have this version'],
    ],
    [
      'api/beta=true',
      [],
      ['--runtime-config: api/beta=true has no effect: this server has only versions that are on by default'],
    ],
    ['api/ga=true,api/all=false', [], []],
    ['api/v1=false', [], ['--runtime-config: v1 stays served: the server itself needs it']],
    [
      'apps/v1/deployments=false',
      ['apps/v1/deployments'],
      ['--runtime-config: apps/v1/deployments is not served, and the OpenAPI documents still describe it'],
    ],
    ['apps/v1/nothings=true,batch/v1/jobs', [], []],
    ['batch/v1=false,batch/v1/jobs=true', ['batch/v1/cronjobs'], []],
    [
      'certificates.k8s.io/v1beta1/clustertrustbundles=true',
      [],
      [
        '--runtime-config: certificates.k8s.io/v1beta1/clustertrustbundles=true has no effect: this server does not have this version',
      ],
    ],
    [
      'rbac.authorization.k8s.io/v1/roles=false',
      [],
      [
        '--runtime-config: rbac.authorization.k8s.io/v1/roles stays served: the server itself needs rbac.authorization.k8s.io/v1',
      ],
    ],
  ])('%s', (config, disabled, warnings) => {
    const values = valuesOf({ 'runtime-config': config })
    expect(values.disabledVersions).toEqual(disabled)
    expect(values.warnings).toEqual(warnings)
  })

  it('turns off all versions except those that are named or needed by the server', () => {
    for (const key of ['api/all=false', 'api/all=true,api/ga=false']) {
      const { disabledVersions, warnings } = valuesOf({ 'runtime-config': `${key},apps/v1=true` })
      expect(disabledVersions).toContain('batch/v1')
      expect(disabledVersions).not.toContain('apps/v1')
      expect(disabledVersions).not.toContain('v1')
      expect(warnings.length).toBeGreaterThan(5)
    }
  })
})

describe('a server with these values', () => {
  let environment: TestEnvironment | undefined
  afterEach(() => environment?.close())

  it('does not serve a version that was turned off, and serves the others of its group', async () => {
    const { disabledVersions } = valuesOf({ 'runtime-config': 'autoscaling/v1=false,batch/v1=false' })
    environment = await TestEnvironment.start({ disabledVersions })
    const codeOf = async (path: string) => (await environment!.call('GET', path)).code
    expect(await codeOf('/apis/autoscaling/v1/horizontalpodautoscalers')).toBe(404)
    expect(await codeOf('/apis/autoscaling/v2/horizontalpodautoscalers')).toBe(200)
    expect(await codeOf('/apis/batch/v1/jobs')).toBe(404)
    expect(await codeOf('/apis/batch')).toBe(404)
    const { body } = await environment.call('GET', '/apis')
    const versions = body.groups.flatMap((group: any) => group.versions.map((one: any) => one.groupVersion))
    expect(versions).toContain('autoscaling/v2')
    expect(versions).not.toContain('autoscaling/v1')
    expect(versions).not.toContain('batch/v1')
  })

  it('does not serve a resource that was turned off, and serves one of a version that was', async () => {
    const config = 'apps/v1/deployments=false,batch/v1=false,batch/v1/jobs=true'
    const { disabledVersions } = valuesOf({ 'runtime-config': config })
    environment = await TestEnvironment.start({ disabledVersions })
    const call = (method: 'GET', path: string) => environment!.call(method, path)
    const namesIn = async (version: string): Promise<string[]> =>
      (await call('GET', `/apis/${version}`)).body.resources.map((one: any) => one.name)
    expect(await namesIn('apps/v1')).toContain('statefulsets')
    expect(await namesIn('apps/v1')).not.toContain('deployments')
    expect(await namesIn('batch/v1')).toEqual(['jobs', 'jobs/status'])
    expect((await call('GET', '/apis/apps/v1/deployments')).code).toBe(404)
    const scale = '/apis/apps/v1/namespaces/default/deployments/x/scale'
    expect((await call('GET', scale)).code).toBe(404)
  })

  it('starts with only the versions that it needs', async () => {
    const { disabledVersions } = valuesOf({ 'runtime-config': 'api/all=false' })
    environment = await TestEnvironment.start({ disabledVersions })
    expect((await environment.call('GET', '/api/v1/namespaces/default')).code).toBe(200)
  })
})

describe('events', () => {
  it.each([
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['0', 0],
  ])('are kept for %s', (text, eventLifetime) => {
    expect(valuesOf({ 'event-ttl': text })).toMatchObject({ eventLifetime })
  })

  it.each(['-1h', 'soon', ''])('cannot be kept for %j', (text) => {
    expect(() => valuesOf({ 'event-ttl': text })).toThrow(/--event-ttl=/)
  })
})

describe('tokens of ServiceAccounts', () => {
  it('have the length and the audiences of the flags', () => {
    expect(
      valuesOf({ 'service-account-max-token-expiration': '24h0m0s', 'api-audiences': 'a,b' }),
    ).toMatchObject({
      maxTokenExpirationSeconds: 86_400,
      apiAudiences: ['a', 'b'],
      extendTokenExpiration: true,
    })
    expect(valuesOf({ 'service-account-extend-token-expiration': 'false' })).toMatchObject({
      maxTokenExpirationSeconds: undefined,
      extendTokenExpiration: false,
    })
  })

  it.each(['59m', '2000000h', 'soon'])('cannot have the length %s', (value) => {
    expect(() => valuesOf({ 'service-account-max-token-expiration': value })).toThrow(
      /service-account-max-token-expiration/,
    )
  })
})
