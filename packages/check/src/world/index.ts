/** A world in which an operator runs, and what came of a story that was played there. */
export { checkedOperator, watchedKinds, type CheckedOperator } from './checked-operator.ts'
export { lineOf } from './operator-requests.ts'
export { compare, varyingPlaces, type Difference } from './state.ts'
export { play, type Outcome } from './world.ts'
