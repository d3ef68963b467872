/** A world in which an operator runs, and what came of a story that was played there. */
export { WorldChain, type ChainStart } from './chain.ts'
export { checkedOperator, watchedKinds, type CheckedOperator } from './checked-operator.ts'
export { EXTERNAL, type ExternalSystem, type Invariant, type InvariantWorld } from './declared-parts.ts'
export { MachineWatch, type MachineUse } from './machine-use.ts'
export { placeOf } from './code-place.ts'
export { lineOf } from './operator-requests.ts'
export { compare, digestOfState, varyingPlaces, type Difference, type State } from './state.ts'
export { play, type Outcome } from './world.ts'
