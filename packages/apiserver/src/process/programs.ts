/** Runs a program with its arguments until it ends; returns its exit code. */
export type Program = (args: readonly string[]) => Promise<number>

/** The programs of this package, by the name under which they are started. */
export const programs: Readonly<Record<string, Program>> = {
  'homeostat-apiserver': async (args) => (await import('./homeostat-apiserver.ts')).run(args),
  'kube-apiserver': async (args) => (await import('./stand-in-apiserver.ts')).run(args),
  etcd: async (args) => (await import('./stand-in-etcd.ts')).run(args),
}
