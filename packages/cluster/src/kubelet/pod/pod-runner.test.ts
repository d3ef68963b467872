import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage, type Puppet } from '../../../test/pod-stage.ts'

/** The version of this machine's Python, such as 3.12. */
const python = /^Python (\d+\.\d+)/.exec(
  spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)?.[1]

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

describe('running a Pod', () => {
  it('does not reveal a secret that is given as a command', async () => {
    stage.secrets.set('s', { data: { k: Buffer.from('hidden').toString('base64') } })
    const env = [{ name: 'K', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }]
    const container = { image: 'limited', command: ['$(K)'], env }
    await stage.run({ restartPolicy: 'Never', containers: [{ name: 'a', ...container }] })
    expect(stage.status().state?.terminated?.message).toContain('the command "$(K)" is not allowed')
    expect(JSON.stringify([stage.pod.status, stage.plainEvents])).not.toContain('hidden')
  })

  it.each([
    'LD_PRELOAD',
    'PATH',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'PYTHONNOUSERSITE',
    'BASH_FUNC_ls%%',
    'SHELLOPTS',
    'ZDOTDIR',
    'OPENSSL_CONF',
    'ERL_AFLAGS',
    'GIT_CONFIG_COUNT',
    'PYTHONWARNINGS',
    'PYTHONINSPECT',
    'PYTHONPYCACHEPREFIX',
    'NODE_COMPILE_CACHE',
    'npm_config_script_shell',
    'MAKEFLAGS',
    'GOFLAGS',
    'PAGER',
  ])('starts no command with %s, which would make it run other code', async (name) => {
    const env = [{ name, value: 'm/code' }]
    await stage.run({ containers: [{ name: 'a', image: 'limited', command: ['true'], env }] })
    expect(stage.status().state?.waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining(`the variable ${name} can make the command run other code`),
    })
  })

  it('starts a command with variables that only look like those', async () => {
    const names = [
      'PYTHONUNBUFFERED',
      'NODE_ENV',
      'ENVIRONMENT',
      'MY_PATH',
      'OLD_LD_PRELOAD',
      'PATHS',
      'HOME',
    ]
    const env = names.map((name) => ({ name, value: 'x' }))
    await stage.run({ restartPolicy: 'Never', containers: [{ name: 'a', image: 'limited', env }] })
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 0 })
  })

  it.skipIf(python === undefined)(
    'lets no volume in its home folder add code to a script of Python',
    async () => {
      stage.images = { ...stage.images, script: { command: 'python3', entry: ['-c', 'print("script")'] } }
      stage.configMaps.set('code', { data: { 'usercustomize.py': 'print("code")' } })
      const mountPath = `/.local/lib/python${python}/site-packages`
      await stage.run({
        restartPolicy: 'Never',
        containers: [{ name: 'a', image: 'script', volumeMounts: [{ name: 'code', mountPath }] }],
        volumes: [{ name: 'code', configMap: { name: 'code' } }],
      })
      expect(await stage.logOf('a')).toBe('script\n')
    },
  )

  it('shows it as a node does once its containers run', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet', ports: [{ containerPort: 80 }] }] })
    expect(stage.pod.status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
      hostIP: '127.0.0.1',
      startTime: '2026-01-01T12:00:00Z',
      qosClass: 'BestEffort',
      observedGeneration: 1,
    })
    expect(stage.status()).toMatchObject({
      name: 'a',
      state: { running: { startedAt: '2026-01-01T12:00:00Z' } },
      ready: true,
      started: true,
      restartCount: 0,
      image: 'puppet',
    })
    expect(stage.pod.status.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ])
    expect(stage.plainEvents.map((event) => event.reason)).toEqual(['Pulled', 'Created', 'Started'])
  })

  it('gives a module its arguments, variables, mounts and address', async () => {
    stage.configMaps.set('config', { data: { color: 'blue', 'file.txt': 'text' } })
    stage.secrets.set('token', { data: { token: Buffer.from('hush').toString('base64') } })
    await stage.run({
      containers: [
        {
          name: 'a',
          image: 'puppet:1.0',
          command: ['serve'],
          args: ['--color=$(COLOR)', '$$(COLOR)', '$(UNKNOWN)'],
          env: [
            { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'config', key: 'color' } } },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } },
            { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'BOTH', value: '$(NAME)-$(COLOR)' },
            { name: 'NONE', valueFrom: { configMapKeyRef: { name: 'x', key: 'y', optional: true } } },
          ],
          volumeMounts: [
            { name: 'config', mountPath: '/etc/config/' },
            { name: 'scratch', mountPath: '/tmp/scratch', subPath: 'a/b' },
          ],
        },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'config' } },
        { name: 'scratch', emptyDir: {} },
      ],
    })
    const { container } = stage.puppets[0] as Puppet
    expect(container.command).toEqual(['serve'])
    expect(container.args).toEqual(['--color=blue', '$(COLOR)', '$(UNKNOWN)'])
    expect(container.env).toEqual({
      COLOR: 'blue',
      TOKEN: 'hush',
      NAME: 'web',
      IP: '10.244.0.2',
      BOTH: 'web-blue',
    })
    expect(await readFile(join(container.mounts['/etc/config'] ?? '', 'file.txt'), 'utf8')).toBe('text')
    expect(await readdir(container.mounts['/tmp/scratch'] ?? '')).toEqual([])
    expect(container.address).toMatch(/^127\./)
  })

  it('runs a command as a process and keeps its log', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'host', command: ['sh', '-c', 'echo hi'] }],
    })
    expect(stage.pod.status.phase).toBe('Succeeded')
    expect(stage.status().state).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } })
    expect(stage.condition('Ready')).toBe('False')
    expect(await stage.logOf('a')).toBe('hi\n')
  })

  it('shows files of its volumes to a process below its folder', async () => {
    stage.configMaps.set('book', { data: { 'README.md': '# Hi' } })
    await stage.run({
      restartPolicy: 'Never',
      containers: [
        {
          name: 'a',
          image: 'host',
          workingDir: '/book',
          args: ['-c', 'cat src/README.md'],
          volumeMounts: [{ name: 'v', mountPath: '/book/src' }],
        },
      ],
      volumes: [{ name: 'v', configMap: { name: 'book' } }],
    })
    expect(await stage.logOf('a')).toBe('# Hi')
  })

  it('fails a Pod that never restarts when its container fails', async () => {
    await stage.run({ restartPolicy: 'Never', containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.exit(7)
    await stage.clock.settle()
    expect(stage.pod.status.phase).toBe('Failed')
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 7, reason: 'Error' })
  })

  it('runs init containers one after the other before the others', async () => {
    await stage.run({
      initContainers: [
        { name: 'first', image: 'puppet' },
        { name: 'second', image: 'puppet' },
      ],
      containers: [{ name: 'a', image: 'puppet' }],
    })
    const names = (): string[] => stage.puppets.map(({ container }) => container.name)
    expect(names()).toEqual(['first'])
    expect(stage.pod.status.phase).toBe('Pending')
    expect(stage.condition('Initialized')).toBe('False')
    expect(stage.status().state).toEqual({ waiting: { reason: 'PodInitializing' } })
    stage.puppets[0]?.exit(0)
    await stage.clock.settle()
    expect(names()).toEqual(['first', 'second'])
    stage.puppets[1]?.exit(1)
    await stage.clock.settle()
    expect(names()).toEqual(['first', 'second', 'second'])
    stage.puppets[2]?.exit(0)
    await stage.clock.settle()
    expect(names()).toEqual(['first', 'second', 'second', 'a'])
    expect(stage.pod.status.phase).toBe('Running')
    expect(stage.condition('Initialized')).toBe('True')
  })

  it('fails a Pod whose time is over', async () => {
    await stage.run({ activeDeadlineSeconds: 60, containers: [{ name: 'a', image: 'puppet' }] })
    await stage.clock.advance('59s')
    expect(stage.pod.status.phase).toBe('Running')
    await stage.clock.advance('1s')
    expect(stage.pod.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' })
  })
})

describe('starting a container again', () => {
  it('waits not at all, then 10 s, 20 s, 40 s and at most 5 min', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    const waits: number[] = []
    for (let starts = 1; starts <= 9; starts++) {
      const before = stage.clock.now()
      stage.puppets.at(-1)?.exit(1)
      await stage.clock.settle()
      while (stage.puppets.length === starts) await stage.clock.advance('1s')
      waits.push((stage.clock.now() - before) / 1_000)
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300])
    expect(stage.status()).toMatchObject({ restartCount: 9, lastState: { terminated: { exitCode: 1 } } })
  })

  it('forgets its failures after ten minutes without one', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.exit(1)
    await stage.clock.settle()
    await stage.clock.advance('11m')
    stage.puppets[1]?.exit(1)
    await stage.clock.settle()
    expect(stage.puppets).toHaveLength(3)
  })

  it('has the status of a real node while it waits', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.exit(2)
    await stage.clock.settle()
    stage.puppets[1]?.exit(2)
    await stage.clock.settle()
    expect(stage.pod.status.phase).toBe('Running')
    expect(stage.status()).toMatchObject({
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s restarting failed container=a pod=web_default(uid-1)',
        },
      },
      lastState: { terminated: { exitCode: 2 } },
      ready: false,
      restartCount: 1,
    })
  })

  it('keeps the log of the run before', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.container.stdout.write('first\n')
    stage.puppets[0]?.exit(1)
    await stage.clock.settle()
    stage.puppets[1]?.container.stdout.write('second\n')
    expect(await stage.logOf('a')).toBe('second\n')
    expect(await stage.logOf('a', { previous: true })).toBe('first\n')
  })

  it('does not start one again that succeeded, where only failures count', async () => {
    await stage.run({ restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.exit(0)
    await stage.clock.settle()
    expect(stage.pod.status.phase).toBe('Succeeded')
    expect(stage.puppets).toHaveLength(1)
  })

  it('puts what a module throws into its log', async () => {
    await stage.run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'peaceiris/mdbook', args: ['build'] }],
    })
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' })
    expect(await stage.logOf('a')).toContain('only mdbook serve is')
  })
})

describe('ending a Pod', () => {
  it('asks containers to end, and is over when they have', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    await stage.remove(30)
    expect(stage.runner.stopped).toBe(true)
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 0 })
    expect(stage.plainEvents.at(-1)).toEqual({
      type: 'Normal',
      reason: 'Killing',
      message: 'Stopping container a',
    })
  })

  it('ends by force after the grace period', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'deaf' }] })
    await stage.remove(30)
    await stage.clock.advance('29s')
    expect(stage.runner.stopped).toBe(false)
    await stage.clock.advance('1s')
    expect(stage.runner.stopped).toBe(true)
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' })
  })

  it('takes a shorter grace period in place of a longer one', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'deaf' }] })
    await stage.remove(30)
    await stage.remove(5)
    await stage.clock.advance('5s')
    expect(stage.runner.stopped).toBe(true)
  })

  it('sends a process SIGTERM', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'host', args: ['-c', 'sleep 100'] }] })
    expect(stage.pod.status.phase).toBe('Running')
    await stage.remove(30)
    expect(stage.runner.stopped).toBe(true)
    expect(stage.status().state?.terminated).toMatchObject({ exitCode: 143 })
  })

  it('starts nothing again', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    stage.puppets[0]?.exit(1)
    await stage.clock.settle()
    stage.puppets[1]?.exit(1)
    await stage.clock.settle()
    await stage.remove(30)
    await stage.clock.advance('1h')
    expect(stage.puppets).toHaveLength(2)
    expect(stage.runner.stopped).toBe(true)
  })

  it('leaves no file and no timer', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }], volumes: [{ name: 'v', emptyDir: {} }] })
    expect(await readdir(stage.folder)).toEqual(['uid-1'])
    await stage.runner.close()
    expect(await readdir(stage.folder)).toEqual([])
    expect(stage.clock.nextDue()).toBeUndefined()
    const before = stage.steps
    await stage.clock.advance('1h')
    expect(stage.steps).toBeLessThanOrEqual(before + 1)
  })
})

describe('a node that is restarted', () => {
  it('counts containers that ran before as ended, and starts them again', async () => {
    await stage.run({ containers: [{ name: 'a', image: 'puppet' }] })
    await stage.stop()
    await stage.resume()
    expect(stage.status()).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    })
  })
})
