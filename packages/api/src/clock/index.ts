/**
 * Time and randomness. Product code gets both from a {@link Clock} only: {@link SystemClock} in production, {@link
 * SimulatedClock} in tests.
 */
export type { Clock, Pausable, Timer, Work } from './clock.ts'
export { atMost, holdClock } from './hold-clock.ts'
export { SimulatedClock, type DriveOptions, type SimulatedClockOptions } from './simulated-clock.ts'
export { SystemClock } from './system-clock.ts'
export { turnOfTheEventLoop } from './turn-of-the-event-loop.ts'
