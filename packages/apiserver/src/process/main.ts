import { programs } from './programs.ts'

/**
 * The entry of the command line. The first argument may name one of the stand-ins; otherwise it starts
 * `homeostat-apiserver`. Each program is loaded on demand.
 */
const [first, ...rest] = process.argv.slice(2)
const standIn = first === undefined ? undefined : /^--as=(.*)$/.exec(first)?.[1]
const run = programs[standIn ?? 'homeostat-apiserver'] ?? programs['homeostat-apiserver']!
process.exitCode = await run(standIn === undefined ? process.argv.slice(2) : rest)
