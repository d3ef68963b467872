import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { differences } from './differences.ts'
import { askedBy, fileOf, goldenFiles, readGolden, removeStaleGoldens, writeGolden } from './goldens.ts'
import { historyOf, type History } from './history.ts'
import { play } from './play.ts'
import { scenarios as allScenarios } from './scenarios/index.ts'
import { kubernetesStage, runsPods, type Stage } from './stage.ts'

/** `npm run record workloads` writes what was recorded instead of comparing with it. */
const recording = process.env['HOMEOSTAT_RECORD'] === '1'
/** Real controllers race, and on a busy machine a CronJob comes late: a run of its own, `npm test workloads`. */
const asked = recording || process.env['HOMEOSTAT_WORKLOADS'] === '1'
/** Parts of titles choose some, each in a line of its own. */
const parts = (process.env['HOMEOSTAT_SCENARIOS'] ?? '').split('\n')
const scenarios = allScenarios.filter(({ title }) => parts.some((part) => title.includes(part)))

const { controllers, kubeconfig } = inject('kubernetes')
const suitable = asked && controllers && !(await runsPods(kubeconfig))

describe.runIf(suitable)('the goldens of workloads are what Kubernetes does', () => {
  let stage: Stage
  /** All are played at once, each in its namespace: a minute that one waits for is one for all. */
  const playing = new Map<string, Promise<History>>()

  beforeAll(async () => {
    stage = await kubernetesStage(kubeconfig)
    const run = crypto.randomUUID().slice(0, 8)
    for (const [index, scenario] of scenarios.entries()) {
      const played = play(stage, scenario, `workloads-${run}-${index + 1}`).then(historyOf)
      played.catch(() => undefined)
      playing.set(scenario.title, played)
    }
  })
  afterAll(async () => {
    await Promise.allSettled(playing.values())
    await stage?.[Symbol.asyncDispose]()
  })

  test.each(scenarios)('$title', { timeout: 400_000 }, async (scenario) => {
    const history = await playing.get(scenario.title)
    if (!history) throw new Error('it was not played')
    if (recording) writeGolden(scenario, history)
    const golden = readGolden(scenario)
    expect(golden?.asked).toBe(askedBy(scenario))
    expect(golden && differences(history, golden)).toEqual([])
  })

  test.runIf(recording)('no golden is left of a scenario that is gone', () => {
    removeStaleGoldens(allScenarios)
    expect(goldenFiles()).toEqual(allScenarios.map(fileOf).sort())
  })
})
