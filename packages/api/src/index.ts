/**
 * The vocabulary of Kubernetes as values: names, kinds, schemas, selectors, patches, Status, and the clock. Pure:
 * nothing here does I/O, so it runs wherever JavaScript does.
 */
export * from './clock/index.ts'
export * from './errors/index.ts'
export * from './exchange/index.ts'
export * from './json/index.ts'
export * from './kinds/index.ts'
export * from './names/index.ts'
export * from './patches/index.ts'
export * from './schema/index.ts'
export * from './selectors/index.ts'
export * from './status/index.ts'
