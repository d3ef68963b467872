/** A text for a terminal, broken between words; every further line is indented. It stays whole where there are no columns, as in a pipe. */
export function wrapped(text: string, columns: number | undefined, indent = '  '): string {
  if (columns === undefined) return text
  let width = 0
  return text.replaceAll(/(\s*)(\S+)/g, (_, space: string, word: string) => {
    const fits = width === 0 || width + space.length + word.length <= columns
    width = fits ? width + space.length + word.length : indent.length + word.length
    return (fits ? space : `\n${indent}`) + word
  })
}
