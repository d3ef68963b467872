import { describe, expect, it } from 'vitest'
import { answerDifferences, serverFailure } from './answer-differences.ts'
import { startOurs } from './both-servers.ts'
import { knownReasons } from './known-differences.ts'
import { answersOf, makeNamespace, readRecorded, RECORDED, titleOf } from './recorded.ts'

describe.each(RECORDED)('the recorded cases "$name"', ({ name, cases, objects }) => {
  it('are answered as by a real kube-apiserver', async () => {
    const recorded = readRecorded(name)
    const since = Date.now() - 5000
    await using server = await startOurs()
    await makeNamespace(server)
    const wrong: string[] = []
    for (const one of cases) {
      const title = titleOf(one)
      const expected = recorded[title]
      if (!expected) throw new Error(`${title} was not recorded: run "npm run fuzz -- --record"`)
      const answers = await answersOf(server, one, objects, since)
      for (const [index, answer] of answers.entries()) {
        const lines = answerDifferences(answer, expected[index]!)
        const own = serverFailure(answer, expected[index]!)?.shared === false
        if (lines.length > 0 && (own || !knownReasons(one, lines))) {
          wrong.push(`${title} #${index + 1}: ${lines.join(' | ').slice(0, 500)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
