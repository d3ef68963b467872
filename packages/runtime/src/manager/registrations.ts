import { HomeostatError } from '@homeostat/api'
import type { RunnableRights } from '../rules/index.ts'
import type { GroupMember } from './group-member.ts'
import type { ManagerEnvironment } from './manager-environment.ts'
import type { RunnableGroup } from './runnable-group.ts'

/** A controller or a runnable of a manager. It becomes a member of the group when the manager runs. */
export interface Registration {
  /** Its name in messages: `the controller web`. */
  readonly what: string
  /** The rights that a runnable declares. */
  readonly rights?: RunnableRights | undefined
  mount(environment: ManagerEnvironment): GroupMember
}

/** The controllers and runnables of a manager, by name. Those that are added while it runs are mounted at once. */
export class Registrations {
  readonly #byName = new Map<string, Registration>()
  #running: { readonly group: RunnableGroup; readonly environment: ManagerEnvironment } | undefined

  get names(): readonly string[] {
    return [...this.#byName.keys()]
  }

  /** The rights that runnables declare. */
  get rights(): readonly RunnableRights[] {
    return [...this.#byName.values()].flatMap(({ rights }) => rights ?? [])
  }

  /** The names of the members that wait for their first lists; undefined before the manager runs. */
  get starting(): readonly string[] | undefined {
    return this.#running?.group.starting
  }

  /** Fails with `CONTROLLER_NAME_TAKEN` where another one has the name. */
  add(name: string, registration: Registration): void {
    if (this.#byName.has(name)) {
      throw new HomeostatError(
        'CONTROLLER_NAME_TAKEN',
        `two controllers or runnables are named ${name}: the name is the field manager of their writes, so rename one of them`,
      )
    }
    this.#byName.set(name, registration)
    this.#running?.group.add(registration.mount(this.#running.environment))
  }

  /** Resolves when the running work of this member has ended; with false if none has this name. */
  async remove(name: string): Promise<boolean> {
    if (!this.#byName.delete(name)) return false
    await this.#running?.group.remove(name)
    return true
  }

  /** Adds all members to the group of a manager that starts. */
  mount(group: RunnableGroup, environment: ManagerEnvironment): void {
    for (const registration of this.#byName.values()) group.add(registration.mount(environment))
    this.#running = { group, environment }
  }
}
