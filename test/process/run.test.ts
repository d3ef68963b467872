import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('run-operator.ts', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Runs an operator as a process by `run`, and sends the signal once it reconciles. */
function play(
  scenario: string,
  signal?: NodeJS.Signals,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=source', main, scenario], {
      env: { PATH: process.env['PATH'], ...env },
    })
    let output = ''
    const gather = (text: string): void => {
      const before = output.includes('reconciling\n')
      output += text
      if (signal && !before && output.includes('reconciling\n')) child.kill(signal)
    }
    child.stdout.setEncoding('utf8').on('data', gather)
    child.stderr.setEncoding('utf8').on('data', gather)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the operator gracefully, with 0', async (signal) => {
  const { code, output } = await play('reconciles', signal)
  expect(output).toContain('reconciling\n')
  expect(output).toContain('the manager has stopped')
  expect(output).toContain('main.ts goes on')
  expect(code).toBe(0)
})

test('a failure is logged and ends the process with 1, whatever it has open', async () => {
  const { code, output } = await play('fails')
  expect(output).toContain('"message":"the operator failed"')
  expect(output).toContain('the disk is full')
  expect(output).not.toContain('main.ts goes on')
  expect(code).toBe(1)
})

test('without a cluster it says where it looked, with 1', async () => {
  const { code, output } = await play('without-cluster', undefined, { KUBECONFIG: '/does/not/exist' })
  expect(output).toContain('/does/not/exist')
  expect(output).toContain('"level":"error"')
  expect(code).toBe(1)
})

test('what is not an operator is refused, with 1', async () => {
  const { code, output } = await play('no-operator')
  expect(output).toContain("operator('name', { controllers })")
  expect(code).toBe(1)
})
