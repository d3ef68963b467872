import type { CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../../test/pod-stage.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

describe('probes', () => {
  const web: CoreV1.Container = {
    name: 'a',
    image: 'peaceiris/mdbook',
    args: ['serve'],
    ports: [{ name: 'http', containerPort: 3000 }],
  }

  it('make a container ready by a web request to a named port', async () => {
    await stage.run({ containers: [{ ...web, readinessProbe: { httpGet: { path: '/', port: 'http' } } }] })
    expect(stage.status()).toMatchObject({ ready: true, started: true })
    expect(stage.condition('Ready')).toBe('True')
  })

  it('run first after the initial delay', async () => {
    await stage.run({
      containers: [{ ...web, readinessProbe: { initialDelaySeconds: 5, tcpSocket: { port: 3000 } } }],
    })
    expect(stage.pod.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [a]',
    })
    await stage.clock.advance('5s')
    expect(stage.condition('Ready')).toBe('True')
  })

  it('keep a container from being ready while they fail, and say why', async () => {
    await stage.run({ containers: [{ ...web, readinessProbe: { httpGet: { path: '/none', port: 3000 } } }] })
    expect(stage.status().ready).toBe(false)
    await stage.clock.advance('1m')
    expect(stage.status()).toMatchObject({ ready: false, restartCount: 0 })
    expect(stage.plainEvents.filter(({ reason }) => reason === 'Unhealthy')).toEqual(
      Array.from({ length: 7 }, () => ({
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'Readiness probe failed: HTTP probe failed with statuscode: 404',
      })),
    )
  })

  it('restart a container that is no longer alive, after a number of failures in a row', async () => {
    await stage.run({
      containers: [
        { ...web, livenessProbe: { tcpSocket: { port: 9 }, periodSeconds: 10, failureThreshold: 3 } },
      ],
    })
    await stage.clock.advance('19s')
    expect(stage.status().restartCount).toBe(0)
    await stage.clock.advance('1s')
    expect(stage.status()).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 0 } } })
    expect(stage.plainEvents).toContainEqual({
      type: 'Normal',
      reason: 'Killing',
      message: 'Container a failed liveness probe, will be restarted',
    })
  })

  it('hold the others back until a container has started', async () => {
    await stage.run({
      restartPolicy: 'Always',
      containers: [
        {
          name: 'a',
          image: 'busybox',
          args: ['-c', 'sleep 100'],
          startupProbe: { exec: { command: ['test', '-e', 'up'] }, failureThreshold: 30 },
          livenessProbe: { exec: { command: ['false'] }, failureThreshold: 1 },
        },
      ],
    })
    await stage.clock.advance('30s')
    expect(stage.status()).toMatchObject({ started: false, ready: false, restartCount: 0 })
  })

  it('count a probe that takes too long as a failure', async () => {
    await stage.run({
      containers: [
        {
          name: 'a',
          image: 'busybox',
          args: ['-c', 'sleep 100'],
          readinessProbe: { exec: { command: ['sleep', '100'] }, timeoutSeconds: 1, failureThreshold: 1 },
        },
      ],
    })
    await stage.clock.advance('1s')
    expect(stage.plainEvents).toContainEqual(expect.objectContaining({ reason: 'Unhealthy' }))
  })
})
