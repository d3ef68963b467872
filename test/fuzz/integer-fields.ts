import type { FuzzCase } from './fuzz-case.ts'
import { number, type Path } from './json-tree.ts'
import { fieldsOf, kindsWithPodsFirst, withValueAt } from './native-fields.ts'
import type { FuzzedKind } from './seeds.ts'

/** At and beyond the bounds of 32, 53 and 64 bits. */
const BOUNDS = [
  '-1',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
] as const

/** One case for each integer field of each native type and each bound: a create that leaves nothing. */
export function integerCases(): FuzzCase[] {
  const seen = new Set<string>()
  return kindsWithPodsFirst().flatMap((kind) =>
    integerPaths(kind, seen).flatMap((path) =>
      BOUNDS.map((bound) => ({
        kind: kind.name,
        verb: `${path.join('.')} ${bound}`,
        requests: [
          {
            method: 'POST' as const,
            path: `${kind.path}?dryRun=All`,
            body: withValueAt(kind, path, number(bound)),
          },
        ],
      })),
    ),
  )
}

function integerPaths(kind: FuzzedKind, seen: Set<string>): Path[] {
  return fieldsOf(kind, seen)
    .filter(({ schema, definition }) => schema.type === 'integer' || definition?.endsWith('.IntOrString'))
    .map(({ path }) => path)
}
