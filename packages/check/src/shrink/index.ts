/** Shortens the story of a finding as far as possible. */
export { shrink } from './shrink.ts'
export { withoutFaults } from './without-faults.ts'
