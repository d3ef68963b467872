import { createServer } from 'node:http'
import { HomeostatError } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../test/pod-stage.ts'
import type { Container } from '../images/index.ts'
import { Loopback, PodNetwork } from '../network/index.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

/** Listens on the port that its argument names until it is told to stop. */
async function listener(container: Container): Promise<number> {
  const { args, address, signal, clock } = container
  const server = createServer((_, response) => response.end())
  using _work = clock.busy('a listener')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(container.port(Number(args[0])), address, resolve)
  })
  _work.end()
  return new Promise((resolve) => signal.addEventListener('abort', () => server.close(() => resolve(0))))
}

describe('a container', () => {
  it('that ignores SIGTERM is killed when its time is over, with all that it started', async () => {
    const script = 'trap "" TERM; sleep 600 & echo up; while :; do sleep 600; done'
    await stage.run({ containers: [{ name: 'a', image: 'host', args: ['-c', script] }] })
    await stage.remove(30)
    await stage.clock.advance('29s')
    expect(stage.runner.stopped).toBe(false)
    await stage.clock.advance('1s')
    expect(stage.runner.stopped).toBe(true)
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 137, signal: 9, reason: 'Error' })
    expect(stage.messages('Killing')).toEqual(['Stopping container a'])
  })

  it('whose port is taken ends and is started again, with the reason in its log', async () => {
    stage.images = { ...stage.images, listener: { module: listener } }
    const container = { image: 'listener', args: ['8080'], ports: [{ containerPort: 8080 }] }
    await stage.run({
      containers: [
        { name: 'first', ...container },
        { name: 'second', ...container },
      ],
    })
    expect(stage.status('first')).toMatchObject({ ready: true, restartCount: 0 })
    expect(stage.status('second')).toMatchObject({
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    })
    expect(await stage.logOf('second')).toContain('EADDRINUSE')
    expect(stage.pod.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [second]',
    })
  })

  it('that floods its log keeps the end of it, and delays no other container', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'host', args: ['-c', 'yes x | head -c 20000000; echo the end'] }],
    })
    while (stage.pod.status.phase !== 'Succeeded') await stage.clock.advance('1s')
    let last = ''
    let size = 0
    for await (const chunk of stage.runner.log('a')?.read({ tailLines: 2 }) ?? []) {
      last += Buffer.from(chunk).toString()
      size += chunk.length
    }
    expect(last).toBe('x\nthe end\n')
    expect(size).toBe(10)
  })

  it('that exits at once is shown as crashing', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'host', args: ['-c', 'exit 7'] }] })
    expect(stage.status()).toMatchObject({
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s restarting failed container=a pod=web_default(uid-1)',
        },
      },
      lastState: { terminated: { exitCode: 7, reason: 'Error' } },
      restartCount: 1,
    })
    expect(stage.messages('BackOff')).toEqual([
      'Back-off restarting failed container a in pod web_default(uid-1)',
    ])
    expect(stage.pod.status.phase).toBe('Running')
  })

  it('that fails its liveness probe is killed with the grace that the probe gives it', async () => {
    await stage.run({
      terminationGracePeriodSeconds: 600,
      containers: [
        {
          name: 'a',
          image: 'deaf',
          livenessProbe: {
            exec: { command: ['false'] },
            periodSeconds: 1,
            failureThreshold: 2,
            terminationGracePeriodSeconds: 5,
          },
        },
      ],
    })
    await stage.clock.advance('1s')
    expect(stage.messages('Killing')).toEqual(['Container a failed liveness probe, will be restarted'])
    await stage.clock.advance('4s')
    expect(stage.status().restartCount).toBe(0)
    await stage.clock.advance('1s')
    expect(stage.status()).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137 } } })
  })

  it.each(['Bad Name', 'library/UPPER', 'a:b:c', 'x@sha256:12', '$(IMAGE)'])(
    'whose image is called %j has an invalid image name',
    async (image) => {
      await stage.run({ containers: [{ name: 'a', image }] })
      expect(stage.status().state?.waiting).toEqual({
        reason: 'InvalidImageName',
        message: `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`,
      })
      expect(stage.events.map(({ reason }) => reason)).toEqual(['InspectFailed', 'Failed'])
    },
  )

  it.each(['nginx:1.27', 'localhost:5000/a/b_c', 'example.COM/x__y-z:v1.2', `a@sha256:${'0'.repeat(64)}`])(
    'whose image is called %j has a valid image name',
    async (image) => {
      stage.images = {}
      await stage.run({ containers: [{ name: 'a', image }] })
      expect(stage.status().state?.waiting?.reason).toBe('ErrImagePull')
    },
  )

  it('whose image may not be pulled reports it', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'unknown', imagePullPolicy: 'Never' }] })
    expect(stage.status().state?.waiting).toEqual({
      reason: 'ErrImageNeverPull',
      message: 'Container image "unknown" is not present with pull policy of Never',
    })
  })
})

describe('a Pod that finds no address', () => {
  it('reports it, and is tried again', async () => {
    let full = true
    class FullNetwork extends PodNetwork {
      override attach(...args: Parameters<PodNetwork['attach']>): ReturnType<PodNetwork['attach']> {
        if (full) return Promise.reject(new HomeostatError('POD_ADDRESSES_EXHAUSTED', 'no address is left'))
        return super.attach(...args)
      }
    }
    await using loopback = await Loopback.claim()
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] }, { network: new FullNetwork(loopback) })
    expect(stage.messages('FailedCreatePodSandBox')).toEqual([
      'Failed to create pod sandbox: no address is left',
    ])
    expect(stage.condition('PodReadyToStartContainers')).toBe('False')
    full = false
    await stage.clock.advance('10s')
    expect(stage.pod.status.phase).toBe('Running')
  })
})

describe('events', () => {
  it('name the container that they are about', async () => {
    await stage.run({
      initContainers: [{ name: 'i', image: 'puppet', restartPolicy: 'Always' }],
      containers: [{ name: 'a', image: 'puppet', imagePullPolicy: 'Always' }],
    })
    expect(stage.events.map(({ reason, fieldPath }) => `${reason} ${fieldPath}`)).toEqual([
      'Pulled spec.initContainers{i}',
      'Created spec.initContainers{i}',
      'Started spec.initContainers{i}',
      'Pulling spec.containers{a}',
      'Pulled spec.containers{a}',
      'Created spec.containers{a}',
      'Started spec.containers{a}',
    ])
  })
})

describe('a container that is added to a Pod', () => {
  it('runs beside the others, once', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    const spec = { ...stage.pod.spec, ephemeralContainers: [{ name: 'debug', image: 'puppet' }] }
    stage.pod = { ...stage.pod, spec }
    await stage.step()
    expect(stage.pod.status.ephemeralContainerStatuses).toMatchObject([
      { name: 'debug', state: { running: {} } },
    ])
    stage.puppet('debug').exit(1)
    await stage.clock.settle()
    expect(stage.status('debug').state?.terminated).toMatchObject({ exitCode: 1 })
    expect(stage.condition('Ready')).toBe('True')
    expect(stage.puppets).toHaveLength(2)
  })
})
