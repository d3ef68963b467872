/** All flags of a stand-in's command line, by name, each with its last value. */
export function standInFlags(args: readonly string[]): Map<string, string> {
  const flags = new Map<string, string>()
  for (let index = 0; index < args.length; index++) {
    const match = /^--?([^=]+)(?:=(.*))?$/s.exec(args[index] ?? '')
    if (!match) continue
    const [, name = '', given] = match
    const next = args[index + 1]
    const takesNext = given === undefined && next !== undefined && !next.startsWith('-')
    flags.set(name, given ?? (takesNext ? next : 'true'))
    if (takesNext) index++
  }
  return flags
}
