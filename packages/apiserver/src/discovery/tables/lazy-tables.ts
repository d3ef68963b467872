import { LazyModule } from '../../work/index.ts'

/** The tables and metadata that clients may ask for in place of objects, with the columns of native kinds. */
export const tableForms = new LazyModule('tables', () => import('./table.ts'))
