import { createInterface } from 'node:readline'
import { CreateError, QUESTIONS, type Answers } from '../answers/index.ts'
import { wrapped } from './wrapped.ts'

/**
 * Asks the questions that are not answered yet, and asks again where an answer is wrong. Throws a `CreateError` with code `CANCELLED` when the user
 * presses Ctrl-C, or when the input ends.
 */
export async function askFor(given: Partial<Answers>, folder: string): Promise<Answers> {
  const known: Partial<Answers> = { ...given }
  const input = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C in a terminal closes the reader, which ends the loop over its lines.
  input.on('SIGINT', () => input.close())
  try {
    const lines = input[Symbol.asyncIterator]()
    for (const { name, text, read, default: defaultOf } of QUESTIONS) {
      if (known[name] !== undefined) continue
      const standard = defaultOf(known, folder)
      for (;;) {
        process.stdout.write(`${text} (${shown(standard)}): `)
        const { value: line, done } = await lines.next()
        if (done) {
          process.stdout.write('\n')
          throw new CreateError(
            'CANCELLED',
            'cancelled: nothing was written. Use --yes to accept the defaults',
          )
        }
        const answer = line.trim() === '' ? { value: standard } : read(line.trim())
        if ('problem' in answer) {
          process.stdout.write(`${wrapped(`  ${answer.problem}`, process.stdout.columns)}\n`)
          continue
        }
        Object.assign(known, { [name]: answer.value })
        break
      }
    }
  } finally {
    input.close()
  }
  return known as Answers
}

function shown(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? 'Y/n' : 'y/N'
}
