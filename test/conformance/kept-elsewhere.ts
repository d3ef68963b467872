import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tests that run on both servers and keep the real one's answers beside them, as snapshots or as files. */
const FOLDERS = ['aggregation', 'authorization', 'certificates', 'operations', 'proxies', 'tokens']

/** How many answers of the real server are kept by tests besides the scenarios, by folder. */
export function keptElsewhere(): ReadonlyMap<string, number> {
  return new Map(FOLDERS.map((folder) => [folder, countIn(join(import.meta.dirname, '..', folder))]))
}

function countIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce((sum, file) => sum + answersIn(join(folder, file), file), 0)
}

function answersIn(path: string, file: string): number {
  if (file.endsWith('.snap')) return readFileSync(path, 'utf8').match(/^exports\[/gm)?.length ?? 0
  return /(?:^|[/\\])recorded[/\\].*\.json$/.test(file) ? 1 : 0
}
