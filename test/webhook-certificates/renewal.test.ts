import { TestEnvironment } from '@homeostat/apiserver/testing'
import { createClient, directTransport, silentLogger, type Clock } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  applyManifests,
  certificatesOf,
  distrust,
  OBJECTS,
  OPTIONS,
  readState,
  Replica,
  SECRET,
} from './replica.ts'

const DAY = 86_400_000

let environment: TestEnvironment
let replicas: Replica[]
beforeEach(async () => {
  environment = await TestEnvironment.start()
  replicas = []
  await applyManifests(environment)
})
afterEach(async () => {
  for (const replica of replicas) await replica.stop()
  await environment.close()
})

async function start(...names: readonly string[]): Promise<Replica[]> {
  const started = names.map((name) => new Replica(environment, name))
  replicas.push(...started)
  await environment.advance('1m')
  return started
}

async function patch(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' }
  const answer = await environment.call('PATCH', path, { body, headers })
  expect(answer.code, answer.body.message).toBe(200)
}

/** Why an API server would refuse the certificate of a process now; empty where all are trusted. */
async function problems(): Promise<string[]> {
  const state = await readState(environment)
  return replicas.flatMap(({ certificate }) =>
    certificate === undefined ? ['no certificate'] : distrust(certificate, state, environment.clock.now()),
  )
}

/** Renews certificates as the leading process does, but without a manager. */
function keeper(environment: TestEnvironment, clock: Clock = environment.clock) {
  const transport = directTransport(environment.handler, { clock: environment.clock })
  const client = createClient({ transport, clock, fieldManager: 'webhook-certificates' })
  const { serving, rotation } = certificatesOf(OPTIONS)
  return { serving, rotate: () => rotation.run({ client, clock, log: silentLogger }) }
}

function bound(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: () => clock.random(),
    schedule: (delay, callback) => clock.schedule(delay, callback),
    sleep: (delay, options) => clock.sleep(delay, options),
    busy: (what) => clock.busy(what),
  }
}

describe('certificates that manage themselves', () => {
  it('are made once by several processes that start at the same time, and trusted everywhere', async () => {
    const [one, two, three] = await start('one', 'two', 'three')
    expect(await problems()).toEqual([])
    expect(one!.certificate).toBe(two!.certificate)
    expect(one!.certificate).toBe(three!.certificate)
    const { secret } = await readState(environment)
    expect(Object.keys(secret!).toSorted()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key'])
  })

  it('are renewed forty times by the process that leads, and every process serves each of them', async () => {
    const options = { ...OPTIONS, certificates: { validity: '10h' } } as const
    replicas.push(new Replica(environment, 'one', options), new Replica(environment, 'two', options))
    await environment.advance('1m')
    const seen = new Set<string>()
    let longest = 0
    for (let hour = 0; hour < 200; hour++) {
      await environment.advance('1h')
      expect(await problems()).toEqual([])
      for (const { certificate } of replicas) seen.add(certificate!)
      for (const { authorities } of (await readState(environment)).bundles)
        longest = Math.max(longest, authorities.length)
    }
    expect(seen.size).toBe(41)
    expect(longest).toBeLessThanOrEqual(6)
  }, 60_000)

  it('are renewed every 30 days for ten years, and trusted by every API server at every step', async () => {
    const { clock } = environment
    const { serving, rotate } = keeper(environment)
    const end = clock.now() + 3653 * DAY
    const renewed: number[] = []
    let certificate: string | undefined
    while (clock.now() < end) {
      const wait = await rotate()
      const used = serving.current!.set.certificate
      expect(distrust(used, await readState(environment), clock.now())).toEqual([])
      if (certificate !== undefined && used !== certificate) renewed.push(clock.now())
      certificate = used
      await clock.advance(Math.min(wait, 10 * DAY))
      // The old certificate is still presented by a process that has not read the new one.
      expect(distrust(used, await readState(environment), clock.now())).toEqual([])
    }
    expect(renewed).toHaveLength(121)
    const days = renewed.slice(1).map((moment, index) => (moment - renewed[index]!) / DAY)
    expect(Math.min(...days)).toBeGreaterThan(29.9)
    expect(Math.max(...days)).toBeLessThan(30.1)
  }, 60_000)

  it('are renewed when the clock goes back, after API servers trust what replaces them', async () => {
    let offset = 0
    const { clock } = environment
    const shifted = { ...bound(clock), now: () => clock.now() + offset }
    const { serving, rotate } = keeper(environment, shifted)
    offset = 400 * DAY
    await rotate()
    const first = serving.current!.set.certificate
    offset = 0
    for (let step = 0; step < 5; step++) {
      const wait = await rotate()
      const used = serving.current!.set.certificate
      const refusals = distrust(used, await readState(environment), clock.now())
      if (used === first) expect(refusals[0]).toContain('not valid before')
      else expect(refusals).toEqual([])
      if (wait > 0) await clock.advance(Math.min(wait, 120_000))
    }
    expect(serving.current!.set.certificate).not.toBe(first)
  })

  it('are renewed at once, and once, when the Secret is annotated', async () => {
    const [one, two] = await start('one', 'two')
    const before = one!.certificate
    await patch(SECRET, { metadata: { annotations: { 'homeostat.dev/renew': 'now' } } })
    let longest = 0
    for (let second = 0; second < 120; second++) {
      await environment.advance('1s')
      expect(await problems()).toEqual([])
      if (one!.certificate === before) longest = second
    }
    // API servers get a minute to trust the authority that signs the new one.
    expect(longest).toBeLessThanOrEqual(61)
    const renewed = one!.certificate
    expect(two!.certificate).toBe(renewed)
    expect((await environment.call('GET', SECRET)).body.metadata.annotations).toBeUndefined()
    await environment.advance('1h')
    expect(one!.certificate).toBe(renewed)
    const lines = [...one!.lines, ...two!.lines].filter((line) => line.includes('was renewed'))
    expect(lines).toHaveLength(1)
  })

  it('are trusted again at once when another client removes caBundle', async () => {
    await start('one')
    for (const path of OBJECTS.slice(0, 2)) {
      const { body } = await environment.call('GET', path)
      for (const { clientConfig } of body.webhooks) delete clientConfig.caBundle
      expect((await environment.call('PUT', path, { body })).code).toBe(200)
    }
    const body = { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } }
    await patch(OBJECTS[2]!, body)
    await environment.settle()
    expect(await problems()).toEqual([])
  })

  it('are written into a configuration that is applied later', async () => {
    const { body } = await environment.call('GET', OBJECTS[0]!)
    await environment.call('DELETE', OBJECTS[0]!)
    await start('one')
    delete body.metadata.resourceVersion
    delete body.metadata.uid
    await environment.prepare('POST', OBJECTS[0]!.replace('/shelves', ''), body)
    await environment.settle()
    expect(await problems()).toEqual([])
  })

  it('do not change while a process stops and another starts', async () => {
    const [one] = await start('one')
    const { certificate } = one!
    await one!.stop()
    replicas.length = 0
    const [two] = await start('two')
    expect(two!.certificate).toBe(certificate)
  })

  it('survive that no process ran for a hundred days, and for a year', async () => {
    for (const days of [100, 365]) {
      const [one] = await start(`one-${days}`)
      await one!.stop()
      replicas.length = 0
      await environment.advance(days * DAY)
      await start(`two-${days}`)
      expect(await problems()).toEqual([])
      await replicas[0]!.stop()
      replicas.length = 0
    }
  })
})

describe('bad input', () => {
  it('a Secret that is deleted while processes run is stored again as it was', async () => {
    const [one, two] = await start('one', 'two')
    const before = await readState(environment)
    await environment.call('DELETE', SECRET)
    await environment.settle()
    expect(await readState(environment)).toEqual(before)
    expect(one!.certificate).toBe(two!.certificate)
  })

  it.each([
    ['rubbish', () => ({ 'ca.crt': 'AAAA', 'tls.crt': btoa('no certificate'), 'tls.key': btoa('no key') })],
    ['no part at all', () => ({ 'ca.crt': null, 'ca.key': null, 'tls.crt': '', 'tls.key': '' })],
    [
      'the key of another certificate',
      ({ 'ca.key': key }: Record<string, string>) => ({ 'tls.key': btoa(key!) }),
    ],
  ])('a Secret with %s is replaced by what processes serve, without a refused request', async (_, change) => {
    const [one] = await start('one', 'two')
    const before = await readState(environment)
    const body = { data: change(before.secret!) }
    await patch(SECRET, body)
    await environment.settle()
    expect(await problems()).toEqual([])
    expect((await readState(environment)).secret).toEqual(before.secret)
    expect(one!.lines.join('\n')).toContain('could not be used')
  })

  it('a Secret with rubbish at the start is replaced', async () => {
    const metadata = {
      name: 'shelves-webhook-certificates',
      labels: { 'app.kubernetes.io/managed-by': 'homeostat' },
    }
    const data = { 'ca.crt': 'AAAA', 'tls.crt': 'AAAA', 'tls.key': 'AAAA' }
    await environment.prepare('POST', '/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data,
    })
    await start('one')
    expect(await problems()).toEqual([])
  })

  it('an authority that cannot sign is replaced while its certificate is still served', async () => {
    const [one] = await start('one')
    const { certificate } = one!
    await patch(SECRET, { data: { 'ca.key': btoa('rubbish') } })
    await environment.advance('5m')
    expect(await problems()).toEqual([])
    expect(one!.certificate).toBe(certificate)
    await environment.advance(31 * DAY)
    expect(await problems()).toEqual([])
    expect(one!.certificate).not.toBe(certificate)
  })

  it('a Secret of another program is left alone, and the error says what to do', async () => {
    const data = { password: btoa('secret') }
    const metadata = { name: 'shelves-webhook-certificates' }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data }
    await environment.prepare('POST', '/api/v1/namespaces/default/secrets', secret)
    const one = new Replica(environment, 'one')
    await environment.advance('1m')
    expect((await environment.call('GET', SECRET)).body.data).toEqual(data)
    expect(one.certificate).toBeUndefined()
    expect(one.lines.join('\n')).toContain('Delete it, or set certificates.secret')
    await one.stop()
  })

  it('private keys are never logged', async () => {
    await start('one', 'two')
    await patch(SECRET, { data: { 'ca.crt': 'AAAA', 'tls.crt': 'AAAA' } })
    await environment.advance(31 * DAY)
    const { secret } = await readState(environment)
    const text = replicas.flatMap(({ lines }) => lines).join('\n')
    expect(text).not.toContain('PRIVATE KEY')
    for (const key of [secret!['ca.key']!, secret!['tls.key']!]) {
      for (const line of key.split('\n').slice(1, -2)) expect(text).not.toContain(line)
    }
  })
})
