/** Runs an operator in a web worker: with an API server, workload controllers and simulated Pods, under simulated time. */
import { check, replayFinding, type Finding } from '@homeostat/check'
import { toldFinding } from '../../../packages/check/src/report/index.ts'
import { StoryRecording } from '../../../packages/dashboard/src/story-recording.ts'
import { OperatorCode } from './load-operator.ts'
import type { CheckedFinding, Files, Order, Problem, Report } from './messages.ts'
import { World } from './world.ts'

/** A worker's own scope, as far as it is used here. */
interface WorkerScope {
  postMessage(report: Report): void
  addEventListener(type: 'message', listener: (event: { readonly data: Order }) => void): void
  addEventListener(
    type: 'unhandledrejection',
    listener: (event: { readonly reason: unknown; preventDefault(): void }) => void,
  ): void
}

/** How often the worker says that its event loop turns, in milliseconds. */
const PULSE = 1000

const scope = globalThis as unknown as WorkerScope
let code: OperatorCode | undefined
let world: World | undefined
/** Orders are carried out one after the other. */
let done: Promise<unknown> = Promise.resolve()
let waiting: string[] = []

scope.addEventListener('message', ({ data }) => {
  done = done
    .then(() => obey(data))
    .catch((error: unknown) => tell({ type: 'problem', problem: problemOf(error) }))
})
setInterval(() => tell({ type: 'alive' }), PULSE)
scope.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  tell({ type: 'problem', problem: problemOf(event.reason) })
})

async function obey(order: Order): Promise<void> {
  if (order.type === 'run') await run(order.files)
  else if (order.type === 'check') await runCheck(order.files)
  else if (order.type === 'story') await runStory(order.files, order.finding)
  else if (order.type === 'advance') await advance(order.milliseconds)
  else if (order.type === 'pods') {
    if (world) world.pods = order.behaviour
  } else {
    const { id, action, body } = order
    const answer = await world?.act(action, body)
    if (world) await world.advance(0)
    flush()
    tell({
      type: 'answer',
      id,
      status: answer?.status ?? 409,
      body: answer?.body ?? { message: 'the operator does not run' },
    })
  }
}

async function run(files: Files): Promise<void> {
  const loaded = new OperatorCode(files)
  code = loaded
  world = await World.start(() => loaded.load())
  const { recorder } = world.recording
  tell({ type: 'recording', recording: JSON.parse(recorder.json()) })
  recorder.listen(({ json }) => waiting.push(json))
  await advance(0)
}

/** Whatever it fails with, what happened before is told. */
async function advance(milliseconds: number): Promise<void> {
  if (!world) return
  try {
    await world.advance(milliseconds)
  } finally {
    flush()
    tell({ type: 'time', now: world.clock.now() })
  }
}

function flush(): void {
  if (waiting.length === 0) return
  const entries = waiting.map((json) => JSON.parse(json))
  waiting = []
  tell({ type: 'entries', entries })
}

async function runCheck(files: Files): Promise<void> {
  const loaded = new OperatorCode(files)
  code = loaded
  const report = await check(() => loaded.load(), {
    onProgress: ({ trials, planned, findings }) =>
      tell({ type: 'checking', done: trials, planned, findings }),
  })
  const findings = report.findings.map((finding) => ({
    told: toldFinding(finding),
    others: finding.others ?? 0,
    finding,
  }))
  tell({ type: 'checked', findings, runs: report.runs })
}

async function runStory(files: Files, found: CheckedFinding): Promise<void> {
  const finding = found.finding as Finding
  const loaded = new OperatorCode(files)
  code = loaded
  const recording = new StoryRecording()
  await replayFinding(() => loaded.load(), finding, recording)
  tell({ type: 'story', recording: JSON.parse(recording.json()) })
}

function problemOf(error: unknown): Problem {
  return code?.problemOf(error) ?? { message: error instanceof Error ? error.message : String(error) }
}

function tell(report: Report): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
  scope.postMessage(report)
}
