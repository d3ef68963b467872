import { LazyModule } from '../../work/index.ts'

/**
 * Pruning, defaults and validation of objects that are written. They are half of the server's code: the rules of
 * every native kind, CEL expressions and patterns. A server that only answers reads never loads them.
 */
export const objectRules = new LazyModule('the rules of objects', () => import('./object-rules.ts'))
