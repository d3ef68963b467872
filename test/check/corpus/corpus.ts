import type { CorpusOperator } from './corpus-operator.ts'
import * as faults from './faults/index.ts'
import * as goHabits from './go-habits/index.ts'
import * as kopfHabits from './kopf-habits/index.ts'
import * as life from './life/index.ts'
import * as misuse from './misuse/index.ts'
import * as neighbours from './neighbours/index.ts'
import * as pitfalls from './pitfalls/index.ts'
import * as right from './right/index.ts'
import * as rightOverTime from './right-over-time/index.ts'
import * as status from './status/index.ts'
import * as unsettled from './unsettled/index.ts'
import * as world from './world/index.ts'

/** Every operator of the corpus by its folder. */
export const corpus: Readonly<Record<string, readonly CorpusOperator[]>> = {
  unsettled: Object.values(unsettled),
  faults: Object.values(faults),
  misuse: Object.values(misuse),
  world: Object.values(world),
  life: Object.values(life),
  neighbours: Object.values(neighbours),
  status: Object.values(status),
  pitfalls: Object.values(pitfalls),
  'go-habits': Object.values(goHabits),
  'kopf-habits': Object.values(kopfHabits),
  right: Object.values(right),
  'right-over-time': Object.values(rightOverTime),
}
