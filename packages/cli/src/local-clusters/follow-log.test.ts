import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followLog } from './follow-log.ts'

it('prints what a cluster adds to its log, also after a restart, and its last words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-log-'))
  const log = join(folder, 'log')
  writeFileSync(log, 'first\n')
  const bytes = Buffer.from('Grüße\n')
  const steps = [
    () => {},
    () => appendFileSync(log, bytes.subarray(0, 3)),
    () => appendFileSync(log, bytes.subarray(3)),
    () => {},
    () => writeFileSync(log, 'again\n'),
    () => appendFileSync(log, 'last words\n'),
  ]
  const home = {
    log,
    state() {
      steps.shift()?.()
      return { name: 'x', running: steps.length > 0, kubeconfig: '' }
    },
  }
  try {
    let printed = ''
    await followLog(home, { sleep: async () => {} }, (text) => void (printed += text))
    expect(printed).toBe('first\nGrüße\nagain\nlast words\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
