import { deflateRawSync } from 'node:zlib'
import { readCatalogue } from '../../docs/playground/build/catalogue.ts'

/** The address of code in a link. */
export function linkTo(files: Readonly<Record<string, string>>): string {
  return `#code=${deflateRawSync(JSON.stringify(files)).toString('base64url')}`
}

/** The files of an example of the playground, with a change in one of them. */
export function changed(id: string, file: string, from: string, to: string): Record<string, string> {
  const example = readCatalogue().examples.find((each) => each.id === id)
  const text = example?.files[file]
  if (!example || !text?.includes(from)) throw new Error(`${id} has no ${file} with ${from}`)
  return { ...example.files, [file]: text.replace(from, to) }
}
