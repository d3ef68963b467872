import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../../test/pod-stage.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

describe('a Pod does not start with', () => {
  it('an image that nothing is mapped to', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'postgres:17' }] })
    expect(stage.pod.status.phase).toBe('Pending')
    expect(stage.status().state?.waiting).toMatchObject({ reason: 'ErrImagePull' })
    expect(stage.plainEvents[1]).toEqual({
      type: 'Warning',
      reason: 'Failed',
      message:
        'Failed to pull image "postgres:17": nothing is mapped to it: start the cluster with --image="postgres=COMMAND", or with images: { "postgres": … } in code',
    })
    await stage.clock.advance('1s')
    expect(stage.status().state?.waiting).toMatchObject({
      reason: 'ImagePullBackOff',
      message: expect.stringContaining('Back-off pulling image "postgres:17"'),
    })
    await stage.clock.advance('9s')
    expect(stage.status().state?.waiting).toMatchObject({ reason: 'ErrImagePull' })
  })

  it('a command that the mapping does not allow', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'limited', command: ['rm', '-rf', '/'] }],
    })
    expect(stage.status().state?.terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      message: expect.stringContaining('hostCommands: true'),
    })
  })

  it('a missing ConfigMap that it mounts, until the ConfigMap exists', async () => {
    await stage.run({
      containers: [{ name: 'a', image: 'puppet' }],
      volumes: [{ name: 'v', configMap: { name: 'late' } }],
    })
    expect(stage.status().state).toEqual({ waiting: { reason: 'ContainerCreating' } })
    expect(stage.plainEvents).toEqual([
      {
        type: 'Warning',
        reason: 'FailedMount',
        message: 'MountVolume.SetUp failed for volume "v" : configmap "late" not found',
      },
    ])
    stage.configMaps.set('late', { data: {} })
    await stage.clock.advance('10s')
    expect(stage.pod.status.phase).toBe('Running')
  })

  it('a missing Secret that a variable comes from', async () => {
    await stage.run({
      containers: [
        {
          name: 'a',
          image: 'puppet',
          env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
        },
      ],
    })
    expect(stage.status().state).toEqual({
      waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' },
    })
    stage.secrets.set('s', { data: {} })
    await stage.clock.advance('10s')
    expect(stage.status().state?.waiting?.message).toBe("couldn't find key k in Secret default/s")
    stage.secrets.set('s', { data: { k: '' } })
    await stage.clock.advance('10s')
    expect(stage.status().state?.running).toBeDefined()
  })

  it.each([
    [{ name: 'v', hostPath: { path: '/' } }, 'hostPath'],
    [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: '../../x' }] } }, '".."'],
    [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: '/etc/x' }] } }, 'relative path'],
    [{ name: 'v', configMap: { name: 'evil' } }, 'cannot be the name of a file'],
  ])('a volume like %j', async (volume, message) => {
    stage.configMaps.set('c', { data: { k: 'v' } })
    stage.configMaps.set('evil', { data: { '../../escaped': 'v' } })
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }], volumes: [volume] })
    expect(stage.plainEvents[0]?.message).toContain(message)
    expect(stage.puppets).toHaveLength(0)
  })

  it('a subPath that leads out of its volume', async () => {
    await stage.run({
      containers: [
        { name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/x', subPath: '../..' }] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    expect(stage.status().state?.waiting?.message).toContain('".."')
  })
})

describe('volumes that follow the API', () => {
  it('show a new version of a ConfigMap all at once, and drop what is gone', async () => {
    stage.configMaps.set('c', { data: { a: '1', b: '1' } })
    await stage.run({
      containers: [{ name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', configMap: { name: 'c' } }],
    })
    const path = stage.puppets[0]?.container.mounts['/v'] ?? ''
    expect((await readdir(path)).filter((name) => !name.startsWith('..'))).toEqual(['a', 'b'])
    stage.configMaps.set('c', { data: { b: '2', c: '2' } })
    await stage.step()
    expect(
      (await readdir(path)).filter((name) => !name.startsWith('..')).sort((x, y) => (x < y ? -1 : 1)),
    ).toEqual(['b', 'c'])
    expect(await readFile(join(path, 'b'), 'utf8')).toBe('2')
    expect((await readdir(path)).filter((name) => name.startsWith('..v'))).toEqual(['..v1', '..v2'])
  })
})
