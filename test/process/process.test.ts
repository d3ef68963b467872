import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const operator = fileURLToPath(new URL('operator.ts', import.meta.url))

/** Runs the operator, whose reconcile takes `milliseconds`, and sends the signals once it is under way. */
function run(
  milliseconds: number,
  ...signals: NodeJS.Signals[]
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=source', operator, String(milliseconds)])
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output === 'reconciling\n') for (const signal of signals) child.kill(signal)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

test('SIGTERM lets a reconcile under way finish, and then nothing keeps the process alive', async () => {
  const { code, output } = await run(300, 'SIGTERM')
  expect(output).toBe('reconciling\nstopped, reconciled: yes\n')
  expect(code).toBe(0)
})

test('a second signal ends the process at once, with 1', async () => {
  const { code, output } = await run(60_000, 'SIGTERM', 'SIGINT')
  expect(output).toBe('reconciling\n')
  expect(code).toBe(1)
})
