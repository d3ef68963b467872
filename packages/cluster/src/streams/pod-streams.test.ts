import { HomeostatError } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { podStreams, type PodRunners } from './pod-streams.ts'

const REQUEST = {
  namespace: 'default',
  name: 'pod',
  container: 'main',
  stdin: true,
  stdout: true,
  stderr: true,
  tty: false,
}

/** A stream that holds little, and what was written to it. */
function sink(): { readonly stream: WritableStream<Uint8Array>; text(): string; closed: boolean } {
  let text = ''
  const made = {
    stream: new WritableStream<Uint8Array>({
      write: (chunk) => void (text += Buffer.from(chunk).toString()),
      close: () => void (made.closed = true),
    }),
    text: () => text,
    closed: false,
  }
  return made
}

function runners(part: Partial<PodRunners>): PodRunners {
  const refuse = (): Promise<never> => Promise.reject(new Error('not expected'))
  return { exec: refuse, attach: refuse, connect: refuse, ...part }
}

describe('the streams of Pods', () => {
  it('connect a command with a client, and report its exit code after all output', async () => {
    const [out, errors] = [sink(), sink()]
    const streams = podStreams(
      runners({
        exec: async (pod, container, { command, stdin, stdout, stderr }) => {
          expect({ pod, container, command }).toEqual({
            pod: { namespace: 'default', name: 'pod' },
            container: 'main',
            command: ['tr', 'a', 'b'],
          })
          for await (const chunk of stdin ?? []) {
            stdout.write(Buffer.from(chunk).toString().toUpperCase())
            await stdout.ready
          }
          stderr.write('done')
          return { exitCode: 4, reason: 'Error' }
        },
      }),
    )
    const run = await streams.exec({ ...REQUEST, command: ['tr', 'a', 'b'] })
    const stdin = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from('some text'))
        controller.close()
      },
    })
    const { signal } = new AbortController()
    expect(await run({ stdin, stdout: out.stream, stderr: errors.stream, signal })).toBe(4)
    expect([out.text(), out.closed]).toEqual(['SOME TEXT', true])
    expect([errors.text(), errors.closed]).toEqual(['done', true])
  })

  it('let a process keep writing when no client reads, and report only its end to attached clients', async () => {
    const streams = podStreams(
      runners({
        attach: async (_pod, _container, { stdout }) => {
          for (let i = 0; i < 10; i++) {
            stdout.write('lost')
            await stdout.ready
          }
          return { exitCode: 3, reason: 'Error' }
        },
      }),
    )
    const run = await streams.attach(REQUEST)
    const gone = new WritableStream<Uint8Array>({ write: () => Promise.reject(new Error('gone')) })
    expect(await run({ stdout: gone, signal: new AbortController().signal })).toBe(0)
  })

  it('report a command that does not start as a failure', async () => {
    const exit = {
      exitCode: 128,
      reason: 'StartError',
      message: 'exec: "x": executable file not found in $PATH',
    }
    const streams = podStreams(runners({ exec: () => Promise.resolve(exit) }))
    const run = await streams.exec({ ...REQUEST, command: ['x'] })
    await expect(run({ signal: new AbortController().signal })).rejects.toThrow(exit.message)
  })

  it('refuse a container that does not run before anything is upgraded', async () => {
    const checkRunning = (): never => {
      throw new HomeostatError('CONTAINER_NOT_RUNNING', 'container not found ("main")')
    }
    const streams = podStreams(runners({ checkRunning }))
    const refused = {
      status: {
        code: 500,
        message: 'Internal error occurred: unable to upgrade connection: container not found ("main")',
      },
    }
    await expect(streams.exec({ ...REQUEST, command: ['x'] })).rejects.toMatchObject(refused)
    await expect(streams.attach(REQUEST)).rejects.toMatchObject(refused)
  })
})
