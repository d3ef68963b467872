import { HomeostatError } from '@homeostat/api'

/**
 * Something that a Pod asks for and that cannot be had now: a ConfigMap that does not exist, a volume of
 * a kind that is not supported. It is shown in the Pod's status, and tried again.
 */
export class PodProblem extends HomeostatError {
  override readonly name = 'PodProblem'

  constructor(message: string) {
    super('POD_PROBLEM', message)
  }
}
