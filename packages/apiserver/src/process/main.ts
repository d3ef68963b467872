import { programs } from './programs.ts'

/**
 * What the command line starts. The first argument may name one of the programs that stand in for others; all else is
 * `homeostat-apiserver`. Each program is loaded only when it is asked for.
 */
const [first, ...rest] = process.argv.slice(2)
const standIn = first === undefined ? undefined : /^--as=(.*)$/.exec(first)?.[1]
const run = programs[standIn ?? 'homeostat-apiserver'] ?? programs['homeostat-apiserver']!
process.exitCode = await run(standIn === undefined ? process.argv.slice(2) : rest)
