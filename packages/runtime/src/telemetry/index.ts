/**
 * What a running operator tells: the interfaces that everything else may use, and small implementations
 * of them.
 */
export {
  tellCallbackFailure,
  type CallbackFailure,
  type CallbackFailureListener,
} from './callback-failure.ts'
export { createLogger, silentLogger, type LoggerOptions, type LogLevel } from './create-logger.ts'
export type { LogFields, Logger, LogMethod } from './logger.ts'
