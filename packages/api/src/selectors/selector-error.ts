import { HomeostatError } from '../errors/index.ts'

/**
 * A selector that cannot be understood: `LABEL_SELECTOR_INVALID` or `FIELD_SELECTOR_INVALID`. The message
 * is what an API server answers, word for word.
 */
export class SelectorError extends HomeostatError {
  override readonly name = 'SelectorError'
}
