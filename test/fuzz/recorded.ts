import { readFileSync, writeFileSync } from 'node:fs'
import type { FuzzedServer } from './both-servers.ts'
import { comparableAnswer, type ComparableAnswer } from './comparable-answer.ts'
import type { FuzzCase } from './fuzz-case.ts'
import { failureCases } from './failure-cases.ts'
import { foundCases } from './found-cases.ts'
import { integerCases } from './integer-fields.ts'
import { keptCases } from './kept-cases.ts'
import { ownerCases } from './owner-cases.ts'
import { serviceCases } from './service-cases.ts'

/** Cases whose answers by the real server are kept, so that `npm test` can compare ours with them. */
export interface RecordedCases {
  readonly name: string
  readonly cases: readonly FuzzCase[]
  /** Whether objects that were made are compared too, or failures alone. */
  readonly objects: boolean
}

export const RECORDED: readonly RecordedCases[] = [
  { name: 'integers', cases: integerCases(), objects: false },
  { name: 'kept', cases: keptCases(), objects: true },
  { name: 'found', cases: foundCases(), objects: true },
  { name: 'owners', cases: ownerCases(), objects: true },
  { name: 'failures', cases: failureCases(), objects: true },
  { name: 'services', cases: serviceCases(), objects: true },
]

/** The namespace of recorded cases. */
const NAMESPACE = 'recorded'

/** A server's answers to a case. Objects of the case are not deleted. */
export async function answersOf(
  server: FuzzedServer,
  { requests }: FuzzCase,
  objects: boolean,
  since: number,
): Promise<ComparableAnswer[]> {
  const answers: ComparableAnswer[] = []
  for (const request of requests) {
    const answer = comparableAnswer(await server.ask(request, NAMESPACE), { since })
    answers.push(objects || answer.failure ? answer : { code: answer.code, warnings: [] })
  }
  return answers
}

export async function makeNamespace(server: FuzzedServer): Promise<void> {
  for (const name of [NAMESPACE, `${NAMESPACE}-limits`]) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await server.ask({ method: 'POST', path: '/api/v1/namespaces', body }, NAMESPACE)
  }
}

type Recorded = Record<string, ComparableAnswer[]>

function fileOf(name: string): URL {
  return new URL(`recorded/${name}.json`, import.meta.url)
}

export function titleOf({ kind, verb }: FuzzCase): string {
  return `${kind}: ${verb}`
}

export function readRecorded(name: string): Recorded {
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recorded
}

/** Asks the real server every recorded case again, and keeps its answers, one case to a line. */
export async function record(real: FuzzedServer, since: number): Promise<number> {
  let count = 0
  await makeNamespace(real)
  for (const { name, cases, objects } of RECORDED) {
    const lines: string[] = []
    for (const one of cases) {
      lines.push(
        `${JSON.stringify(titleOf(one))}: ${JSON.stringify(await answersOf(real, one, objects, since))}`,
      )
      count++
    }
    writeFileSync(fileOf(name), `{\n${lines.join(',\n')}\n}\n`)
  }
  return count
}
