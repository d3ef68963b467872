import { SimulatedClock } from '@homeostat/api'
import { isDeepStrictEqual } from 'node:util'
import { askOracle } from './ask-oracle.ts'
import { SEVERAL, type Conversation, type Outcome } from './conversation.ts'
import { playOurs } from './play-ours.ts'
import { randomConversation } from './random-conversation.ts'

/** A conversation in which ours and Kubernetes part. */
export interface Parting {
  readonly seed: number
  readonly conversation: Conversation
  /** The first step that differs. */
  readonly step: number
  readonly ours: Outcome | undefined
  readonly kubernetes: Outcome | undefined
}

/** Random conversations, one for each seed from the first on. */
export function randomConversations(first: number, count: number): Conversation[] {
  return Array.from({ length: count }, (_, index) => {
    const clock = new SimulatedClock({ seed: first + index })
    return randomConversation(() => clock.random())
  })
}

/** Holds random conversations with ours and with the oracle, and gives those in which they part. */
export async function compareApply(first: number, count: number): Promise<Parting[]> {
  const conversations = randomConversations(first, count)
  const answers = await askOracle(conversations)
  return conversations.flatMap((conversation, index) => {
    const parting = partingOf(playOurs(conversation), answers[index]!)
    return parting ? [{ seed: first + index, conversation, ...parting }] : []
  })
}

/** Where two accounts of a conversation differ first; undefined when nowhere. */
export function partingOf(
  ours: readonly Outcome[],
  kubernetes: readonly Outcome[],
): Pick<Parting, 'step' | 'ours' | 'kubernetes'> | undefined {
  const step = ours.findIndex((outcome, index) => !agree(outcome, kubernetes[index]))
  if (step < 0) return undefined
  return { step, ours: ours[step], kubernetes: kubernetes[step] }
}

function agree(ours: Outcome, kubernetes: Outcome | undefined): boolean {
  // Which of several problems it comes to first is chance.
  if (ours.problem === SEVERAL && kubernetes?.problem) return true
  return isDeepStrictEqual(plain(ours), plain(kubernetes))
}

function plain(outcome: unknown): unknown {
  return outcome === undefined ? undefined : JSON.parse(JSON.stringify(outcome))
}
