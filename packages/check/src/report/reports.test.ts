import { describe, expect, test } from 'vitest'
import { CLASSES, says, type Finding } from '../judgements/index.ts'
import type { Step } from '../stories/index.ts'
import type { CheckReport } from './check-report.ts'
import { findingText, junitReport, sarifReport, testFile, textReport, toldFinding } from './index.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }
const create: Step = { step: 'create', object }
const rest: Step = { step: 'rest' }
const crash: Step = { step: 'crash', request: 2, moment: 'before' }

const found: Finding = {
  class: 'crash',
  ...says({ fact: 'difference', object: 'ConfigMap default/b', path: '' }),
  story: [crash, create, rest],
  reference: [create, rest],
  expects: { type: 'same' },
  differences: [{ object: 'ConfigMap default/b', path: 'data.x', expected: 1, found: 2 }],
  line: 'src/controller.ts:31:22',
  run: 17,
  others: 3,
  root: 'fault ConfigMap data.x other',
}
const alone: Finding = {
  class: 'always-fails',
  ...says({ fact: 'message', message: 'the controller "a" fails: <no> & \u0007\n' }),
  details: 'first\nsecond',
  story: [create, rest],
  differences: [],
  root: 'always-fails a',
}

function reportOf(findings: readonly Finding[], more: Partial<CheckReport> = {}): CheckReport {
  const counts = { runs: 120, discarded: 4, states: 9, samples: ['Note default/a'] }
  return { findings, ...counts, seed: 1, intents: [], ended: false, ...more }
}

describe('a finding', () => {
  test('RE2: has the title of its class, what is wrong, the story, the remedy and the section of the guide', () => {
    const { title, remedy } = CLASSES.crash
    const page = expect.stringMatching(/\/docs\/guide\/18-check\.md#crash$/)
    const steps = [
      ' 1. the operator is killed at request 2 from here, before it is sent, and starts again',
      ' 2. the user creates the ConfigMap default/a',
      ' 3. the operator runs until it has nothing left to do',
    ]
    const lines = findingText(found).split('\n')
    expect(lines.slice(0, 2)).toEqual([`${title} (crash)`, `   ${found.summary}`])
    expect(lines).toEqual(
      expect.arrayContaining([...steps.map((step) => `   ${step}`), `   ${remedy}`, page]),
    )
    expect(findingText(alone)).toContain('   first\n   second\n')
  })

  test('RE15: has its sentences also as data', () => {
    const { title, remedy } = CLASSES.crash
    expect(JSON.parse(JSON.stringify(toldFinding(found)))).toEqual({
      class: 'crash',
      title,
      summary: 'the ConfigMap default/b is missing',
      fact: { fact: 'difference', object: 'ConfigMap default/b', path: '' },
      remedy,
      steps: [
        { text: expect.any(String), told: { ...crash, staysDown: false } },
        {
          text: 'the user creates the ConfigMap default/a',
          told: { step: 'create', object: 'ConfigMap default/a' },
        },
        { text: expect.any(String), told: rest },
      ],
      shouldEndAs: [
        { text: expect.any(String), told: { step: 'create', object: 'ConfigMap default/a' } },
        { text: expect.any(String), told: rest },
      ],
      differences: found.differences,
      page: expect.stringMatching(/\/docs\/guide\/18-check\.md#crash$/),
      line: found.line,
    })
  })

  test('RE4: says how the story should end, where that is compared', () => {
    expect(findingText(found)).toContain(
      '   It should end as this does:\n     - the user creates the ConfigMap default/a\n     - the operator runs',
    )
    expect(findingText({ ...found, reference: [] })).toContain('   It should end as it began.\n')
    expect(findingText(alone)).not.toContain('It should end')
  })

  test('RE5: shows six differences with short values, and the number of the others', () => {
    const text = findingText({
      ...found,
      differences: Array.from({ length: 8 }, (_, index) => ({
        object: `Job default/${index}`,
        path: 'spec.x',
        expected: index === 0 ? 'e'.repeat(200) : undefined,
        found: index,
      })),
    })
    expect(text).toContain(
      `     Job default/0 spec.x\n       - "${'e'.repeat(156)}…\n       + 0\n     Job default/1 spec.x\n       + 1\n`,
    )
    expect(text).toContain('Job default/5')
    expect(text).not.toContain('Job default/6')
    expect(text).toContain('     … and 2 more')
  })

  test('RE6: has its line of code, the number of further stories, and the command that plays it again', () => {
    const text = findingText(found)
    expect(text).toContain('   The story (3 more show the same):\n')
    expect(text).toContain('\n   At src/controller.ts:31:22\n')
    expect(text).toMatch(/homeostat check --replay=17$/)
    expect(findingText(found, 5)).toMatch(/homeostat check --replay=17 --seed=5$/)
    const bare = findingText(alone)
    expect(bare).toContain('   The story:\n')
    expect(bare).not.toMatch(/\n {3}At |--replay/)
  })
})

describe('a report for a person', () => {
  test('RE3: numbers the findings, and counts findings, runs and samples in its last line', () => {
    const text = textReport(reportOf([found, alone]))
    expect(text.match(/^\d\. .*$/gm)).toEqual([
      `1. ${CLASSES.crash.title} (crash)`,
      `2. ${CLASSES['always-fails'].title} (always-fails)`,
    ])
    expect(text).toMatch(/\n2 findings in 120 runs of Note default\/a\n$/)
    expect(textReport(reportOf([found]))).toMatch(/\n1 finding in 120 runs/)
    expect(textReport(reportOf([], { samples: ['A a', 'B b'] }))).toBe('no finding in 120 runs of A a, B b\n')
  })

  test('RE7: lists what was declared as intended', () => {
    const intents = [{ kind: 'Job', reason: 'jobs are kept' }]
    expect(textReport(reportOf([], { intents }))).toMatch(
      /^declared as intended: Job: jobs are kept\nno finding/,
    )
  })

  test('RE8: says that the check was ended early', () => {
    expect(textReport(reportOf([], { ended: true }))).toMatch(
      /\nthe check was ended early: not everything was tried\n$/,
    )
  })
})

describe('JUnit', () => {
  const classes = Object.keys(CLASSES).length

  test('RE9: has a case for each class, which fails once for each finding', () => {
    const text = junitReport(reportOf([found, { ...found, root: 'other' }, alone]))
    expect(text.match(/<testcase /g)).toHaveLength(classes)
    expect(text).toContain(`<testsuites tests="${classes}" failures="2">`)
    const [, failed = ''] = /name="[^"]*\(crash\)">\n([^]*?) {4}<\/testcase>/.exec(text) ?? []
    expect(failed.match(/<failure /g)).toHaveLength(2)
    expect(text).toContain(`name="${CLASSES.history.title} (history)"/>`)
  })

  test('RE10: has no text that ends or breaks XML', () => {
    const text = junitReport(reportOf([alone]))
    expect(text).toContain('message="the controller &quot;a&quot; fails: &lt;no&gt; &amp; \uFFFD&#10;"')
    expect(text).not.toContain('\u0007')
  })
})

describe('SARIF', () => {
  const places = { root: '/home/me/project', fallback: '/home/me/project/my operator.ts' }
  const resultsOf = (...findings: Finding[]) => JSON.parse(sarifReport(reportOf(findings), places)).runs[0]

  test('RE11: has a rule for each class that was found, and a result for each finding', () => {
    const { tool, results } = resultsOf(found, alone, { ...found, root: 'other' })
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(['always-fails', 'crash'])
    expect(results.map((one: any) => [one.ruleId, ids[one.ruleIndex], one.partialFingerprints.root])).toEqual(
      [
        ['crash', 'crash', found.root],
        ['always-fails', 'always-fails', alone.root],
        ['crash', 'crash', 'other'],
      ],
    )
  })

  test('RE12: names places in the folder of the project', () => {
    const line = '/home/me/project/src/a.ts:3:4'
    const { results } = resultsOf(found, alone, { ...found, line })
    expect(results.map((one: any) => one.locations[0].physicalLocation)).toEqual([
      { artifactLocation: { uri: 'src/controller.ts' }, region: { startLine: 31, startColumn: 22 } },
      { artifactLocation: { uri: 'my%20operator.ts' }, region: { startLine: 1 } },
      { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 3, startColumn: 4 } },
    ])
  })
})

test('RE13: a written test file has a test for each finding that has an expectation', () => {
  const text = testFile(reportOf([found, alone]), './operator.ts')
  expect(text).toContain('import operator from "./operator.ts"\n')
  expect(text.match(/^test\(.*$/gm)).toEqual([
    `test(${JSON.stringify(`crash: ${found.summary}`)}, async () => {`,
  ])
  const [, json = ''] = /tryStory\(operator, (\{[^]*?\n {2}\})\)/.exec(text) ?? []
  const { class: name, story, reference, expects } = found
  expect(JSON.parse(json)).toEqual({ class: name, story, reference, expects })
})
