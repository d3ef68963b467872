/** The errors of Homeostat: each has a stable code, a message with a remedy, and a cause. */
export { HomeostatError } from './homeostat-error.ts'
export { codePlaceOf, firstCodePlace, inWorkingFolder } from './code-place.ts'
export { errorChain } from './error-chain.ts'
export { checkNodeVersion } from './node-version.ts'
export { nearestName } from './nearest-name.ts'
export { checkOptionNames, optionNames, type OptionNames } from './option-names.ts'
