import { HomeostatError } from '@homeostat/api'
import { complain } from './flags/say.ts'

/** Runs a program to its end. Prints an error as a sentence, and returns the exit code. */
export async function exitCodeOf(name: string, program: () => void | Promise<void>): Promise<number> {
  try {
    await program()
    return 0
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    complain(`${name}: ${error.message}`)
    if (error.code !== 'USAGE') return 1
    complain(`Run ${name} --help to see all options.`)
    return 2
  }
}
