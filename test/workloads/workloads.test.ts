import { describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { askedBy, fileOf, goldenFiles, readGolden } from './goldens.ts'
import { historyOf } from './history.ts'
import { judge } from './judge.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { play } from './play.ts'
import { scenarios } from './scenarios/index.ts'
import { ourStage } from './stage.ts'

describe('our controllers do what those of Kubernetes do', () => {
  test.each(scenarios)('$title', { timeout: 60_000 }, async (scenario) => {
    const golden = readGolden(scenario)
    if (golden?.asked !== askedBy(scenario)) {
      expect.fail('not recorded as it stands: npm run record workloads')
    }
    await using stage = await ourStage()
    const history = historyOf(await play(stage, scenario, 'workloads-1'))
    expect(judge(scenario.title, differences(history, golden))).toEqual([])
  })
})

test('titles are unique, and no golden is left of a scenario that is gone', () => {
  expect(goldenFiles()).toEqual(scenarios.map(fileOf).sort())
})

test('every known difference names scenarios that there are', () => {
  const titles = new Set(scenarios.map(({ title }) => title))
  expect(KNOWN_DIFFERENCES.flatMap((known) => known.scenarios.filter((title) => !titles.has(title)))).toEqual(
    [],
  )
})
