/** Code of Homeostat and of other packages. */
const OURS = /\/node_modules\/|\/packages\/(api|apiserver|runtime|cluster|check)\/(src|dist)\/|^node:/

/** The place in the operator's own code that a line of a stack trace names: `/home/me/controller.ts:31:22`. */
export function placeOf(line: string): string | undefined {
  // A module that is loaded again for each process has a query.
  const place = /(?:file:\/\/)?(\/[^()]+:\d+:\d+)\)?$/.exec(line.replace(/\?[\w=]+(?=:\d+:\d+\)?$)/, ''))?.[1]
  return place === undefined || OURS.test(place) ? undefined : place
}
