/** The counts of a status without those of 0, which the API leaves out. */
export function nonzeroCounts<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<T>
}
