/** Something that is not separated on this machine. */
export interface SeparationProblem {
  /** The things that processes of Pods can do, as a whole clause. */
  readonly what: string
  /** Why nothing stops them, as the end of a sentence. */
  readonly why: string
}

/** The parts of the separation that do not work here, with their reasons. */
export function separationProblems(reasons: {
  readonly files: string | undefined
  readonly limits: string | undefined
  readonly addresses: string | undefined
}): SeparationProblem[] {
  const { files, limits, addresses } = reasons
  const problems = [
    {
      what: "processes of Pods can read the cluster's keys, objects and kubeconfig and the files and tokens of other Pods, and end processes of this machine",
      why: files,
    },
    { what: 'nothing limits the memory and the number of the processes of Pods', why: limits },
    { what: 'a process of a Pod can listen on the address of another Pod', why: addresses },
  ]
  return problems.flatMap(({ what, why }) => (why === undefined ? [] : [{ what, why }]))
}
