import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { HostileCase } from './hostile-case.ts'
import { reconcilers } from './reconcilers.ts'

const OPERATOR = join(import.meta.dirname, 'operator.ts')

/** Each hostile reconciler runs in a process of its own, as an operator does, and is then killed. */
export const reconcilerCases: readonly HostileCase[] = Object.keys(reconcilers).map((title) => ({
  group: 'reconcilers',
  title,
  async run({ kubeconfig }, seconds, signal) {
    const child = fork(OPERATOR, [kubeconfig, title], {
      execArgv: process.execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const exited = once(child, 'exit')
    const stop = (): void => void child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    let count = 0
    child.on('message', () => count++)
    await pause(seconds * 1_000, undefined, { signal }).finally(stop)
    await exited
    signal.removeEventListener('abort', stop)
    if (count === 0) throw new Error('the reconciler was never called')
    return { note: `${count} reconciles` }
  },
}))
