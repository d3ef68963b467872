/** Why a JSON web token is not accepted, in kube-apiserver's words. */
export class TokenProblem extends Error {}
