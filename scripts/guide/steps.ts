/** A step of a page's reader: saves a file, or runs a line. */
export type Step =
  | { readonly type: 'file'; readonly name: string; readonly text: string }
  | { readonly type: 'run'; readonly line: string }

const BLOCK = /^(?:<!-- from \S*?(?<name>[^/\s]+\.ts) -->\n```ts|```sh)\n(?<text>[\s\S]*?)^```$/gm

/** The steps of a page, in order: its `sh` blocks line by line, and its blocks of code as files. */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(({ groups: { name, text = '' } = {} }): Step[] => {
    if (name !== undefined) return [{ type: 'file', name, text }]
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ type: 'run', line }))
  })
}
