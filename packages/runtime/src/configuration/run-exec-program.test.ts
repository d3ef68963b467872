import { SimulatedClock, SystemClock, type Duration } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import type { ExecConfig } from './exec-config.ts'
import { runExecProgram } from './run-exec-program.ts'

/** This very Node, as a program that runs a script. */
function program(script: string, rest: Partial<ExecConfig> = {}): ExecConfig {
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    interactiveMode: 'Never',
    source: 'user "me" of config',
    ...rest,
  }
}

function run(
  config: ExecConfig,
  rest: { signal?: AbortSignal; timeout?: Duration; terminal?: boolean } = {},
) {
  const signal = rest.signal ?? new AbortController().signal
  return runExecProgram(config, { clock: new SystemClock(), terminal: false, ...rest, signal })
}

async function failed(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error) => error,
  )
}

describe('a credential program', () => {
  it('gets its arguments unchanged, its variables and the request; its output is returned', async () => {
    const config = program(
      'console.log(JSON.stringify([process.argv[1], process.env.PROFILE, JSON.parse(process.env.KUBERNETES_EXEC_INFO)]))',
      { env: { PROFILE: 'me' }, cluster: { server: 'https://x' } },
    )
    const output = await run({ ...config, args: [...config.args, '$HOME; echo'] })
    expect(JSON.parse(output)).toEqual([
      '$HOME; echo',
      'me',
      {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: { cluster: { server: 'https://x' }, interactive: false },
      },
    ])
  })

  it('may prompt where there is a terminal and its configuration allows it', async () => {
    const script = 'console.log(JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.interactive)'
    expect(await run(program(script, { interactiveMode: 'IfAvailable' }), { terminal: true })).toBe('true\n')
    expect(await run(program(script, { interactiveMode: 'Never' }), { terminal: true })).toBe('false\n')
  })

  it('that must ask fails where standard input is not a terminal', async () => {
    const error = await failed(run(program('', { interactiveMode: 'Always' })))
    expect(error.message).toMatch(
      /must ask a person for input, but standard input is not a terminal. Run this process/,
    )
  })

  it('that is missing is an error with the install hint of the kubeconfig', async () => {
    const config = program('', { command: 'no-such-program-anywhere' })
    const error = await failed(run({ ...config, installHint: 'Get it from example.com.' }))
    expect(error).toMatchObject({ code: 'TRANSPORT_CREDENTIALS' })
    expect(error.message).toBe(
      'the program "no-such-program-anywhere", which provides the credentials of user "me" of config, was not found. Get it from example.com.',
    )
    expect((await failed(run(config))).message).toMatch(/was not found. Install it, or correct the command/)
  })

  it('that cannot be run is an error', async () => {
    const error = await failed(run(program('', { command: '/' })))
    expect(error.message).toMatch(/cannot be run by this user/)
  })

  it('that fails is an error with its exit code, and without what it printed', async () => {
    const error = await failed(run(program('console.log("hunter2"); process.exitCode = 3')))
    expect(error.message).toMatch(/failed with exit code 3. Its output is on standard error/)
    expect(error.message).not.toContain('hunter2')
  })

  it('that does not end is ended', async () => {
    const error = await failed(run(program('setInterval(() => {}, 1000)'), { timeout: '300ms' }))
    expect(error.message).toMatch(/did not end within 0.3 s and was killed. Run it by hand/)
  })

  it('that prints without end is ended', async () => {
    const script = 'const more = () => process.stdout.write("x".repeat(65536), more); more()'
    expect((await failed(run(program(script)))).message).toMatch(/printed more than 1 MiB/)
  })

  it('is ended by abort', async () => {
    const abort = new AbortController()
    const running = run(program('setInterval(() => {}, 1000)'), { signal: abort.signal })
    abort.abort('enough')
    await expect(running).rejects.toBe('enough')
    await expect(run(program(''), { signal: AbortSignal.abort('before') })).rejects.toBe('before')
  })

  it('counts as work under way', async () => {
    const clock = new SimulatedClock()
    let output = ''
    void (async () => {
      const { signal } = new AbortController()
      output = await runExecProgram(program('console.log("done")'), { clock, signal })
    })()
    await clock.settle()
    expect(output).toBe('done\n')
  })
})
