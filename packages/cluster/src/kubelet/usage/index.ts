/** The processor time and the memory that the machine and the processes of containers use. */
export { machineSample, type UsageSample } from './machine-sample.ts'
export { processSample } from './process-sample.ts'
export { UsageMeter } from './usage-meter.ts'
