/** Who sends a request, and whether they may. */
export { authenticate, type TokenReader } from './authenticate.ts'
export { mastersOnly, type Attributes, type Authorizer } from './authorize.ts'
export { ADMIN, ANONYMOUS, type User } from './user.ts'
