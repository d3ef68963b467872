/** What the machine and the processes of containers use: processor time and memory. */
export { machineSample, type UsageSample } from './machine-sample.ts'
export { processSample } from './process-sample.ts'
export { UsageMeter } from './usage-meter.ts'
