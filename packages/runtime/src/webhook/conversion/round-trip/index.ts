/** Finds fields that a conversion loses, with objects that are generated from the schemas of the versions. */
export { expectRoundTrip, type RoundTripOptions } from './expect-round-trip.ts'
