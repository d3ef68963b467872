import { homeostat } from './homeostat.ts'

// A reader that closes the pipe early, such as head, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exitCode = await homeostat(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  isTerminal: process.stdout.isTTY,
  // It changes with the size of the window.
  get columns() {
    return process.stdout.columns
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
