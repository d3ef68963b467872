import { mkdirSync, writeFileSync } from 'node:fs'
import { askOracle } from './ask-oracle.ts'
import { randomConversations } from './compare-apply.ts'

/** How many conversations are kept for machines without Go. */
const KEPT = 300

/** Keeps what Kubernetes makes of some conversations: a line for each. */
export async function recordCorpus(): Promise<void> {
  const conversations = randomConversations(1, KEPT)
  const answers = await askOracle(conversations)
  const lines = conversations.map(
    (conversation, index) =>
      `  ${JSON.stringify(String(index + 1))}: ${JSON.stringify({ ...conversation, outcomes: answers[index] })}`,
  )
  const folder = new URL('recorded/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('corpus.json', folder), `{\n${lines.join(',\n')}\n}\n`)
}
