import { apiVersionOf, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { FlowControl } from '../../flow-control/index.ts'
import type { Registry } from '../../registry/index.ts'
import { textAnswer } from '../answer/answer.ts'

const FOLDER = '/debug/api_priority_and_fairness/'
/** The time of a request that has not begun, as Go writes it. */
const NEVER = '0001-01-01T00:00:00Z'

type Row = readonly (string | number | boolean)[]

/** The requests that run and wait at each priority level, as tables for people. Undefined for other paths. */
export function flowControlDump(
  { path, query }: ApiRequest,
  { flowControl, registry }: { readonly flowControl?: FlowControl | undefined; readonly registry: Registry },
): ApiResponse | undefined {
  if (!flowControl || !path.startsWith(FOLDER)) return undefined
  switch (path.slice(FOLDER.length)) {
    case 'dump_priority_levels':
      return textAnswer(200, table(levelRows(flowControl)))
    case 'dump_queues':
      return textAnswer(200, table(queueRows(flowControl)))
    case 'dump_requests':
      return textAnswer(
        200,
        table(requestRows(flowControl, registry, Boolean(query.get('includeRequestDetails')))),
      )
    default:
      return undefined
  }
}

function levelRows({ levels }: FlowControl): Row[] {
  const header =
    'PriorityLevelName ActiveQueues IsIdle IsQuiescing WaitingRequests ExecutingRequests DispatchedRequests RejectedRequests TimedoutRequests CancelledRequests'
  const rows = levels.map((level) => [
    level.name,
    level.queues.filter(({ waiting }) => waiting.length > 0).length,
    level.isIdle,
    false,
    level.waitingCount,
    level.running.size,
    level.dispatched,
    level.rejected,
    level.timedOut,
    level.cancelled,
  ])
  return [header.split(' '), ...rows]
}

function queueRows({ levels }: FlowControl): Row[] {
  const header =
    'PriorityLevelName Index PendingRequests ExecutingRequests SeatsInUse NextDispatchR InitialSeatsSum MaxSeatsSum TotalWorkSum'
  const rows = levels.flatMap((level) =>
    level.queues.map(({ index, waiting, running, seatsInUse, due }) => {
      const seats = waiting.reduce((sum, { request }) => sum + request.seats, 0)
      return [
        level.name,
        index,
        waiting.length,
        running,
        seatsInUse,
        `${due.toFixed(3)}ss`,
        seats,
        seats,
        seats,
      ]
    }),
  )
  return [header.split(' '), ...rows]
}

function requestRows({ levels }: FlowControl, { clock }: Registry, withDetails: boolean): Row[] {
  const header =
    'PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime InitialSeats FinalSeats AdditionalLatency StartTime'
  const details = 'UserName Verb APIPath Namespace Name APIVersion Resource SubResource'
  const at = (time: number): string => new Date(clock.now() - (clock.monotonic() - time)).toISOString()
  const rows = levels.flatMap((level) => {
    const row = ({ request, arrived, started }: RequestTimes, queue: number, index: number): Row => {
      const { flow, user, attributes, seats } = request
      const { verb, path, namespace = '', name = '', resource, subresource = '' } = attributes
      const isQueued = (level.configuration.queuing?.queues ?? 0) > 1
      const distinguisher = isQueued ? flow.distinguisher(user, attributes) : ''
      const start = started === undefined ? NEVER : at(started)
      const first: Row = [
        level.name,
        flow.schema,
        queue,
        index,
        distinguisher,
        at(arrived),
        seats,
        0,
        '0s',
        start,
      ]
      if (!withDetails) return first
      const version = resource ? apiVersionOf(resource) : ''
      return [...first, user.name, verb, path, namespace, name, version, resource?.plural ?? '', subresource]
    }
    return [
      ...level.queues.flatMap(({ waiting, index }) => waiting.map((one, place) => row(one, index, place))),
      ...[...level.running].map((one) => row(one, one.queue?.index ?? -1, -1)),
    ]
  })
  return [[...header.split(' '), ...(withDetails ? details.split(' ') : [])], ...rows]
}

type Running = FlowControl['levels'][number]['running'] extends Set<infer R> ? R : never
type RequestTimes = Pick<Running, 'request' | 'arrived'> & { readonly started?: number }

/** Rows whose columns are aligned, each cell but the last with a comma. */
function table(rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    row.map((cell, index) => (index < row.length - 1 ? `${cell},` : String(cell))),
  )
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((width, row) => Math.max(width, (row[column]?.length ?? 0) + 1), 8),
  )
  const lines = cells.map((row) =>
    row.map((cell, index) => (index < row.length - 1 ? cell.padEnd(widths[index] ?? 0) : cell)).join(''),
  )
  return `${lines.join('\n')}\n`
}
