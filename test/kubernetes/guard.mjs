// Ends what a control plane started when the process that started it is gone, however it went. It reads
// lines of JSON from its standard input, a pipe that only that process holds: which processes run and which
// have ended, and which folder is theirs. When the pipe closes it kills the processes that are left and
// removes the folder. It ignores the signals of a terminal, so that Ctrl-C does not end it first.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const running = new Set()
let folder

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const { started, ended, directory } = JSON.parse(line)
  if (started) running.add(started)
  if (ended) running.delete(ended)
  if (directory) folder = directory
}

for (const pid of running) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
