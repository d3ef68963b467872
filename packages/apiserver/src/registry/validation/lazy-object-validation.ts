import { LazyModule } from '../../work/index.ts'

/**
 * Defaults and validation of objects that are written. They are half of the server: the rules of every native kind, CEL
 * expressions and patterns. A server that only answers reads never loads them.
 */
export const objectValidation = new LazyModule(
  'the validation of objects',
  () => import('./object-validation.ts'),
)
