import { HomeostatError } from '../errors/index.ts'

/**
 * A patch that cannot be applied. `PATCH_INVALID`: it is not a valid patch of its type (400 to a client);
 * `PATCH_TOO_LARGE`: it exceeds the limits of a server (413); `PATCH_FAILED`: it is a patch, but does not fit this
 * object (422, and 500 where Kubernetes has no better code); `PATCH_UNPROCESSABLE`: it asks for something that
 * servers do not support (422).
 */
export class PatchError extends HomeostatError {
  override readonly name = 'PatchError'
}
