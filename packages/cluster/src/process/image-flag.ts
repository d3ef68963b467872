import { resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { CommandImage } from '../images/index.ts'

/**
 * `name=command argument …` as an entry of an image map. Words are split at spaces, and quotes keep them together; there is
 * no shell, so nothing else has a meaning, but for paths that begin with `./` or `../`: the command runs in its Pod's folder,
 * so they are made absolute from this one. Fails with `USAGE`.
 */
export function imageFlag(text: string, folder: string): [name: string, image: CommandImage] {
  const split = text.indexOf('=')
  const name = text.slice(0, split).trim()
  const [command, ...args] = words(text, text.slice(split + 1)).map((word) =>
    /^\.\.?\//.test(word) ? resolve(folder, word) : word,
  )
  if (split < 1 || name === '' || command === undefined) {
    throw usage(
      `--image=${text} is no mapping: give --image=NAME=COMMAND, such as --image="web=node ./server.js"`,
    )
  }
  return [name, { command, args }]
}

function words(flag: string, text: string): string[] {
  const found: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (const letter of text) {
    if (quote !== undefined) {
      if (letter === quote) quote = undefined
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) found.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  if (quote !== undefined) throw usage(`--image=${flag}: the quote ${quote} is not closed`)
  return word === undefined ? found : [...found, word]
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
