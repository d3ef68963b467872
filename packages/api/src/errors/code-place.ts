/** Code of Homeostat and of other packages. */
const OURS = /\/node_modules\/|\/packages\/(api|apiserver|runtime|cluster|check)\/(src|dist)\//

/** A file on this machine, or one of a playground, whose name stands without a folder. */
const FILE = /(file:\/\/)?((?:\/[^()]+|(?<=[ (])[\w-]+\.[jt]s):\d+:\d+)\)?$/

/**
 * The place in the operator's own code that a line of a stack trace names: `controller.ts:31:22`. Places in the working folder are
 * relative to it, so that the same project gives the same report wherever it is stored.
 */
export function codePlaceOf(line: string): string | undefined {
  // In a browser the packages are a script of the site.
  if (/https?:\/\/|node:/.test(line)) return undefined
  // A module that is loaded again for each process has a query.
  const named = line.replace(/\?[\w=]+(?=:\d+:\d+\)?$)/, '')
  const [, scheme, path] = FILE.exec(named) ?? []
  const place = scheme && path ? decodeURIComponent(path) : path
  return place === undefined || OURS.test(place) ? undefined : inWorkingFolder(place)
}

/** The first place in the operator's own code that a stack trace names, after the line of its message. */
export function firstCodePlace(stack: string | undefined): string | undefined {
  for (const line of stack?.split('\n').slice(1) ?? []) {
    const place = codePlaceOf(line)
    if (place !== undefined) return place
  }
  return undefined
}

/** The path relative to the working folder, if the file is in that folder. Browsers have no such folder. */
export function inWorkingFolder(path: string): string {
  const folder = globalThis.process?.cwd?.()
  return folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
