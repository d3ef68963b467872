/** Makes what was found as small as it can be. */
export { shrink } from './shrink.ts'
export { withoutFaults } from './without-faults.ts'
