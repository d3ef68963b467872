import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { partingOf } from './compare-apply.ts'
import type { Conversation, Outcome } from './conversation.ts'
import { playOurs } from './play-ours.ts'

interface Kept extends Conversation {
  readonly outcomes: readonly Outcome[]
}

const corpus = JSON.parse(readFileSync(new URL('recorded/corpus.json', import.meta.url), 'utf8')) as Record<
  string,
  Kept
>

describe('conversations of server-side apply end as with Kubernetes’ own field managers', () => {
  test('there are some hundred of them', () => {
    expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(300)
  })

  test.each(Object.entries(corpus))('seed %s', (_, { outcomes, ...conversation }) => {
    expect(partingOf(playOurs(conversation), outcomes)).toBeUndefined()
  })
})
