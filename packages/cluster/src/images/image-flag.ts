import { resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { CommandImage } from './image.ts'

/**
 * Parses `name=command argument … ; other; other` into an entry of an image map. The first command runs if a Pod
 * names none; the commands after semicolons are others that a Pod may name in its own `command`. Words are split at
 * spaces, and quotes keep them together. There is no shell, so no other character has a special meaning. The command
 * runs in its Pod's folder, so paths that begin with `./` or `../` (or `.\`, as on Windows) are made absolute from
 * `folder`. Fails with `USAGE`.
 */
export function imageFlag(text: string, folder: string): [name: string, image: CommandImage] {
  const split = text.indexOf('=')
  const name = text.slice(0, split).trim()
  const [own = [], ...others] = words(text, text.slice(split + 1)).map((part) =>
    part.map((word) => (/^\.\.?[/\\]/.test(word) ? resolve(folder, word) : word)),
  )
  const [command, ...args] = own
  if (split < 1 || name === '' || command === undefined) {
    throw usage(
      `--image=${text} is not a mapping: give --image=NAME=COMMAND, such as --image="web=node ./server.js"`,
    )
  }
  const commands = others.map((part) => allowedCommand(text, part))
  return [name, { command, args, ...(commands.length > 0 && { commands }) }]
}

/** A command that Pods may name: its arguments are the Pod's. */
function allowedCommand(flag: string, [command, ...rest]: readonly string[]): string {
  if (command === undefined) throw usage(`--image=${flag}: a command is missing after a semicolon`)
  if (rest.length === 0) return command
  throw usage(
    `--image=${flag}: a command after a semicolon takes its arguments from the Pod, so it must have none here: ` +
      `give ${JSON.stringify(command)} without ${JSON.stringify(rest.join(' '))}`,
  )
}

/** The words between the semicolons. */
function words(flag: string, text: string): string[][] {
  const parts: string[][] = [[]]
  let word: string | undefined
  let quote: string | undefined
  const finish = (): void => {
    if (word !== undefined) parts.at(-1)!.push(word)
    word = undefined
  }
  for (const letter of text) {
    if (quote !== undefined) {
      if (letter === quote) quote = undefined
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (letter === ';') {
      finish()
      parts.push([])
    } else if (/\s/.test(letter)) finish()
    else word = (word ?? '') + letter
  }
  if (quote !== undefined) throw usage(`--image=${flag}: the quote ${quote} is not closed`)
  finish()
  return parts
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
