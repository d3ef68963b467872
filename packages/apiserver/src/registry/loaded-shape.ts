import { LatePart } from './late-part.ts'

/**
 * What fills in and checks objects that are written. It is half of the server, with the rules of every native kind, the
 * expressions of custom ones and their patterns; a server that is only read from has no use for it.
 */
export const shape = new LatePart('what checks objects', () => import('./shape.ts'))
