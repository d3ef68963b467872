import { admission, invalid } from 'homeostat'
import { MyKind } from './kind.ts'

/** Refuses objects before they are stored. Rules that a schema can express belong in kind.ts. */
export const myKindAdmission = admission(MyKind).validates({
  create: problemsOf,
  update: (object) => problemsOf(object),
})

function problemsOf({ spec }: Pick<MyKind, 'spec'>) {
  return spec.text.trim() === '' ? [invalid('spec.text', 'must have a word')] : []
}
