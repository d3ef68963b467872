import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { askedBy, readGoldens } from './goldens.ts'
import { judge } from './judge.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { play } from './play.ts'
import { prepare } from './prepare.ts'
import { TAGS } from './scenario.ts'
import { topics } from './scenarios/index.ts'
import { oursInProcess, oursOnPort, type Subject } from './subject.ts'

describe.each(topics)('$name', (topic) => {
  const goldens = readGoldens(topic.name)
  let subject: Subject
  let count = 0
  beforeAll(async () => {
    subject = topic.port ? await oursOnPort() : await oursInProcess()
    await prepare(subject, topic)
  })
  afterAll(() => subject?.[Symbol.asyncDispose]())

  test.each(topic.scenarios)('$title: answered as a real kube-apiserver does ($tag)', async (scenario) => {
    const golden = goldens[scenario.title]
    if (golden?.asked !== askedBy(scenario)) {
      expect.fail(`not recorded as it stands: npm run record conformance "${scenario.title}"`)
    }
    const name = `${topic.name}/${scenario.title}`
    const answers = await play(subject, scenario, `conformance-${String(++count).padStart(8, '0')}`)
    expect(judge(name, differences(name, answers, golden.answers))).toEqual([])
  })

  test('no golden is left of a scenario that is gone', () => {
    expect(Object.keys(goldens).sort()).toEqual(topic.scenarios.map(({ title }) => title).sort())
  })
})

test('titles are unique within their topic, and topics by name', () => {
  const names = topics.flatMap(({ name, scenarios }) => scenarios.map(({ title }) => `${name}/${title}`))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(topics.map(({ name }) => name)).size).toBe(topics.length)
})

test('every part of the API is shown by at least three scenarios', () => {
  const tags = topics.flatMap(({ scenarios }) => scenarios.map(({ tag }) => tag))
  expect(TAGS.filter((tag) => tags.filter((one) => one === tag).length < 3)).toEqual([])
})

test('every known difference names an answer that there is', () => {
  const answers = new Set(
    topics.flatMap(({ name, scenarios }) =>
      scenarios.flatMap(({ title, steps }) =>
        steps.filter(({ step }) => step !== 'pass').map((_, index) => `${name}/${title}#${index + 1}`),
      ),
    ),
  )
  expect(Object.keys(KNOWN_DIFFERENCES).filter((at) => !answers.has(at))).toEqual([])
})
