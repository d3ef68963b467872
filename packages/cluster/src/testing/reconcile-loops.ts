import {
  turnOfTheEventLoop,
  formatKey,
  HomeostatError,
  type AnyKind,
  type ObjectKey,
  type SimulatedClock,
} from '@homeostat/api'
import { describeCauses, type Controller, type ReconcileReport } from 'homeostat'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { differences } from './differences.ts'

/** More reconciles of one object than this without time passing count as a loop. */
const MOST = 500
/** How many of the last reconciles and differences a message lists. */
const TOLD = 5
const REMEDY =
  'Write only what differs from what was read, as client.apply does. If a field changes each time, such as a count or the time, do not watch it, or filter its changes with a predicate such as generationChanged.'

/**
 * Watches the reports of reconciles for loops that would never settle: loops that the manager found, and any object
 * that is reconciled very often without time passing, for example because two controllers undo each other's writes.
 */
export class ReconcileLoops {
  readonly #clock: SimulatedClock
  readonly #giveUp: (report: ReconcileReport) => void
  readonly #counts = new Map<string, number>()
  #moment = 0
  #last: ReconcileReport[] = []

  constructor(clock: SimulatedClock, giveUp: (report: ReconcileReport) => void) {
    this.#clock = clock
    this.#giveUp = giveUp
  }

  /** `counts` says that the test waits until no work is left: many reconciles count as a loop only then. */
  add(report: ReconcileReport, counts: boolean): void {
    const now = this.#clock.monotonic()
    if (now !== this.#moment || !counts) this.reset()
    this.#moment = now
    this.#last.push(report)
    if (this.#last.length > TOLD) this.#last.shift()
    const object = `${report.controller} ${formatKey(report.request)}`
    const count = (this.#counts.get(object) ?? 0) + 1
    this.#counts.set(object, count)
    if (report.loop || count >= MOST) this.#giveUp(report)
  }

  /** Resets the count of reconciles. */
  reset(): void {
    this.#counts.clear()
  }

  /** The report for a test. Finds the fields that keep changing where the manager has not found them. */
  async error(
    report: ReconcileReport,
    controllers: readonly Controller[],
    environment: TestEnvironment,
  ): Promise<Error> {
    const { controller, request, loop } = report
    const object = formatKey(request)
    const last = this.#last.toReversed()
    const changes = loop?.changes ?? (await changesOf(last, controllers, environment))
    const what = loop
      ? `${loop.count} times in a row the only cause was a write of the previous reconcile`
      : `${MOST} times without time passing`
    return new HomeostatError(
      'RECONCILE_LOOP',
      [
        `the controller ${controller} reconciles ${object} in an endless loop: ${what}.`,
        'What keeps changing:',
        ...(changes.length > 0 ? changes : ['no field of the objects that caused it']).map(
          (line) => `  ${line}`,
        ),
        'The last reconciles, and why they ran:',
        ...last.map(
          (each) => `  ${each.controller} ${formatKey(each.request)}: ${describeCauses(each.causes)}`,
        ),
        REMEDY,
      ].join('\n'),
    )
  }
}

/** The changes, within a few turns of the event loop, of the objects that caused reconciles. */
async function changesOf(
  reports: readonly ReconcileReport[],
  controllers: readonly Controller[],
  environment: TestEnvironment,
): Promise<string[]> {
  const kinds = new Map<string, AnyKind>()
  for (const { watches } of controllers) {
    for (const watch of watches) if ('kind' in watch) kinds.set(watch.kind.kind, watch.kind)
  }
  const changes = new Set<string>()
  const seen = new Set<string>()
  for (const cause of reports.flatMap(({ causes }) => causes)) {
    const kind = 'kind' in cause && kinds.get(cause.kind)
    if (!kind || seen.has(`${kind.kind} ${formatKey(cause.object)}`)) continue
    const name = `${kind.kind} ${formatKey(cause.object)}`
    seen.add(name)
    const versions = await versionsOf(kind, cause.object, environment)
    for (const [index, version] of versions.entries()) {
      if (index === 0) continue
      for (const line of differences(versions[index - 1], version, name)) {
        if (!ALWAYS.test(line.slice(name.length))) changes.add(line)
      }
    }
  }
  return [...changes].slice(0, TOLD)
}

/** The object as it is, and the next versions of it. */
async function versionsOf(kind: AnyKind, key: ObjectKey, environment: TestEnvironment): Promise<unknown[]> {
  const root = kind.group ? `/apis/${kind.group}` : '/api'
  const namespace = key.namespace === undefined ? '' : `/namespaces/${key.namespace}`
  const selector = encodeURIComponent(`metadata.name=${key.name}`)
  const path = `${root}/${kind.version}${namespace}/${kind.plural}?watch=true&fieldSelector=${selector}`
  const watch = await environment.watch(path)
  for (let turn = 0; turn < 100 && watch.events.length < 3; turn++) await turnOfTheEventLoop()
  await watch.close()
  return watch.events.slice(0, 3).map(({ object }) => object)
}

/** Changes with every write. */
const ALWAYS = /^\.metadata\.(resourceVersion|managedFields|generation)\b/
