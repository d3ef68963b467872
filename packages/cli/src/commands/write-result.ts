import { resolve } from 'node:path'
import type { CommandIo } from '../command/index.ts'
import { writeFile } from '../manifests/index.ts'

/** Prints the result of a command, or writes it to the file that `--out` names and prints where it is. */
export function writeResult(io: CommandIo, target: string | undefined, text: string, title: string): void {
  if (target === undefined) return io.out(text)
  const file = resolve(io.cwd, target)
  writeFile(file, text)
  io.out(`${title} in ${file}\n`)
}
