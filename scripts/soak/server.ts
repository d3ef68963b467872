/** Our API server in a process of its own, until its parent process ends. */
import process from 'node:process'
import { ApiServer } from '@homeostat/apiserver'
import type { Listening, ServerUsage } from './conversation.ts'

const server = await ApiServer.start()
const port = await server.listen()
process.on('disconnect', () => void server.close())
// Signals reach the whole group: the one that started this decides when it ends, and it ends with that in any case.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: ServerUsage = { cpuSeconds: (user + system) / 1e6 }
  process.send?.(usage)
})
const listening: Listening = { kubeconfig: port.kubeconfig() }
process.send?.(listening)
