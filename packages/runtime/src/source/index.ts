/**
 * Where events come from: the changes of a kind, a channel that the operator's own code sends on, a timer. Events may
 * be lost, repeated or merged, so a reconcile must not depend on single events.
 */
export { Channel, type ChannelOptions, type SendOptions } from './channel.ts'
export { every } from './every.ts'
export { informerSource } from './informer-source.ts'
export { kindSource } from './kind-source.ts'
export type { ObjectSource } from './object-source.ts'
export type { ExternalEvent, Source, SourceContext } from './source.ts'
export { WatchedKinds } from './watched-kinds.ts'
