import { packages } from './layers.ts'

/** The folders of all packages, each after those that it imports. */
export function packagesInOrder(): string[] {
  const waiting = new Map(Object.entries(packages))
  const ordered = new Set<string>()
  const folders: string[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, { imports }]) => imports.every((name) => ordered.has(name)))
    if (ready.length === 0)
      throw new Error(`These packages import each other: ${[...waiting.keys()].join(', ')}`)
    for (const [folder, { name }] of ready) {
      folders.push(folder)
      ordered.add(name)
      waiting.delete(folder)
    }
  }
  return folders
}
