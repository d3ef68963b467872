import { HomeostatError } from '@homeostat/api'

/** Why a token is not accepted, in the API's words. */
export class TokenRefusal extends HomeostatError {
  override readonly name = 'TokenRefusal'

  constructor(message: string) {
    super('TOKEN_REFUSED', message)
  }
}
