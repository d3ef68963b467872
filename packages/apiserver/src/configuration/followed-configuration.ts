/**
 * A configuration with its later versions. Each option of the server that takes a configuration also takes a
 * `FollowedConfiguration`.
 */
export abstract class FollowedConfiguration {
  /** The configuration at the start. */
  abstract readonly value: unknown
  /** The text that it was read from. */
  abstract readonly text: string

  /**
   * Calls `changed` with the text of each later version, one after the other. `read` parses the text, and may fail.
   * Where `changed` rejects, the source reports the error; after a `TemporaryProblem` it tries again later. Disposing
   * of the result ends the calls.
   */
  abstract follow(changed: (text: string, read: () => Promise<unknown>) => Promise<void>): Disposable
}

/** The value of an option; of a `FollowedConfiguration`, its first version. */
export function givenConfiguration(option: unknown): unknown {
  return option instanceof FollowedConfiguration ? option.value : option
}
