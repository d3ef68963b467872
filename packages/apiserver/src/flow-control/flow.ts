import type { ServerObject } from '../registry/index.ts'
import { objectOf, textOf } from '../schema/index.ts'
import type { FlowCounters, FlowMetrics } from './flow-metrics.ts'
import { flowRules, type FlowRule } from './flow-rules.ts'
import type { FlowAtLevel, PriorityLevel } from './priority-level.ts'

/** The requests that one FlowSchema is for. */
export interface Flow extends FlowAtLevel {
  readonly schemaUid: string
  readonly precedence: number
  readonly rules: readonly FlowRule[]
  readonly level: PriorityLevel
}

/** Reads a FlowSchema whose level exists. Its rules and counters are read on first use, since most are never used. */
export function flowOf(schema: ServerObject, level: PriorityLevel, metrics: FlowMetrics): Flow {
  const spec = objectOf(schema['spec'])
  const { name = '' } = schema.metadata
  let rules: readonly FlowRule[] | undefined
  let counters: FlowCounters | undefined
  return {
    schema: name,
    schemaUid: textOf(schema.metadata['uid'] ?? ''),
    precedence: Number(spec['matchingPrecedence']),
    get rules() {
      return (rules ??= flowRules(spec))
    },
    level,
    get counters() {
      return (counters ??= metrics.countersOf(name, level.name))
    },
    distinguisher: distinguisherBy(objectOf(spec['distinguisherMethod'])['type']),
  }
}

/** The order in which FlowSchemas are tried. */
export function byPrecedence(one: Flow, other: Flow): number {
  return one.precedence - other.precedence || (one.schema < other.schema ? -1 : 1)
}

function distinguisherBy(method: unknown): Flow['distinguisher'] {
  if (method === 'ByUser') return ({ name }) => name
  if (method === 'ByNamespace') return (_, { namespace = '' }) => namespace
  return () => ''
}
