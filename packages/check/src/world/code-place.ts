/** Code of Homeostat and of other packages. */
const OURS = /\/node_modules\/|\/packages\/(api|apiserver|runtime|cluster|check)\/(src|dist)\//

/** A file on this machine, or one of a playground, whose name stands without a folder. */
const FILE = /(?:file:\/\/)?((?:\/[^()]+|(?<=[ (])[\w-]+\.[jt]s):\d+:\d+)\)?$/

/** The place in the operator's own code that a line of a stack trace names: `/home/me/controller.ts:31:22`. */
export function placeOf(line: string): string | undefined {
  // In a browser the packages are a script of the site.
  if (/https?:\/\/|node:/.test(line)) return undefined
  // A module that is loaded again for each process has a query.
  const place = FILE.exec(line.replace(/\?[\w=]+(?=:\d+:\d+\)?$)/, ''))?.[1]
  return place === undefined || OURS.test(place) ? undefined : place
}
