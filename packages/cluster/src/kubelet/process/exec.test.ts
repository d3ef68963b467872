import type { CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../../test/pod-stage.ts'
import type { Launched } from '../container/launch.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

const run = (container: Partial<CoreV1.Container>): Promise<void> =>
  stage.run({ containers: [{ name: 'a', image: 'puppet', ...container }] })
async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

describe('a command in a container', () => {
  it('sees the files and the environment of the container, whatever runs in it', async () => {
    for (const image of ['puppet', 'host']) {
      stage.configMaps.set('c', { data: { k: 'from the map' } })
      await stage.run({
        containers: [
          {
            name: 'a',
            image,
            args: image === 'host' ? ['-c', 'sleep 600'] : [],
            env: [{ name: 'COLOR', value: 'blue' }],
            volumeMounts: [{ name: 'c', mountPath: '/etc/c' }],
          },
        ],
        volumes: [{ name: 'c', configMap: { name: 'c' } }],
      })
      const command = ['sh', '-c', 'echo $COLOR $HOSTNAME; cat /etc/c/k; echo wrong >&2; exit 3']
      expect(await stage.exec('a', command)).toEqual({
        exit: { exitCode: 3, reason: 'Error' },
        stdout: 'blue web\nfrom the map',
        stderr: 'wrong\n',
      })
      await stage.runner.close()
    }
  })

  it('cannot see the machine', async () => {
    await run({})
    const { stdout, exit } = await stage.exec('a', ['cat', '/etc/hostname', '/../../../../etc/hostname'])
    expect({ stdout, exit }).toMatchObject({ stdout: 'web\nweb\n', exit: { exitCode: 0 } })
  })

  it('reads its input', async () => {
    await run({})
    const { stdout } = await stage.exec('a', ['cat'], { stdin: bytes('one ', 'two') })
    expect(stdout).toBe('one two')
  })

  it('that is not part of the shell runs only if the mapping allows it', async () => {
    await run({})
    expect((await stage.exec('a', ['node', '-e', '1'])).exit).toEqual({
      exitCode: 128,
      reason: 'StartError',
      message: 'exec: "node": executable file not found in $PATH',
    })
    await stage.runner.close()
    const args = ['-e', 'setInterval(() => {}, 1000)']
    stage.images = { ...stage.images, node: { command: 'node', args, commands: ['getent'] } }
    await run({ image: 'node' })
    const { exit, stdout } = await stage.exec('a', ['getent', 'hosts', '127.0.0.1'])
    expect(exit).toMatchObject({ exitCode: 0 })
    expect(stdout).toContain('localhost')
    expect((await stage.exec('a', ['npm'])).exit.message).toContain('the command "npm" is not allowed')
    for (const command of [['node', '-p', 'process.cwd()'], ['node']]) {
      expect((await stage.exec('a', command)).exit.message).toContain('--host-commands')
    }
  })

  it('ends when its signal aborts', async () => {
    await run({})
    const stop = new AbortController()
    const running = stage.exec('a', ['sleep', '600'], { signal: stop.signal })
    stop.abort()
    expect((await running).exit.exitCode).toBeGreaterThan(128)
  })

  it('can end the container', async () => {
    await run({})
    await stage.exec('a', ['kill', '1'])
    await stage.clock.settle()
    expect(stage.status()).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 0 } } })
  })
})

describe('a probe or hook by command', () => {
  it('works in every container', async () => {
    await run({
      lifecycle: { postStart: { exec: { command: ['sh', '-c', 'touch /tmp-up'] } } },
      readinessProbe: { exec: { command: ['test', '-e', '/tmp-up'] } },
      livenessProbe: { exec: { command: ['cat', '/alive'] }, failureThreshold: 1, initialDelaySeconds: 5 },
    })
    expect(stage.status()).toMatchObject({ ready: true, restartCount: 0 })
    await stage.clock.advance('5s')
    expect(stage.messages('Unhealthy')).toEqual([
      expect.stringMatching(/^Liveness probe failed: cat: .*\/alive.*: No such file or directory\n$/),
    ])
    expect(stage.status().restartCount).toBe(1)
  })

  it('does not count where the command cannot run, and reports it', async () => {
    await run({ livenessProbe: { exec: { command: ['no-such-command'] }, failureThreshold: 1 } })
    await stage.clock.advance('30s')
    expect(stage.status().restartCount).toBe(0)
    expect(stage.messages('Unhealthy')[0]).toBe(
      'Liveness probe errored and resulted in unknown state: exec: "no-such-command": executable file not found in $PATH',
    )
  })

  it('fails when it takes too long', async () => {
    await run({
      readinessProbe: { exec: { command: ['sleep', '600'] }, timeoutSeconds: 2, failureThreshold: 1 },
    })
    await stage.clock.advance('2s')
    expect(stage.messages('Unhealthy')).toEqual([
      'Readiness probe failed: command timed out: "sleep 600" timed out after 2s',
    ])
  })
})

describe('attaching to a container', () => {
  const echo = async (image: string, rest: Partial<CoreV1.Container>): Promise<string> => {
    await run({ image, stdin: true, ...rest })
    const { streams, run: main } = stage.runner.current('a') as Launched
    const gone = new AbortController()
    let output = ''
    const stdout = { write: (text: string | Uint8Array) => void (output += Buffer.from(text).toString()) }
    const done = Promise.withResolvers<void>()
    const stdin = (async function* () {
      yield* bytes('hello\n')
      done.resolve()
    })()
    streams.attach({ stdin, stdout, stderr: stdout, signal: gone.signal })
    await done.promise
    await main.exited
    return output
  }

  it('joins its input and output', async () => {
    stage.images = {
      ...stage.images,
      reader: {
        module: async ({ stdin, stdout }) => {
          for await (const chunk of stdin ?? []) stdout.write(`got ${Buffer.from(chunk).toString()}`)
        },
      },
    }
    expect(await echo('reader', { stdinOnce: true })).toBe('got hello\n')
  })

  it('joins those of a process', async () => {
    expect(await echo('host', { args: ['-c', 'read -r line; echo "got $line"'] })).toBe('got hello\n')
  })

  it('by two clients shows both the same, and one that leaves does not disturb the other', async () => {
    await run({})
    const { streams } = stage.runner.current('a') as Launched
    const seen = ['', '']
    const leaves = [new AbortController(), new AbortController()]
    for (const [index, { signal }] of leaves.entries()) {
      const stdout = {
        write: (text: string | Uint8Array) => void (seen[index] += Buffer.from(text).toString()),
      }
      streams.attach({ stdout, stderr: stdout, signal })
    }
    stage.puppet('a').container.stdout.write('one\n')
    leaves[0]?.abort()
    stage.puppet('a').container.stdout.write('two\n')
    expect(seen).toEqual(['one\n', 'one\ntwo\n'])
    expect(await stage.logOf('a')).toBe('one\ntwo\n')
  })
})
