import type { Container, ContainerModule } from '../images/index.ts'

/** An image whose code is loaded when its first container runs: for images that load slowly and are rarely used. */
export function lateModule(load: () => Promise<ContainerModule>): ContainerModule {
  return async (container) => (await loaded(load, container))(container)
}

async function loaded(load: () => Promise<ContainerModule>, container: Container): Promise<ContainerModule> {
  using _ = container.clock.busy(`the code of ${container.name} is loaded`)
  return await load()
}
