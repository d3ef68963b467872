const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    __: '__underscores__',
    '.': '__dot__',
    '-': '__dash__',
    '/': '__slash__',
  }),
)

/** Words that the language takes for literals and operators also behind a dot. */
const TOKENS = new Set(['true', 'false', 'null', 'in'])

/** All names by which a rule can refer to a property: a reserved word also stands for itself, as in `self.namespace`. */
export function ruleNames(name: string): string[] {
  const escaped = escapeName(name)
  if (escaped === undefined) return []
  return RESERVED.has(name) && !TOKENS.has(name) ? [escaped, name] : [escaped]
}

/** Whether a word in a rule stands for a property although its escaped name is another. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word)
}

/** The name by which every rule can refer to a property, or `undefined` where it cannot. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined
  return name.replace(/__|[-./]/g, (part) => ESCAPES.get(part)!)
}

/** The property that a rule refers to by a name, or `undefined` where the name is not a property's. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped
  let valid = true
  const name = escaped.replace(/__([^_]+)__/g, (part, word: string) => {
    const found = [...ESCAPES].find(([, escape]) => escape === part)?.[0]
    if (found !== undefined) return found
    if (!RESERVED.has(word) || part !== escaped) valid = false
    return word
  })
  return valid ? name : undefined
}
