/** A key as a step of a path. A key may hold a line break or other space; each difference is one line, and its path one word. */
export function withoutSpace(key: string): string {
  return key.replaceAll(/\s/g, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
