/** Shortens the story of a finding as far as possible. SPEC.md says what may go. */
export { shrink } from './shrink.ts'
export { withoutFaults } from './without-faults.ts'
