import type { SchemaPair } from './schema-pair.ts'
import { safe } from './safe-changes.ts'
import { ratcheting } from './ratcheting-changes.ts'
import { breaking } from './breaking-changes.ts'

export const schemaPairs: readonly SchemaPair[] = [
  ...safe.map((pair) => ({ ...pair, level: 'safe' as const })),
  ...ratcheting.map((pair) => ({ ...pair, level: 'ratcheting' as const })),
  ...breaking.map((pair) => ({ ...pair, level: 'breaking' as const })),
]
