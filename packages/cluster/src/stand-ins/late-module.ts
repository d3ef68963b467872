import type { Container, ContainerModule } from '../images/index.ts'

/** An image whose code is loaded when a container of it first runs: for what takes long to load and few need. */
export function lateModule(load: () => Promise<ContainerModule>): ContainerModule {
  return async (container) => (await loaded(load, container))(container)
}

async function loaded(load: () => Promise<ContainerModule>, container: Container): Promise<ContainerModule> {
  using _ = container.clock.busy(`the code of ${container.name} is loaded`)
  return await load()
}
