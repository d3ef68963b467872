import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The command that a container of the image would run, and its folder. */
export interface BuiltFolder {
  readonly folder: string
  readonly command: readonly string[]
}

/**
 * Does what a Dockerfile says in a folder of this machine: it stands for the WORKDIR. Files that are to be copied must be in
 * the `context`; `run` is given each RUN line.
 */
export function buildFolder(
  dockerfile: string,
  options: { context: string; folder: string; run: (line: string, folder: string) => void },
): BuiltFolder {
  const { context, folder, run } = options
  let command: readonly string[] | undefined
  for (const line of dockerfile.split('\n').filter(Boolean)) {
    const [instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line)?.slice(1) ?? []
    if (instruction === 'WORKDIR') mkdirSync(folder, { recursive: true })
    else if (instruction === 'COPY') copy(context, folder, rest.split(' '))
    else if (instruction === 'RUN') run(rest, folder)
    else if (instruction === 'CMD') command = JSON.parse(rest) as string[]
    else if (!['FROM', 'USER'].includes(instruction)) throw new Error(`no such instruction here: ${line}`)
  }
  if (!command) throw new Error('the Dockerfile has no CMD')
  return { folder, command }
}

function copy(context: string, folder: string, words: readonly string[]): void {
  const target = words.at(-1)
  if (target !== './') throw new Error(`copies go to ./ here, not to ${target}`)
  for (const pattern of words.slice(0, -1)) {
    const files = globSync(pattern, { cwd: context })
    if (files.length === 0) throw new Error(`there is no ${pattern} to copy`)
    for (const file of files) copyFileSync(join(context, file), join(folder, basename(file)))
  }
}
