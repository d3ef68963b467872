import type { Attributes, User } from '../auth/index.ts'
import type { Flow } from './flow.ts'
import { matchesRequest, rulesFor, type FlowRule } from './flow-rules.ts'

/** The flows that a user's requests belong to. Each is read when a request has matched none before it. */
export class FlowsOfUser {
  readonly #user: User
  readonly #all: readonly Flow[]
  /** The flows read so far that have rules for the user, each with these rules. */
  readonly #found: { readonly flow: Flow; readonly rules: readonly FlowRule[] }[] = []
  #next = 0

  /** @param all The flows by precedence. */
  constructor(user: User, all: readonly Flow[]) {
    this.#user = user
    this.#all = all
  }

  /** The first flow that matches a request. */
  find(attributes: Attributes): Flow | undefined {
    for (const { flow, rules } of this.#found) if (matchesRequest(rules, attributes)) return flow
    for (let flow = this.#all[this.#next]; flow; flow = this.#all[this.#next]) {
      this.#next++
      const rules = rulesFor(this.#user, flow.rules)
      if (rules.length === 0) continue
      this.#found.push({ flow, rules })
      if (matchesRequest(rules, attributes)) return flow
    }
    return undefined
  }
}
