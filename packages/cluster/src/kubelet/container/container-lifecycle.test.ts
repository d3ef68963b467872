import type { CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../../test/pod-stage.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

const names = (): string[] => stage.puppets.map(({ container }) => container.name)

describe('a sidecar', () => {
  const pod: Partial<CoreV1.PodSpec> = {
    restartPolicy: 'Never',
    initContainers: [
      { name: 'before', image: 'puppet' },
      { name: 'proxy', image: 'puppet', restartPolicy: 'Always' },
      { name: 'logs', image: 'puppet', restartPolicy: 'Always' },
      { name: 'last', image: 'puppet' },
    ],
    containers: [{ name: 'main', image: 'puppet' }],
  }

  beforeEach(async () => {
    await stage.run(pod)
    stage.puppet('before').exit(0)
    await stage.clock.settle()
  })

  it('starts in its turn, and the next one does not wait for its end', async () => {
    expect(names()).toEqual(['before', 'proxy', 'logs', 'last'])
    expect(stage.pod.status.phase).toBe('Pending')
    stage.puppet('last').exit(0)
    await stage.clock.settle()
    expect(names()).toEqual(['before', 'proxy', 'logs', 'last', 'main'])
    expect(stage.pod.status.phase).toBe('Running')
    expect(stage.condition('Initialized')).toBe('True')
  })

  it('starts again whatever the policy of the Pod, and makes it unready meanwhile', async () => {
    stage.puppet('last').exit(0)
    await stage.clock.settle()
    stage.puppet('proxy').exit(1)
    await stage.clock.settle()
    stage.puppet('proxy').exit(1)
    await stage.clock.settle()
    expect(stage.status('proxy')).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    })
    expect(stage.pod.status.phase).toBe('Running')
    expect(stage.pod.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      message: 'containers with unready status: [proxy]',
    })
    await stage.clock.advance('10s')
    expect(stage.condition('Ready')).toBe('True')
  })

  it('ends after the main containers, the last first, and the Pod gets the phase of the main ones', async () => {
    const ended: string[] = []
    for (const { container } of stage.puppets) {
      container.signal.addEventListener('abort', () => ended.push(container.name))
    }
    stage.puppet('last').exit(0)
    await stage.clock.settle()
    stage.puppet('main').exit(0)
    await stage.clock.settle()
    expect(ended).toEqual(['logs', 'proxy'])
    expect(stage.pod.status.phase).toBe('Succeeded')
  })

  it('is asked to end after the others when the Pod is deleted', async () => {
    stage.puppet('last').exit(0)
    await stage.clock.settle()
    const ended: string[] = []
    for (const { container } of stage.puppets) {
      container.signal.addEventListener('abort', () => ended.push(container.name))
    }
    await stage.remove(30)
    expect(ended).toEqual(['main', 'logs', 'proxy'])
    expect(stage.runner.stopped).toBe(true)
  })
})

describe('the hooks of a container', () => {
  const withHooks = (lifecycle: CoreV1.Lifecycle): Partial<CoreV1.PodSpec> => ({
    containers: [
      { name: 'a', image: 'puppet', lifecycle },
      { name: 'b', image: 'puppet' },
    ],
  })

  it('hold it, and those after it, back until postStart has ended', async () => {
    await stage.run(withHooks({ postStart: { sleep: { seconds: 5 } } }))
    expect(names()).toEqual(['a'])
    expect(stage.status('a')).toMatchObject({
      started: false,
      state: { waiting: { reason: 'ContainerCreating' } },
    })
    await stage.clock.advance('5s')
    expect(names()).toEqual(['a', 'b'])
    expect(stage.status('a')).toMatchObject({ started: true, ready: true, state: { running: {} } })
  })

  it('end it when postStart fails', async () => {
    await stage.run(withHooks({ postStart: { exec: { command: ['no-such-command'] } } }))
    expect(stage.messages('FailedPostStartHook')[0]).toBe('PostStartHook failed')
    expect(stage.messages('Killing')[0]).toBe('FailedPostStartHook')
    expect(stage.status('a')).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    })
  })

  it('run before it is asked to end, out of the same grace period', async () => {
    await stage.run(withHooks({ preStop: { sleep: { seconds: 20 } } }))
    let asked = false
    stage.puppet('a').container.signal.addEventListener('abort', () => (asked = true))
    await stage.remove(30)
    await stage.clock.advance('19s')
    expect(asked).toBe(false)
    await stage.clock.advance('1s')
    expect(asked).toBe(true)
    expect(stage.runner.stopped).toBe(true)
  })

  it('leave a container two more seconds when they take the whole grace period', async () => {
    const container = { name: 'a', image: 'deaf', lifecycle: { preStop: { sleep: { seconds: 600 } } } }
    await stage.run({ containers: [container] })
    await stage.remove(10)
    await stage.clock.advance('11s')
    expect(stage.runner.stopped).toBe(false)
    await stage.clock.advance('1s')
    expect(stage.runner.stopped).toBe(true)
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' })
  })

  it('report a failed preStop, without its output', async () => {
    await stage.run(withHooks({ preStop: { exec: { command: ['no-such-command'] } } }))
    await stage.remove(30)
    expect(stage.messages('FailedPreStopHook')).toEqual(['PreStopHook failed'])
  })
})

describe('the policy of a container', () => {
  it('takes precedence over that of its Pod, and its rules over both', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [
        {
          name: 'a',
          image: 'puppet',
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
        },
      ],
    })
    stage.puppet('a').exit(42)
    await stage.clock.settle()
    expect(stage.status()).toMatchObject({ restartCount: 1, state: { running: {} } })
    stage.puppet('a').exit(1)
    await stage.clock.settle()
    expect(stage.pod.status.phase).toBe('Failed')
  })
})

describe('why a container ended', () => {
  const failing = (policy?: CoreV1.Container['terminationMessagePolicy']): Partial<CoreV1.PodSpec> => ({
    restartPolicy: 'Never',
    containers: [{ name: 'a', image: 'puppet', ...(policy ? { terminationMessagePolicy: policy } : {}) }],
  })

  it('is the message that it wrote to its termination path', async () => {
    await stage.run(failing())
    const { container } = stage.puppet('a')
    container.files.write('/dev/termination-log', 'out of ideas')
    stage.puppet('a').exit(3)
    await stage.clock.settle()
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 3, message: 'out of ideas' })
  })

  it('is the end of its log where it wrote none and the policy is FallbackToLogsOnError', async () => {
    await stage.run(failing('FallbackToLogsOnError'))
    stage.puppet('a').container.stdout.write(`${'x\n'.repeat(100)}the end\n`)
    stage.puppet('a').exit(3)
    await stage.clock.settle()
    const message = stage.status().state?.terminated?.message ?? ''
    expect(message.endsWith('x\nthe end\n')).toBe(true)
    expect(message.split('\n')).toHaveLength(81)
  })

  it('is empty where the path leads out of the container', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'puppet', terminationMessagePath: '/../../../etc/hostname' }],
    })
    stage.puppet('a').container.files.unlink('/etc/hostname')
    stage.puppet('a').container.files.symlink('/../../../../../../etc/passwd', '/etc/hostname')
    stage.puppet('a').exit(1)
    await stage.clock.settle()
    expect(stage.status().state?.terminated?.message).toBeUndefined()
  })
})

describe('a node that was started again', () => {
  it('runs init containers once more, and counts the restart', async () => {
    await stage.run({
      initContainers: [{ name: 'init', image: 'puppet' }],
      containers: [{ name: 'a', image: 'puppet' }],
    })
    stage.puppet('init').exit(0)
    await stage.clock.settle()
    await stage.stop()
    await stage.resume()
    expect(names()).toEqual(['init', 'a', 'init'])
    expect(stage.messages('SandboxChanged')).toEqual([
      'Pod sandbox changed, it will be killed and re-created.',
    ])
    stage.puppet('init').exit(0)
    await stage.clock.settle()
    expect(stage.status('init')).toMatchObject({ restartCount: 1, ready: true })
    expect(stage.status('a')).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    })
  })

  it('fails a Pod that never restarts', async () => {
    await stage.run({ restartPolicy: 'Never', containers: [{ name: 'a', image: 'puppet' }] })
    await stage.stop()
    await stage.resume()
    expect(names()).toEqual(['a'])
    expect(stage.pod.status.phase).toBe('Failed')
  })

  it('keeps the content of an emptyDir', async () => {
    await stage.run({
      containers: [{ name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    stage.puppet('a').container.files.write('/v/kept', 'yes')
    stage.puppet('a').container.files.write('/gone', 'no')
    await stage.stop()
    await stage.resume()
    const { files } = stage.puppet('a').container
    expect(Buffer.from(files.read('/v/kept')).toString()).toBe('yes')
    expect(files.stat('/gone')).toBeUndefined()
  })
})
