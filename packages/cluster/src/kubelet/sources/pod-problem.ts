import { HomeostatError } from '@homeostat/api'

/**
 * Something that a Pod needs and that is not available now: a ConfigMap that does not exist, a volume of a kind that
 * is not supported. It is shown in the Pod's status, and tried again.
 */
export class PodProblem extends HomeostatError {
  override readonly name = 'PodProblem'

  constructor(message: string) {
    super('POD_PROBLEM', message)
  }
}
